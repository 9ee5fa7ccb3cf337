/** Facts that comparisons show: the accounts a function obeys, and the values its arguments are compared with. */
import { type ArgumentExpression, type ExpressionOp, solve } from './expressions.ts'
import {
  addressOf,
  addUnique,
  type Facts,
  noteArgument,
  noteBound,
  noteEnvelope,
  noteExact,
  noteExactSlot,
  noteNumber,
  noteRow,
  noteSlot,
  type SlotRow,
  wordHex,
} from './facts.ts'
import { MASK160, OP } from './opcodes.ts'
import { type Counter, type Hash, type Member, UNKNOWN, type Value } from './values.ts'

/** Order comparisons. */
export const ORDERS: ReadonlySet<number> = new Set([OP.LT, OP.GT, OP.SLT, OP.SGT])

/** Whether a word comes from storage. */
export const isFromStorage = ({ t }: Value): boolean => t === 'slot' || t === 'entry' || t === 'member' || t === 'mixed'

/** Whether a word is the result of CALLER or ORIGIN. */
export const isCallerOrOrigin = ({ t }: Value): boolean => t === 'caller' || t === 'origin'

/** The expression of a word that is computed from one argument. */
export const expressionOf = (value: Value): ArgumentExpression | undefined => {
  if (value.t === 'data') return value.i >= 0 ? { i: value.i, op: 'plus', by: 0n } : undefined
  if (value.t === 'pointer') return { i: value.i, op: 'plus', by: value.plus }
  return value.t === 'expression' ? value : undefined
}

/** The result of an operation of an argument with a constant. */
export const makeExpression = (op: ExpressionOp, value: Value, by: bigint): Value =>
  value.t === 'data' && value.i >= 0 ? { t: 'expression', i: value.i, op, by } : UNKNOWN

const rowAt = (kind: SlotRow['kind'], base: string, shift: number, at: Member['at'] | Counter): SlotRow => ({
  ...{ kind, base, shift, from: at.plus, times: at.t === 'counter' ? at.times : 1n },
  ...(at.t === 'pointer' ? { argument: at.i } : {}),
})

/** Notes a member of a row that is read (`rows`) or compared with the caller. */
export const noteMember = (facts: Facts, name: 'rows' | 'callerRows', { at, shift }: Member) => {
  const noted = noteRow(facts, name, rowAt('words', '', shift, at), at.t === 'counter' ? at.id : undefined)
  if (name === 'callerRows') facts.byUnknown ||= !noted
}

/** Notes a mapping entry or array element that the caller is compared with. */
const noteEntry = (facts: Facts, of: Hash, shift: number) => {
  const { key, base, list, counter, itemArg, plus = 0n, inexact } = of
  if (of.knownSlot !== undefined && counter === undefined && itemArg === undefined && !inexact)
    return noteSlot(facts, 'callerSlots', { slot: wordHex(of.knownSlot), shift }, 'address')
  const part = expressionOf(key)
  const argument = itemArg ?? part?.i
  const at: Member['at'] | undefined =
    counter ??
    (!list && key.t === 'counter'
      ? key
      : argument === undefined
        ? undefined
        : { t: 'pointer', i: argument, plus: part?.by ?? 0n })
  const row = at && base !== 'other' ? rowAt(list ? 'list' : 'map', base, shift, at) : undefined
  // If an argument selects the member, the row is noted even though the slots of its members are unknown.
  const isInexact = inexact === true || (!list && plus !== 0n) || (part !== undefined && part.op !== 'plus')
  if (row === undefined || (isInexact && row.argument === undefined)) {
    facts.byUnknown = true
    return
  }
  const placed = isInexact ? { ...row, times: 0n } : { ...row, from: row.from + (list ? plus : 0n) }
  const noted = noteRow(facts, 'callerRows', placed, at?.t === 'counter' ? at.id : undefined)
  facts.byUnknown ||= !noted
}

/** Notes what the caller is compared with, except for slots and constants. */
const noteCallerComparison = (facts: Facts, y: Value) => {
  if (y.t === 'unknown') facts.byUnknown = true
  if (y.t === 'member') noteMember(facts, 'callerRows', y)
  if (y.t === 'entry' && !y.byCaller) noteEntry(facts, y.of, y.shift)
}

/** Notes the bound that a comparison of a loop counter with a constant sets. */
const noteCounted = (facts: Facts, op: number, a: Value, b: Value) => {
  for (const [x, y, less] of [
    [a, b, OP.LT],
    [b, a, OP.GT],
  ] as const) {
    if (x.t !== 'counter' || y.t !== 'const') continue
    const isLess = op === less || op === less + 2
    const ordered = op >= OP.LT && op <= OP.SGT
    noteBound(facts, x, y.v, !ordered || isLess === BigInt.asIntN(256, x.times) > 0n)
  }
}

/** Notes what a comparison of two values shows: the accounts the function obeys, and constants its arguments are compared with. */
export const noteComparison = (facts: Facts, op: number, a: Value, b: Value) => {
  const equality = !ORDERS.has(op)
  noteCounted(facts, op, a, b)
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const) {
    if (x.t === 'data' && y.t === 'const') {
      noteArgument(facts, x.i)
      const hints = facts.hints[x.i]
      if (hints && hints.length < 6 && y.v !== MASK160 && !hints.includes(y.v)) hints.push(y.v)
    }
    if (equality && y.t === 'const') {
      if (x.t === 'callvalue') noteEnvelope(facts, 'value', y.v)
      if (x.t === 'size') noteEnvelope(facts, 'size', y.v)
      if (x.t === 'data' && x.i < 0) noteEnvelope(facts, 'head', y.v)
    }
    const part = equality ? expressionOf(x) : undefined
    if (part && y.t === 'const') noteExact(facts, part.i, solve(part, y.v))
    if (equality && x.t === 'data' && x.i >= 0 && y.t === 'slot' && y.shift === 0) noteExactSlot(facts, x.i, y.slot)
    if (equality && x.t === 'data' && y.t === 'slot') noteSlot(facts, 'peerSlots', y, 'address')
    if (x.t === 'entry' && y.t === 'const' && y.v > 0n) noteNumber(facts, 'entryConstants', y.v)
    // Anyone can search for an account with a small address.
    if (!equality && isCallerOrOrigin(x) && y.t === 'const') facts.byDigest = true
    if (!equality) continue
    if (x.t === 'mixed' && isCallerOrOrigin(y)) facts.byDigest = true
    if (x.t === 'digest' && (isCallerOrOrigin(y) || y.t === 'slot' || y.t === 'const')) facts.byDigest = true
    if (x.t === 'signer' && (y.t === 'slot' || (y.t === 'const' && y.v > 0xffffn))) facts.bySignature = true
    if (!isCallerOrOrigin(x)) continue
    noteCallerComparison(facts, y)
    if (y.t === 'self') facts.bySelf = true
    if (y.t === 'data' && y.i >= 0) facts.callerArgs.add(y.i)
    if (y.t === 'slot') {
      noteSlot(facts, 'callerSlots', y, 'address')
      noteSlot(facts, 'reads', y, 'address')
    }
    const named = y.t === 'const' && y.v > 0xffffn && y.v <= MASK160
    if (named) addUnique(facts, 'callerConstants', addressOf(y.v))
    if (x.t === 'origin' && (named || y.t === 'slot')) facts.byOrigin = true
  }
}
