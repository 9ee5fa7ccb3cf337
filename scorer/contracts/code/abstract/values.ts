/** Symbolic values, and a symbolic memory: words at constant offsets near the start, where compilers keep scratch and locals. */
import type { ArgumentExpression } from './expressions.ts'

/**
 * A known number. `block`: the basic block in which it was pushed or computed. `fromEarlierBlock`: whether it was computed
 * from numbers of another block. `memoryWords`: words of memory that it was loaded from, one bit each.
 */
export type Const = { t: 'const'; v: bigint; block?: number; fromEarlierBlock?: boolean; memoryWords?: number }

/** A loop variable: `plus`, and any multiple of `times`. Values with the same `id` advance together. */
export type Counter = { t: 'counter'; id: number; plus: bigint; times: bigint }
/** A word from a row in storage: its slot is a loop variable, or argument `i` plus a constant. */
export type Member = { t: 'member'; at: Counter | { t: 'pointer'; i: number; plus: bigint }; shift: number }

/**
 * A hash that is a place in storage: of a key and the base of a mapping, or, with `list`, of the slot of a storage array.
 * `plus`: constant added to it. `itemArg`: argument added to it. `counter`: loop variable added to it. `inexact`: something
 * else is added, or the base is hashed before the key, as Vyper does. `fixedAccount`: the base is an entry of a mapping
 * under a slot or a constant. `knownSlot`: the slot itself, if it is a constant. `mapping`: slot of the mapping, if it is a
 * constant, also of one that is an entry of another mapping.
 */
export type Hash = {
  t: 'hash'
  key: Value
  base: string
  fixedAccount: boolean
  itemArg?: number
  list?: boolean
  plus?: bigint
  counter?: Counter
  inexact?: boolean
  knownSlot?: bigint
  mapping?: bigint
}

/** Origin of a word, as far as it is tracked. */
export type Value =
  | Const
  /** Argument `i`; -1 for the first word of the calldata. */
  | { t: 'data'; i: number }
  /** An argument plus a constant, which may be an offset in the calldata. */
  | { t: 'pointer'; i: number; plus: bigint }
  | ({ t: 'expression' } & ArgumentExpression)
  /** A word of storage. `slot`: a 32-byte word as text; copies share the string. */
  | { t: 'slot'; slot: string; shift: number }
  | Hash
  /** A word of a mapping or storage array. */
  | { t: 'entry'; base: string; byCaller: boolean; of: Hash; shift: number }
  | Counter
  | Member
  /** Whether the selector equals a constant. */
  | { t: 'match'; selector: bigint; negated: boolean }
  /** Whether a value is zero. */
  | { t: 'zero'; of: Value }
  /** Hash bucket of the selector, below `count`, possibly multiplied by a width. */
  | { t: 'bucket'; count: number }
  /** Offset in the code of a bucket's entry. */
  | { t: 'row'; base: number; count: number }
  /** Content of such an entry. */
  | { t: 'cell'; base: number; count: number; width: number }
  /** A few bytes of code from a computed offset. */
  | { t: 'fetched' }
  /**
   * `mixed`: a stored word after arithmetic. `size`: CALLDATASIZE. `fromSelector`: computed from the selector in a way that is
   * not tracked. `answer`: what another contract returns to a call without arguments. `flag`: 0 or 1, the result of a
   * comparison.
   */
  | { t: 'mixed' | 'size' | 'fromSelector' | 'answer' | 'flag' }
  /**
   * `self`: the contract's own address. `signer`: a recovered signer. `digest`: a hash, or a number computed from the caller's
   * address, which cannot be inverted. `element`: calldata at an unknown offset.
   */
  | { t: 'caller' | 'origin' | 'self' | 'signer' | 'digest' | 'selector' | 'callvalue' | 'element' | 'unknown' }

/** A word of unknown origin; the result of everything that is not tracked. */
export const UNKNOWN: Value = { t: 'unknown' }
/** The result of a comparison: 0 or 1. */
export const FLAG: Value = { t: 'flag' }
/** The result of CALLER. */
export const CALLER: Value = { t: 'caller' }
/** The result of ORIGIN. */
export const ORIGIN: Value = { t: 'origin' }
/** The selector of the call, extracted from the first word of the calldata. */
export const SELECTOR: Value = { t: 'selector' }
/** Computed from the selector in a way that is not tracked. If a branch depends on it, the functions are not known. */
export const FROM_SELECTOR: Value = { t: 'fromSelector' }
/** The result of ADDRESS. */
export const SELF: Value = { t: 'self' }
/** A word that cannot be inverted: a guard that compares it hides the accounts it obeys. */
export const DIGEST: Value = { t: 'digest' }
/** A stored word after arithmetic: it may hold an address in disguise. */
export const MIXED: Value = { t: 'mixed' }

/** Whether two words are known to be equal, or of the same untracked kind. */
export const sameValue = (a: Value, b: Value): boolean => {
  if (a.t === 'const') return b.t === 'const' && a.v === b.v
  if (a.t === 'slot') return b.t === 'slot' && a.slot === b.slot && a.shift === b.shift
  if (a.t === 'data') return b.t === 'data' && a.i === b.i
  if (a.t === 'pointer') return b.t === 'pointer' && a.i === b.i && a.plus === b.plus
  if (a.t === 'expression') return b.t === 'expression' && a.i === b.i && a.op === b.op && a.by === b.by
  if (a.t === 'match') return b.t === 'match' && a.selector === b.selector && a.negated === b.negated
  if (a.t === 'zero') return b.t === 'zero' && sameValue(a.of, b.of)
  if (a.t === 'hash')
    return (
      b.t === 'hash' && a.base === b.base && a.plus === b.plus && a.itemArg === b.itemArg && sameValue(a.key, b.key)
    )
  if (a.t === 'entry') return b.t === 'entry' && a.shift === b.shift && sameValue(a.of, b.of)
  if (a.t === 'member') return b.t === 'member' && a.shift === b.shift && sameValue(a.at, b.at)
  return a.t === b.t
}

/** Whether a word is computed from the selector or from the first word of the calldata. */
export const dependsOnSelector = (value: Value): boolean =>
  value.t === 'selector' || value.t === 'match' || value.t === 'fromSelector' || (value.t === 'data' && value.i < 0)

/** Aligned words from the start of memory. Immutable, because branches share it. */
export type Memory = readonly (Value | undefined)[]
/** Empty memory. */
export const NO_MEMORY: Memory = []

const WORD = 32
const SELECTOR_BYTES = 4
/** Words that are tracked, as many as fit the bits of `memoryWords`. */
export const MAX_WORDS = 32

/** A constant that is small enough to be a memory offset or a length; -1 for anything else. */
export const memoryOffset = (value: Value | undefined): number =>
  value?.t === 'const' && value.v < 2n ** 32n ? Number(value.v) : -1

/** The word at a constant offset. */
export const loadWord = (memory: Memory, at: number): Value =>
  (at % WORD === 0 ? memory[at / WORD] : undefined) ?? UNKNOWN

/** Memory after `length` bytes from `at` on were overwritten; -1 for an unknown length. */
export const invalidate = (memory: Memory, at: number, length: number): Memory => {
  if (at < 0 || length === 0 || at >= memory.length * WORD) return memory
  const [first, last] = [Math.floor(at / WORD), length < 0 ? memory.length : Math.ceil((at + length) / WORD)]
  return memory.map((value, i) => (i >= first && i < last ? undefined : value))
}

/** A number computed in a block from the constants among `taken`. */
export const trackComputed = (result: Const, taken: readonly Value[], block: number): Const => {
  const from = taken.filter((one) => one.t === 'const')
  // A mask that changes nothing keeps the origin of the number.
  const same = from.find(({ v }) => v === result.v)
  if (same) return same
  const carried = from.some((one) => one.fromEarlierBlock === true || one.block !== block)
  return {
    t: 'const',
    v: result.v,
    block,
    fromEarlierBlock: carried,
    memoryWords: from.reduce((bits, { memoryWords = 0 }) => bits | memoryWords, 0),
  }
}

/** A number loaded from a constant offset in memory. */
export const trackLoaded = (result: Const, at: number, block: number): Const => ({
  ...result,
  block,
  memoryWords: (result.memoryWords ?? 0) | (1 << (at / WORD)),
})

/** Memory after a word was written at a constant offset. */
export const storeWord = (memory: Memory, at: number, value: Value): Memory => {
  // Vyper before 0.3 extracts the selector by writing the first word of the calldata at offset 28 of empty memory.
  if (at === WORD - SELECTOR_BYTES && value.t === 'data' && value.i < 0 && memory[0] === undefined)
    return storeWord(invalidate(memory, at, WORD), 0, SELECTOR)
  if (at % WORD !== 0) return invalidate(memory, at, WORD)
  const index = at / WORD
  if (at < 0 || index >= MAX_WORDS) return memory
  const left = memory.slice()
  while (left.length < index) left.push(undefined)
  left[index] = value
  return left
}
