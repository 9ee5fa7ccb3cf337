/**
 * Accounts in a row of storage that a loop compares with the caller, such as an array of owners. The code shows where the
 * row starts and how long it is; storage holds the accounts.
 */
import { keccakHex } from '../../../../platform/keccak.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { type FunctionFacts, type SlotRef, type SlotRow, wordHex } from '../../code/abstract/facts.ts'
import { WORD } from '../../code/abstract/opcodes.ts'
import { MAX_VALUES } from '../calls/triggers.ts'
import { storedAddress } from './stored-address.ts'

/** Members read of one row, and rows read of one contract. Longer rows count as incomplete. */
const [MAX_MEMBERS, MAX_ROWS] = [16, 16]

const hashOf = (...words: string[]): bigint =>
  BigInt(keccakHex(Buffer.from(words.map((word) => word.slice(2)).join(''), 'hex')))

/** Number of members: for a storage array from its length slot, otherwise from the code; 0 if unknown. */
const lengthOf = async (
  chain: ChainReader,
  token: string,
  { kind, base, maxLength = 0, times }: SlotRow,
): Promise<number> => {
  if (times === 0n) return 0
  if (kind !== 'list') return maxLength
  const length = BigInt(await chain.slot(token, base))
  return length < WORD >> 200n ? Number(length) : 0
}

/** Storage slot of member `i`. */
const slotOf = ({ kind, base, from, times }: SlotRow, i: number): bigint => {
  const at = (from + BigInt(i) * times) & WORD
  if (kind === 'words') return at
  return kind === 'map' ? hashOf(wordHex(at), base) : (hashOf(base) + at) & WORD
}

/** Index of the member of a row of words at `slot`; `undefined` if there is none within the length, or within the limit if the length is unknown. */
export const memberIndex = (
  { kind, from, times, maxLength = MAX_MEMBERS }: SlotRow,
  slot: bigint,
): number | undefined => {
  if (kind !== 'words' || times === 0n) return undefined
  const way = BigInt.asIntN(256, times)
  const far = BigInt.asIntN(256, slot - from)
  const i = far / way
  return far % way === 0n && i >= 0n && i < BigInt(maxLength) ? Number(i) : undefined
}

/** The slots of a row, in order. */
type Members = {
  refs: SlotRef[]
  /** Which of the slots hold an account. */
  holdsAccount: boolean[]
  /** Whether these are all members. */
  whole: boolean
  /** Indexes of the slots that hold an account. */
  indexes: bigint[]
}

const membersOf = async (chain: ChainReader, token: string, row: SlotRow): Promise<Members> => {
  const length = await lengthOf(chain, token, row)
  const whole = row.kind === 'list' ? row.times !== 0n && length <= MAX_MEMBERS : length > 0 && length <= MAX_MEMBERS
  // A loop that increments its counter between check and use reads one slot further.
  const known = row.kind === 'list' ? length : length === 0 ? MAX_MEMBERS : length + 1
  const count = row.times === 0n ? 0 : Math.min(known, MAX_MEMBERS + 1)
  const slots = Array.from({ length: count }, (_, i) => wordHex(slotOf(row, i)))
  const words = await Promise.all(slots.map((slot) => chain.slot(token, slot)))
  const holdsAccount = words.map((held) => storedAddress(held, row.shift) !== undefined)
  return {
    refs: slots.map((slot, i) => ({
      ...{ slot, shift: row.shift, kind: 'address' as const, row },
      ...(i === length && row.kind !== 'list' ? { pastEnd: true } : {}),
    })),
    holdsAccount,
    whole,
    indexes: holdsAccount.flatMap((is, i) => (is ? [BigInt(i)] : [])),
  }
}

const UNREAD: Members = { refs: [], holdsAccount: [], whole: false, indexes: [] }
const keyOf = ({ kind, base, from, times, shift, maxLength }: SlotRow): string =>
  [kind, base, from, times, shift, maxLength].join()

/** The function with the members of its rows among `callerSlots`, and their indexes among the trigger values. */
const withOwnMembers = (facts: FunctionFacts, known: ReadonlyMap<string, Members>): FunctionFacts => {
  if (facts.callerRows.length === 0) return facts
  const callerSlots = new Map(facts.callerSlots.map((ref) => [`${ref.slot}:${ref.shift}`, ref]))
  const exact = facts.exactValues.map((list) => [...list])
  const callerRows: SlotRow[] = []
  for (const row of facts.callerRows) {
    const { refs, holdsAccount, whole, indexes } = known.get(keyOf(row)) ?? UNREAD
    // If an argument selects the member, at most MAX_VALUES indexes are tried.
    const isTried = row.argument === undefined || indexes.length <= MAX_VALUES
    const { maxLength: _, ...rest } = row
    callerRows.push(whole && isTried ? { ...rest, maxLength: refs.length } : rest)
    if (row.argument !== undefined) exact[row.argument]?.unshift(...indexes)
    for (const [i, ref] of refs.entries()) {
      const place = `${ref.slot}:${ref.shift}`
      if (callerSlots.has(place) ? !ref.pastEnd : holdsAccount[i]) callerSlots.set(place, ref)
    }
  }
  return { ...facts, exactValues: exact, callerRows, callerSlots: [...callerSlots.values()] }
}

/** Adds the accounts in rows to the `callerSlots` of functions that compare the caller with the row. */
export const withMembers = async (
  chain: ChainReader,
  token: string,
  functions: readonly FunctionFacts[],
): Promise<FunctionFacts[]> => {
  const rows = new Map(functions.flatMap(({ callerRows }) => callerRows.map((row) => [keyOf(row), row])))
  const known = await Promise.all(
    [...rows].slice(0, MAX_ROWS).map(async ([name, row]) => [name, await membersOf(chain, token, row)] as const),
  )
  const members = new Map(known)
  return functions.map((facts) => withOwnMembers(facts, members))
}
