/** Hashes that code takes: places of mappings and lists, and numbers that nobody can tell what they were made of. */
import { keccakHex } from '../../../../platform/keccak.ts'
import { type Facts, hex } from './facts.ts'
import { WORD } from './opcodes.ts'
import { DIGEST, HEAD, isOfHead, loadWord, type Memory, OTHER, placeOf, type Value } from './values.ts'

/** Hashes of constants that are computed, of one code. */
const MOST_HASHES = 64
/** The hash of words that are all known, or those bits of it. */
export const hashed = ({ book }: Facts, words: readonly Value[], mask = WORD): Value => {
  if (words.some(({ t }) => t !== 'const')) return OTHER
  const text = words.map((one) => (one.t === 'const' ? hex(one.v).slice(2) : '')).join('')
  book.hashes ??= new Map()
  const known = book.hashes.get(text)
  if (known === undefined && book.hashes.size >= MOST_HASHES) return OTHER
  const v = known ?? BigInt(keccakHex(Buffer.from(text, 'hex')))
  book.hashes.set(text, v)
  return { t: 'const', v: v & mask }
}

/** Bytes that are looked at where a hash is taken of more than a key. */
const MOST_HASHED = 1_024

/** Solidity hashes the key and then the base of a mapping, Vyper the base and then the key. */
export const hashOf = (facts: Facts, memory: Memory, offset: Value, length: Value): Value => {
  if (placeOf(offset) !== 0 || length.t !== 'const' || (length.v !== 64n && length.v !== 32n)) {
    const [from, size] = [placeOf(offset), placeOf(length)]
    // Whoever wrote the code chose the length: nothing is read before it is known to be small.
    if (size <= 0 || size > MOST_HASHED || from < 0) return DIGEST
    const words: Value[] = []
    for (let at = from; at < from + size; at += 32) {
      const word = loadWord(memory, at)
      if (isOfHead(word)) return HEAD
      if (word.t !== 'const') return DIGEST
      words.push(word)
    }
    return size % 32 === 0 ? hashed(facts, words) : OTHER
  }
  const [first, second] = [loadWord(memory, 0), loadWord(memory, 32)]
  if (length.v === 32n && isOfHead(first)) return HEAD
  const isBase = ({ t }: Value) => t === 'const' || t === 'hash'
  const pair = isBase(second) || !isBase(first) ? { base: second, key: first } : { base: first, key: second }
  const { base, key } = length.v === 64n ? pair : { base: first, key: OTHER }
  if (key.t === 'data' && key.i >= 0) facts.keyed.add(key.i)
  if (base.t === 'data' && base.i >= 0 && length.v === 64n && !facts.baseArgs.includes(base.i))
    facts.baseArgs.push(base.i)
  const name = base.t === 'const' ? hex(base.v) : base.t === 'hash' ? base.base : 'other'
  const named = base.t === 'hash' && (base.named || base.key.t === 'slot' || base.key.t === 'const')
  const alone = length.v === 32n
  const place =
    base.t === 'const' && (alone || key.t === 'const') ? hashed(facts, alone ? [first] : [first, second]) : undefined
  return {
    t: 'hash',
    ...{ key, base: name, named, plus: 0n },
    ...(alone ? { list: true } : {}),
    // Solidity hashes the key first.
    ...(alone || base === second ? {} : { vague: true }),
    ...(place?.t === 'const' ? { at: place.v } : {}),
  }
}
