/** Hashes in code: places of mapping entries and array elements, and digests that cannot be inverted. */
import { keccakHex } from '../../../../platform/keccak.ts'
import { type Facts, wordHex } from './facts.ts'
import { WORD } from './opcodes.ts'
import {
  DIGEST,
  dependsOnSelector,
  FROM_SELECTOR,
  loadWord,
  type Memory,
  memoryOffset,
  UNKNOWN,
  type Value,
} from './values.ts'

/** Hashes of constants computed for one code. */
const MAX_HASHES = 64
/** The hash of constant words, masked; unknown if a word is no constant. */
export const hashed = ({ shared }: Facts, words: readonly Value[], mask = WORD): Value => {
  if (words.some(({ t }) => t !== 'const')) return UNKNOWN
  const text = words.map((one) => (one.t === 'const' ? wordHex(one.v).slice(2) : '')).join('')
  shared.hashes ??= new Map()
  const known = shared.hashes.get(text)
  if (known === undefined && shared.hashes.size >= MAX_HASHES) return UNKNOWN
  const v = known ?? BigInt(keccakHex(Buffer.from(text, 'hex')))
  shared.hashes.set(text, v)
  return { t: 'const', v: v & mask }
}

/** Bytes hashed at most, except for a mapping key or an array slot. */
const MAX_HASHED = 1_024

/** Result of KECCAK256. Solidity hashes the key of a mapping before its base, Vyper the base before the key. */
export const hashOf = (facts: Facts, memory: Memory, offset: Value, length: Value): Value => {
  if (memoryOffset(offset) !== 0 || length.t !== 'const' || (length.v !== 64n && length.v !== 32n)) {
    const [from, size] = [memoryOffset(offset), memoryOffset(length)]
    // Hostile code chooses the length: check it before reading.
    if (size <= 0 || size > MAX_HASHED || from < 0) return DIGEST
    const words: Value[] = []
    for (let at = from; at < from + size; at += 32) {
      const word = loadWord(memory, at)
      if (dependsOnSelector(word)) return FROM_SELECTOR
      if (word.t !== 'const') return DIGEST
      words.push(word)
    }
    return size % 32 === 0 ? hashed(facts, words) : UNKNOWN
  }
  const [first, second] = [loadWord(memory, 0), loadWord(memory, 32)]
  if (length.v === 32n && dependsOnSelector(first)) return FROM_SELECTOR
  const isBase = ({ t }: Value) => t === 'const' || t === 'hash'
  const pair = isBase(second) || !isBase(first) ? { base: second, key: first } : { base: first, key: second }
  const { base, key } = length.v === 64n ? pair : { base: first, key: UNKNOWN }
  if (key.t === 'data' && key.i >= 0) facts.keyArgs.add(key.i)
  if (base.t === 'data' && base.i >= 0 && length.v === 64n && !facts.baseArgs.includes(base.i))
    facts.baseArgs.push(base.i)
  const name = base.t === 'const' ? wordHex(base.v) : base.t === 'hash' ? base.base : 'other'
  const named = base.t === 'hash' && (base.fixedAccount || base.key.t === 'slot' || base.key.t === 'const')
  const alone = length.v === 32n
  const place =
    base.t === 'const' && (alone || key.t === 'const') ? hashed(facts, alone ? [first] : [first, second]) : undefined
  const mapping =
    base.t === 'const' ? base.v : base.t === 'hash' && !base.inexact && !base.counter ? base.knownSlot : undefined
  return {
    t: 'hash',
    ...{ key, base: name, fixedAccount: named, plus: 0n },
    ...(alone || mapping === undefined ? {} : { mapping }),
    ...(alone ? { list: true } : {}),
    // Solidity hashes the key first.
    ...(alone || base === second ? {} : { inexact: true }),
    ...(place?.t === 'const' ? { knownSlot: place.v } : {}),
  }
}
