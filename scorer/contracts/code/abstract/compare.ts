/** What comparisons show: whom and what a function recognises. */
import {
  addressOf,
  addUnique,
  type Facts,
  noteArgument,
  noteEnvelope,
  noteExact,
  noteExactSlot,
  noteNumber,
  noteSlot,
} from './facts.ts'
import { MASK160 } from './opcodes.ts'
import { type Part, type PartOp, solve } from './parts.ts'
import { OTHER, type Value } from './values.ts'

/** Words of storage. */
export const isStored = ({ t }: Value): boolean => t === 'slot' || t === 'entry' || t === 'mixed'

/** The caller, or who began the transaction. */
export const isPerson = ({ t }: Value): boolean => t === 'caller' || t === 'origin'

/** What is known of a word that is made of one argument. */
export const partOf = (value: Value): Part | undefined => {
  if (value.t === 'data') return value.i >= 0 ? { i: value.i, op: 'plus', by: 0n } : undefined
  if (value.t === 'pointer') return { i: value.i, op: 'plus', by: value.plus }
  return value.t === 'part' ? value : undefined
}

/** What an operation with a constant makes of an argument. */
export const partial = (op: PartOp, value: Value, by: bigint): Value =>
  value.t === 'data' && value.i >= 0 ? { t: 'part', i: value.i, op, by } : OTHER

/**
 * Notes what a comparison of two values shows of the function: whom it obeys, and numbers that its arguments are
 * compared with.
 */
export const noteComparison = (facts: Facts, a: Value, b: Value, equality: boolean) => {
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
    const part = equality ? partOf(x) : undefined
    if (part && y.t === 'const') noteExact(facts, part.i, solve(part, y.v))
    if (equality && x.t === 'data' && x.i >= 0 && y.t === 'slot' && y.shift === 0) noteExactSlot(facts, x.i, y.slot)
    if (equality && x.t === 'data' && y.t === 'slot') noteSlot(facts, 'peerSlots', y, 'address')
    if (x.t === 'entry' && y.t === 'const' && y.v > 0n) noteNumber(facts, 'compared', y.v)
    // Who has a small address is a choice of whoever made the address.
    if (!equality && isPerson(x) && y.t === 'const') facts.byDigest = true
    if (!equality) continue
    if (x.t === 'mixed' && isPerson(y)) facts.byDigest = true
    if (x.t === 'digest' && (isPerson(y) || y.t === 'slot' || y.t === 'const')) facts.byDigest = true
    if (x.t === 'signer' && (y.t === 'slot' || (y.t === 'const' && y.v > 0xffffn))) facts.bySignature = true
    if (!isPerson(x)) continue
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
