/**
 * Accounts that stand in a row of storage and are compared with the caller one after the other, as a loop over an array does. The code shows
 * where the row begins and how long it is, and storage who is in it.
 */
import { keccakHex } from '../../../../platform/keccak.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { type FunctionFacts, type SlotRef, type SlotRow, wordHex } from '../../code/abstract/facts.ts'
import { WORD } from '../../code/abstract/opcodes.ts'
import { MAX_VALUES } from '../calls/triggers.ts'
import { storedAddress } from '../probe.ts'

/** Members of one row that are looked at, and rows of one contract. Of more nobody knows who is in them. */
const [MAX_MEMBERS, MAX_ROWS] = [16, 16]

const hashOf = (...words: string[]): bigint =>
  BigInt(keccakHex(Buffer.from(words.map((word) => word.slice(2)).join(''), 'hex')))

/** How many members a row has, of a list of storage as many as its own slot states; 0 where that is not known. */
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

/** Where member `i` stands. */
const placeOf = ({ kind, base, from, times }: SlotRow, i: number): bigint => {
  const at = (from + BigInt(i) * times) & WORD
  if (kind === 'words') return at
  return kind === 'map' ? hashOf(wordHex(at), base) : (hashOf(base) + at) & WORD
}

/** Which member of a row of words stands in a slot; `undefined` for none, also beyond as many as are looked at. */
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

/** `named`: which of the places hold an account. `whole`: whether these are all. `numbers`: of those that do. */
type Members = { refs: SlotRef[]; named: boolean[]; whole: boolean; numbers: bigint[] }

const membersOf = async (chain: ChainReader, token: string, row: SlotRow): Promise<Members> => {
  const length = await lengthOf(chain, token, row)
  const whole = row.kind === 'list' ? row.times !== 0n && length <= MAX_MEMBERS : length > 0 && length <= MAX_MEMBERS
  // What is counted on between the check and the use goes one further.
  const known = row.kind === 'list' ? length : length === 0 ? MAX_MEMBERS : length + 1
  const count = row.times === 0n ? 0 : Math.min(known, MAX_MEMBERS + 1)
  const slots = Array.from({ length: count }, (_, i) => wordHex(placeOf(row, i)))
  const words = await Promise.all(slots.map((slot) => chain.slot(token, slot)))
  const named = words.map((held) => storedAddress(held, row.shift) !== undefined)
  return {
    refs: slots.map((slot, i) => ({
      ...{ slot, shift: row.shift, kind: 'address' as const, row },
      ...(i === length && row.kind !== 'list' ? { pastEnd: true } : {}),
    })),
    named,
    whole,
    numbers: named.flatMap((is, i) => (is ? [BigInt(i)] : [])),
  }
}

const UNLOOKED: Members = { refs: [], named: [], whole: false, numbers: [] }
const nameOf = ({ kind, base, from, times, shift, maxLength }: SlotRow): string =>
  [kind, base, from, times, shift, maxLength].join()

const withOwn = (facts: FunctionFacts, known: ReadonlyMap<string, Members>): FunctionFacts => {
  if (facts.callerRows.length === 0) return facts
  const callerSlots = new Map(facts.callerSlots.map((ref) => [`${ref.slot}:${ref.shift}`, ref]))
  const exact = facts.exactValues.map((list) => [...list])
  const callerRows: SlotRow[] = []
  for (const row of facts.callerRows) {
    const { refs, named, whole, numbers } = known.get(nameOf(row)) ?? UNLOOKED
    // Of more than are asked for by their number not all are tried.
    const isTried = row.argument === undefined || numbers.length <= MAX_VALUES
    const { maxLength: _most, ...rest } = row
    callerRows.push(whole && isTried ? { ...rest, maxLength: refs.length } : rest)
    if (row.argument !== undefined) exact[row.argument]?.unshift(...numbers)
    for (const [i, ref] of refs.entries()) {
      const place = `${ref.slot}:${ref.shift}`
      if (callerSlots.has(place) ? !ref.pastEnd : named[i]) callerSlots.set(place, ref)
    }
  }
  return { ...facts, exactValues: exact, callerRows, callerSlots: [...callerSlots.values()] }
}

/** Functions with the accounts of their rows among the slots that they compare with the caller. */
export const withMembers = async (
  chain: ChainReader,
  token: string,
  functions: readonly FunctionFacts[],
): Promise<FunctionFacts[]> => {
  const rows = new Map(functions.flatMap(({ callerRows }) => callerRows.map((row) => [nameOf(row), row])))
  const known = await Promise.all(
    [...rows].slice(0, MAX_ROWS).map(async ([name, row]) => [name, await membersOf(chain, token, row)] as const),
  )
  const members = new Map(known)
  return functions.map((facts) => withOwn(facts, members))
}
