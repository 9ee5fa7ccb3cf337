/** Results of arithmetic, comparisons and masks on symbolic values, and the facts they show about the function. */
import { isCallerOrOrigin, isFromStorage, makeExpression, noteComparison, ORDERS } from './compare.ts'
import { type Facts, type FunctionFacts, noteArgument, noteBound, noteExact, noteSlot } from './facts.ts'
import { hashed } from './hashes.ts'
import { arithmetic, logOf2, MASK160, OP, WORD } from './opcodes.ts'
import {
  type Counter,
  DIGEST,
  dependsOnSelector,
  FLAG,
  FROM_SELECTOR,
  type Hash,
  MIXED,
  SELECTOR,
  UNKNOWN,
  type Value,
} from './values.ts'

/** Factor of the selector in the first word of the calldata. */
const FIRST_BITS = 1n << 224n
/** Mask of the selector in the first word of the calldata. */
const FIRST_MASK = WORD - (FIRST_BITS - 1n)

/** Buckets of a dispatch table. */
const MAX_BUCKETS = 1_024n
const bucketOf = (count: bigint): Value =>
  count > 0n && count <= MAX_BUCKETS ? { t: 'bucket', count: Number(count) } : UNKNOWN

/** Values that a mask leaves as they are. */
const UNMASKED: ReadonlySet<Value['t']> = new Set([
  'caller',
  'origin',
  'self',
  'signer',
  'digest',
  'mixed',
  'element',
  'fetched',
  'answer',
  'counter',
  'flag',
  'member',
])

const masked = (facts: Facts, value: Value, mask: bigint): Value => {
  const kind = mask === MASK160 ? 'address' : mask === 0xffn ? 'bool' : undefined
  if (UNMASKED.has(value.t)) return value
  // A masked hash is no place in storage but a computed address.
  if (kind === 'address' && value.t === 'hash' && value.base !== 'other')
    return hashed(facts, [value.key, { t: 'const', v: BigInt(value.base) }], mask)
  if (value.t === 'selector') return mask < 0xffffn ? bucketOf(mask + 1n) : value
  if (value.t === 'data') {
    if (value.i < 0) return mask === FIRST_MASK || mask === WORD ? value : UNKNOWN
    if (kind === 'address') noteArgument(facts, value.i, 'address')
    return value
  }
  if (value.t === 'slot') {
    if (kind) noteSlot(facts, 'reads', value, kind)
    return value
  }
  if (value.t === 'entry') return value
  return UNKNOWN
}

/** Instructions whose operands are numbers. */
const ARITHMETIC: ReadonlySet<number> = new Set([OP.ADD, OP.MUL, OP.SUB, OP.DIV, OP.LT, OP.GT, OP.SLT, OP.SGT])

/** Notes arguments that are computed with. A check for zero makes a number look like a bool; this corrects it. */
const noteCounting = (facts: FunctionFacts, op: number, a: Value, b: Value) => {
  if (!ARITHMETIC.has(op)) return
  for (const [value, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (value.t === 'data' && value.i >= 0 && !(op === OP.ADD && other.t === 'const')) facts.numericArgs.add(value.i)
  }
}

/** The selector compared with a constant, alone or within the first word of the calldata. */
const matchOf = (value: Value, by: Value, negated: boolean): Value | undefined => {
  if (by.t !== 'const') return undefined
  if (value.t === 'selector') return { t: 'match', selector: by.v, negated }
  const named = value.t === 'data' && value.i < 0 && by.v > 0n && by.v % FIRST_BITS === 0n
  return named ? { t: 'match', selector: by.v / FIRST_BITS, negated } : undefined
}

/**
 * Result of an instruction with two operands; `a` is the top of the stack. A value computed from the selector in an untracked
 * way becomes FROM_SELECTOR, except after order comparisons: compilers use these for binary search, and both branches are
 * followed.
 */
export const binary = (facts: Facts, op: number, a: Value, b: Value): Value => {
  const result = combined(facts, op, a, b)
  if (a.t === 'fetched' || b.t === 'fetched') return a.t === 'fetched' ? a : b
  const isUntracked = result.t === 'unknown' || result.t === 'flag'
  return isUntracked && !ORDERS.has(op) && (dependsOnSelector(a) || dependsOnSelector(b)) ? FROM_SELECTOR : result
}

/** A loop variable times a constant. */
const scaled = (counter: Counter, by: bigint): Counter => ({
  ...counter,
  plus: (counter.plus * by) & WORD,
  times: (counter.times * by) & WORD,
})

/** A hash plus a value. */
const hashPlus = (hash: Hash, by: Value): Hash => {
  if (by.t === 'const')
    return {
      ...hash,
      plus: ((hash.plus ?? 0n) + by.v) & WORD,
      ...(hash.knownSlot === undefined ? {} : { knownSlot: (hash.knownSlot + by.v) & WORD }),
    }
  const isFirst = hash.itemArg === undefined && hash.counter === undefined
  if (by.t === 'counter' && isFirst) return { ...hash, counter: by }
  if (by.t === 'data' && by.i >= 0) return { ...hash, itemArg: by.i, ...(isFirst ? {} : { inexact: true }) }
  if (by.t === 'expression' && isFirst) return { ...hash, itemArg: by.i, inexact: true }
  return { ...hash, inexact: true }
}

const combined = (facts: Facts, op: number, a: Value, b: Value): Value => {
  noteCounting(facts, op, a, b)
  if (a.t === 'const' && b.t === 'const') {
    const v = arithmetic(op, a.v, b.v)
    if (v !== undefined) return { t: 'const', v }
  }
  if (op === OP.AND) {
    if (b.t === 'const') return masked(facts, a, b.v)
    if (a.t === 'const') return masked(facts, b, a.v)
    return a.t === 'flag' && b.t === 'flag' ? FLAG : UNKNOWN
  }
  if (op === OP.OR && a.t === 'flag' && b.t === 'flag') return FLAG
  if (op === OP.SHR || op === OP.DIV) {
    const by = op === OP.SHR ? a : b
    const value = op === OP.SHR ? b : a
    const shift = by.t !== 'const' ? -1 : op === OP.SHR ? Number(by.v & 0x1ffn) : logOf2(by.v)
    if (shift === 224 && (value.t === 'selector' || (value.t === 'data' && value.i === -1))) return SELECTOR
    // Vyper checks that the bits beyond an address or a bool are zero.
    if (value.t === 'data' && value.i >= 0 && (shift === 160 || shift === 1))
      noteArgument(facts, value.i, shift === 160 ? 'address' : 'bool')
    if (shift >= 0 && value.t === 'slot') return { t: 'slot', slot: value.slot, shift: value.shift + shift }
    if (shift >= 0 && (value.t === 'member' || (value.t === 'entry' && !value.byCaller)))
      return { ...value, shift: value.shift + shift }
    if (value.t === 'fetched') return value
    if (shift === 96 && isCallerOrOrigin(value)) return value
    if (value.t === 'digest' || value.t === 'mixed') return value
    if (by.t !== 'const' || (op === OP.SHR && by.v > 255n)) return UNKNOWN
    return makeExpression('dividedBy', value, op === OP.SHR ? 1n << by.v : by.v)
  }
  if (op === OP.SHL) {
    if (a.t === 'const' && a.v === 96n) {
      if (b.t === 'data') noteArgument(facts, b.i, 'address')
      // Both sides of such a comparison are shifted left.
      if (isCallerOrOrigin(b) || b.t === 'data' || b.t === 'slot' || b.t === 'member') return b
    }
    if (a.t === 'const' && b.t === 'counter') return scaled(b, 1n << (a.v & 0xffn))
    if (b.t === 'bucket' && a.t === 'const') return b
    return a.t === 'const' && a.v < 256n ? makeExpression('times', b, 1n << a.v) : UNKNOWN
  }
  if (op === OP.LT || op === OP.GT || op === OP.SLT || op === OP.SGT || op === OP.EQ) {
    noteComparison(facts, op, a, b)
    if (op !== OP.EQ) return FLAG
    const match = matchOf(a, b, false) ?? matchOf(b, a, false)
    if (match) return match
    if (a.t === 'entry' || b.t === 'entry') return a.t === 'entry' ? a : b
    return FLAG
  }
  if (op === OP.SUB || op === OP.XOR) {
    noteComparison(facts, op, a, b)
    if (op === OP.SUB && a.t === 'counter' && b.t === 'const') return { ...a, plus: (a.plus - b.v) & WORD }
    if (op === OP.SUB && a.t === 'const' && b.t === 'counter') {
      const below = scaled(b, WORD)
      return { ...below, plus: (below.plus + a.v) & WORD }
    }
    const match = matchOf(a, b, true) ?? matchOf(b, a, true)
    if (match) return match
    if (isCallerOrOrigin(a) || isCallerOrOrigin(b)) return DIGEST
    if (b.t === 'const' && !isFromStorage(a)) return makeExpression(op === OP.XOR ? 'xor' : 'minus', a, b.v)
    if (isFromStorage(a) || isFromStorage(b)) return MIXED
    return a.t === 'const' ? makeExpression(op === OP.XOR ? 'xor' : 'subtractedFrom', b, a.v) : UNKNOWN
  }
  if (op === OP.MOD && a.t === 'selector' && b.t === 'const') return bucketOf(b.v)
  if (op === OP.MOD && a.t === 'data' && b.t === 'const') return makeExpression('modulo', a, b.v)
  if (op === OP.MUL && (a.t === 'bucket' || b.t === 'bucket')) return a.t === 'bucket' ? a : b
  if (op === OP.MUL && a.t === 'const' && b.t === 'counter') return scaled(b, a.v)
  if (op === OP.MUL && a.t === 'counter' && b.t === 'const') return scaled(a, b.v)
  if (op === OP.MUL && a.t === 'const' && b.t === 'data') return makeExpression('times', b, a.v)
  if (op === OP.MUL && a.t === 'data' && b.t === 'const') return makeExpression('times', a, b.v)
  if (op === OP.ADD) {
    const [bucket, start] = a.t === 'bucket' ? [a, b] : [b, a]
    if (bucket.t === 'bucket' && start.t === 'const' && start.v < 2n ** 20n)
      return { t: 'row', base: Number(start.v), count: bucket.count }
    const [x, y] = a.t === 'data' || a.t === 'pointer' ? [a, b] : [b, a]
    if (x.t === 'data' && x.i >= 0 && y.t === 'const') {
      // As below: adding a negative constant may be a comparison.
      if (y.v >> 255n === 1n) noteExact(facts, x.i, -y.v & WORD)
      return { t: 'pointer', i: x.i, plus: y.v }
    }
    if (x.t === 'pointer') return y.t === 'const' ? { t: 'pointer', i: x.i, plus: (x.plus + y.v) & WORD } : x
    const [hash, item] = a.t === 'hash' ? [a, b] : [b, a]
    if (hash.t === 'hash') return hashPlus(hash, item)
    const [counter, more] = a.t === 'counter' ? [a, b] : [b, a]
    if (counter.t === 'counter')
      return more.t === 'const' ? { ...counter, plus: (counter.plus + more.v) & WORD } : UNKNOWN
    // Compilers subtract a constant by adding its two's complement.
    for (const [who, by] of [
      [a, b],
      [b, a],
    ] as const)
      if (isCallerOrOrigin(who) && by.t === 'const') noteComparison(facts, OP.EQ, who, { t: 'const', v: -by.v & WORD })
    if (!isCallerOrOrigin(a) && !isCallerOrOrigin(b) && (isFromStorage(a) || isFromStorage(b))) return MIXED
  }
  if (op === OP.MOD && a.t === 'digest') return a
  return isCallerOrOrigin(a) || isCallerOrOrigin(b) ? DIGEST : UNKNOWN
}

/** Result of ISZERO. */
export const unary = (facts: Facts, value: Value): Value => {
  if (value.t === 'const') return { t: 'const', v: value.v === 0n ? 1n : 0n }
  if (value.t === 'counter') noteBound(facts, value, 0n, true)
  if (value.t === 'match') return { t: 'match', selector: value.selector, negated: !value.negated }
  if (value.t === 'zero') {
    if (value.of.t === 'data') noteArgument(facts, value.of.i, 'bool')
    return value.of.t === 'entry' ? value.of : FLAG
  }
  if (value.t === 'fromSelector' || value.t === 'fetched') return value
  return value.t === 'data' || value.t === 'entry' || value.t === 'callvalue' ? { t: 'zero', of: value } : FLAG
}
