/** Symbolic values, and a memory of them: words at constant places near the start, where compilers keep what matters. */
import type { ArgumentExpression } from './expressions.ts'

/**
 * A number. `block`: the stretch of code without jumps in which it was pushed or computed. `carried`: whether it was computed from
 * numbers of an earlier one. `words`: words of memory it was read from, one bit each.
 */
export type Const = { t: 'const'; v: bigint; block?: number; fromEarlierBlock?: boolean; memoryWords?: number }

/** A number of a loop: `plus` and any multiple of `times`. Those with one `id` are counted together. */
export type Counter = { t: 'counter'; id: number; plus: bigint; times: bigint }
/** A word of a row in storage: at a counted place, or at one that argument `i` makes up. */
export type Member = { t: 'member'; at: Counter | { t: 'pointer'; i: number; plus: bigint }; shift: number }

/**
 * A hash of a key and the base of a mapping, or, with `list`, of a slot alone. `plus`: what the code adds. `named`: within a mapping of
 * mappings, that of an account that the code names. `item`: an argument that is added. `step`: a counted number that is. `vague`: something else
 * is, or the base comes before the key. `at`: the place itself, where it is known.
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
}

/** What is known of a word: where it comes from, as far as a prober can make use of it. */
export type Value =
  | Const
  | { t: 'data'; i: number }
  /** An argument plus a constant, which may be a place in the call's data. */
  | { t: 'pointer'; i: number; plus: bigint }
  | ({ t: 'expression' } & ArgumentExpression)
  /** `slot`: a 32-byte word as text, written once. */
  | { t: 'slot'; slot: string; shift: number }
  | Hash
  | { t: 'entry'; base: string; byCaller: boolean; of: Hash; shift: number }
  | Counter
  | Member
  | { t: 'match'; selector: bigint; negated: boolean }
  | { t: 'zero'; of: Value }
  /** Number of a bucket that the selector falls into, below `count`, times some width. */
  | { t: 'bucket'; count: number }
  /** Place of a bucket's row in the code. */
  | { t: 'row'; base: number; count: number }
  /** What stands in such a row. */
  | { t: 'cell'; base: number; count: number; width: number }
  /** A few bytes of the code from a place that was computed. */
  | { t: 'fetched' }
  /**
   * `self`: the contract's own address. `signer`: whose signature was recovered. `digest`: a hash of what the call brings along, or a
   * number made of the caller's address, from which nobody tells what it was made of. `mixed`: a stored word after arithmetic. `size`:
   * that of the call's data. `head`: made of the selector in a way that is not followed. `answer`: what another contract answers to a
   * question without arguments. `flag`: one or zero, as a comparison leaves it.
   */
  | { t: 'mixed' | 'size' | 'fromSelector' | 'answer' | 'flag' }
  | { t: 'caller' | 'origin' | 'self' | 'signer' | 'digest' | 'selector' | 'callvalue' | 'element' | 'unknown' }

/** A word of which nothing is known. Whatever is not followed becomes it. */
export const UNKNOWN: Value = { t: 'unknown' }
/** What a comparison leaves. */
export const FLAG: Value = { t: 'flag' }
/** Who calls (CALLER). */
export const CALLER: Value = { t: 'caller' }
/** Who began the transaction (ORIGIN). */
export const ORIGIN: Value = { t: 'origin' }
/** The selector of the call, cut out of its first word. */
export const SELECTOR: Value = { t: 'selector' }
/** Made of the selector in a way that is not followed: which functions there are is not known where it decides. */
export const FROM_SELECTOR: Value = { t: 'fromSelector' }
/** The contract's own address (ADDRESS). */
export const SELF: Value = { t: 'self' }
/** A word from which nobody tells what it was made of: a guard that compares it may hide whom it obeys. */
export const DIGEST: Value = { t: 'digest' }
/** A stored word after arithmetic: an address that is kept in disguise may be in it. */
export const MIXED: Value = { t: 'mixed' }

/** Whether two words are known to be the same. */
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
  // A number that is counted in one way or another.
  return a.t === b.t
}

/** Whether a word is made of the selector, or of the call's first word. */
export const dependsOnSelector = (value: Value): boolean =>
  value.t === 'selector' || value.t === 'match' || value.t === 'fromSelector' || (value.t === 'data' && value.i < 0)

/** Aligned words from the start of memory. Never changed in place: branches share it. */
export type Memory = readonly (Value | undefined)[]
/** Memory before anything was written. */
export const NO_MEMORY: Memory = []

const WORD = 32
const SELECTOR_BYTES = 4
/** Words that are followed, as many as a number has bits: compilers keep scratch and locals of a function there. */
export const MAX_WORDS = 32

/** Small enough to be a place in memory; -1 for anything else. */
export const memoryOffset = (value: Value | undefined): number =>
  value?.t === 'const' && value.v < 2n ** 32n ? Number(value.v) : -1

/** The word at a constant place. */
export const loadWord = (memory: Memory, at: number): Value =>
  (at % WORD === 0 ? memory[at / WORD] : undefined) ?? UNKNOWN

/** What is known after bytes from `at` on were overwritten; `length` -1 when it is not known. */
export const invalidate = (memory: Memory, at: number, length: number): Memory => {
  if (at < 0 || length === 0 || at >= memory.length * WORD) return memory
  const [first, last] = [Math.floor(at / WORD), length < 0 ? memory.length : Math.ceil((at + length) / WORD)]
  return memory.map((value, i) => (i >= first && i < last ? undefined : value))
}

/** A number that was computed in a stretch of code, with what it was computed from. */
export const trackComputed = (result: Const, taken: readonly Value[], block: number): Const => {
  const from = taken.filter((one) => one.t === 'const')
  // A mask that changes nothing.
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

/** A number that was read from a constant place in memory. */
export const trackLoaded = (result: Const, at: number, block: number): Const => ({
  ...result,
  block,
  memoryWords: (result.memoryWords ?? 0) | (1 << (at / WORD)),
})

/** A word written at a constant place. */
export const storeWord = (memory: Memory, at: number, value: Value): Memory => {
  // Vyper before 0.3 cuts the selector out by writing the call's first word four bytes before the end of a word that is empty.
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
