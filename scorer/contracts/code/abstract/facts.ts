/** Facts about functions: what a prober needs to know of each, collected within bounds. */

import type { ArgumentExpression } from './expressions.ts'
import { MASK160 } from './opcodes.ts'
import type { Counter } from './values.ts'

/** What an argument looks like by what the code does with it; nothing is taken from names. */
export type ArgumentKind = 'uint' | 'address' | 'bool' | 'array'
/** A part of a storage slot: bits from `shift` on. `kind` is how the code masks them. `row`: which row it was found in, and whether it stands right behind the last member. */
export type SlotRef = { slot: string; shift: number; kind: 'address' | 'bool' | 'word'; row?: SlotRow; pastEnd?: true }

/**
 * Places in storage that a loop goes through, or of which an argument chooses one: words in a row, entries of a mapping under counted keys, or
 * a list of storage. `from` and each `times` further on; `most` of them, where that is known. `argument`: which one chooses.
 */
export type SlotRow = {
  kind: 'words' | 'map' | 'list'
  base: string
  from: bigint
  times: bigint
  shift: number
  maxLength?: number
  argument?: number
}

/** Whether there may be more in a row than is known of. */
export const hasUnknownLength = ({ maxLength }: SlotRow): boolean => maxLength === undefined

/**
 * What is known of one function. Lists are bounded, so that what is missing from one need not be missing from the code.
 */
export type FunctionFacts = {
  /** 0x-hex of four bytes; `fallback` for what runs when no selector matches. */
  selector: string
  args: ArgumentKind[]
  /** Constants the code compares with argument i: bounds and magic values. */
  hints: bigint[][]
  /** Values for which argument i, or what is computed from it, equals a constant. */
  exactValues: bigint[][]
  /** Arguments that are compared with a whole slot for equality. */
  exactSlots: { i: number; slot: string }[]
  /** Constants that the coins sent, the size of the call's data, or its first word are recognised by. */
  envelope: Record<'value' | 'size' | 'head', bigint[]>
  /** Arguments that are the base of a mapping. */
  baseArgs: number[]
  /** Arguments that make up a place in storage that is written. */
  slotExpressions: ArgumentExpression[]
  /** Arguments that are added, subtracted or ordered. */
  numericArgs: Set<number>
  writes: boolean
  calls: boolean
  /** Static calls. */
  staticCalls: boolean
  /** Whether it looks at the coins or the code of an account that a slot or a constant names. */
  readsAccounts: boolean
  /** Whether it looks at the coins that the contract itself has. */
  readsOwnBalance: boolean
  delegates: boolean
  /** Slots that hold the address code is taken from. */
  delegateSlots: SlotRef[]
  /** Addresses in the code that code is taken from. */
  delegateConstants: string[]
  /** Whether another contract names code that is borrowed, whatever it is called with. */
  delegatesToReturned: boolean
  /** Whether code is borrowed from an address that is found in a way that is not followed, such as a table of functions. */
  delegatesToUnknown: boolean
  destroys: boolean
  creates: boolean
  readsTime: boolean
  /** Whether it asks for anything that differs from block to block or with what is paid for gas, time included. */
  readsBlock: boolean
  /** Checks that no value is sent. */
  nonPayable: boolean
  /** Slots compared with the caller. */
  callerSlots: SlotRef[]
  /** Slots compared with an argument: in a transfer, the other side of the trade. */
  peerSlots: SlotRef[]
  /** Constants compared with the caller, as addresses. */
  callerConstants: string[]
  /** Rows of which each member is compared with the caller. */
  callerRows: SlotRow[]
  /** Whether the caller is compared with a word of which it is not known where it comes from. */
  byUnknown: boolean
  /** Whether it asks who calls, or who began the transaction, for whatever. */
  readsCaller: boolean
  /** Whether some of its ways were not walked with all that meets there. */
  unexplored: boolean
  /** Rows of words that are read. */
  rows: SlotRow[]
  /** Mapping bases looked up by the caller in a condition: roles, permission lists. */
  callerMaps: string[]
  /** Whether some of these are compared with who began the transaction instead. */
  byOrigin: boolean
  /** Whether the caller is compared with the contract itself. */
  bySelf: boolean
  /** Whether somebody who is known to the code is recognised by a signature, whoever calls. */
  bySignature: boolean
  /** Whether it finds out who signed, and bases of mappings it looks up by who did. */
  recovers: boolean
  signerMaps: string[]
  /** Whether the caller or an argument is recognised by a hash, or by a number made of the caller's address. */
  byDigest: boolean
  /** Words of transient storage that are read: what was called before in the same transaction. */
  transient: string[]
  /** Arguments that are keys of mappings. */
  keyArgs: Set<number>
  /** Arguments that have to be the caller. */
  callerArgs: Set<number>
  /** Constants that entries of mappings are compared with, and words longer than an address. */
  entryConstants: bigint[]
  wordConstants: bigint[]
  /** Bases of mappings of mappings read for an account that the code names: what somebody else approved. */
  fixedAccountMaps: string[]
  /** Slots that hold the address of a contract that is called or asked, and such addresses in the code. */
  calledSlots: SlotRef[]
  calledConstants: string[]
  reads: SlotRef[]
  /** Bases of mappings read. */
  maps: string[]
  stores: string[]
}

/** Facts while they are collected. `noted` and `slots`: what stands in the lists, to be found without a search. */
export type Facts = FunctionFacts & {
  index: number
  /** How often numbers are counted at most, by their id, and which of them the rows that were noted depend on. */
  bounds: Map<number, number>
  counters: Map<SlotRow, number>
  steps: number
  shared: SharedFacts
  noted: Set<string>
  slots: Record<SlotList, Map<string, SlotRef>>
}
/** What all functions of the code share; `full` when something was left out or could not be followed; `hashes` that were computed. */
export type SharedFacts = { notes: number; incomplete: boolean; hashes?: Map<string, bigint> }
/** Notes about one code, and slots, mappings and addresses of one kind for one function. */
export const MAX_NOTES = 16_384
const MAX_NOTED = 128
/** Numbers of one kind noted about one function. */
const MAX_NUMBERS = 6

/** A function nothing is known of. */
export const emptyFacts = (selector: string, index: number, book: SharedFacts): Facts => ({
  index,
  bounds: new Map(),
  counters: new Map(),
  steps: 0,
  shared: book,
  noted: new Set(),
  slots: {
    callerSlots: new Map(),
    peerSlots: new Map(),
    reads: new Map(),
    delegateSlots: new Map(),
    calledSlots: new Map(),
  },
  selector,
  args: [],
  hints: [],
  exactValues: [],
  exactSlots: [],
  envelope: { value: [], size: [], head: [] },
  baseArgs: [],
  slotExpressions: [],
  numericArgs: new Set(),
  writes: false,
  calls: false,
  staticCalls: false,
  readsAccounts: false,
  readsOwnBalance: false,
  delegates: false,
  delegateSlots: [],
  delegateConstants: [],
  delegatesToReturned: false,
  delegatesToUnknown: false,
  destroys: false,
  creates: false,
  readsTime: false,
  readsBlock: false,
  nonPayable: false,
  callerSlots: [],
  peerSlots: [],
  callerConstants: [],
  callerRows: [],
  byUnknown: false,
  readsCaller: false,
  unexplored: false,
  rows: [],
  callerMaps: [],
  byOrigin: false,
  bySelf: false,
  bySignature: false,
  recovers: false,
  signerMaps: [],
  byDigest: false,
  transient: [],
  keyArgs: new Set(),
  callerArgs: new Set(),
  entryConstants: [],
  wordConstants: [],
  fixedAccountMaps: [],
  calledSlots: [],
  calledConstants: [],
  reads: [],
  maps: [],
  stores: [],
})

/** A 32-byte word. */
export const wordHex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
/** The address in a word. */
export const addressOf = (value: bigint) => `0x${(value & MASK160).toString(16).padStart(40, '0')}`

/** Whether one more entry may be noted in a list. */
const mayNote = ({ shared }: Facts, list: readonly unknown[]): boolean => {
  const room = list.length < MAX_NOTED && shared.notes < MAX_NOTES
  if (room) shared.notes++
  else shared.incomplete = true
  return room
}

/** Notes that argument `i` is there, and what it looks like. */
export const noteArgument = (facts: FunctionFacts, i: number, kind?: ArgumentKind) => {
  if (i > 11) return
  while (facts.args.length <= i) facts.args.push('uint')
  while (facts.hints.length <= i) facts.hints.push([])
  while (facts.exactValues.length <= i) facts.exactValues.push([])
  if (kind && facts.args[i] === 'uint') facts.args[i] = kind
}

type Texts =
  | 'callerConstants'
  | 'callerMaps'
  | 'maps'
  | 'fixedAccountMaps'
  | 'stores'
  | 'delegateConstants'
  | 'calledConstants'
  | 'transient'
  | 'signerMaps'
type SlotList = 'callerSlots' | 'peerSlots' | 'reads' | 'delegateSlots' | 'calledSlots'

/** Notes a number once. They are hints only: those beyond the first few are left out. */
export const noteNumber = (facts: FunctionFacts, name: 'entryConstants' | 'wordConstants', value: bigint) => {
  const list = facts[name]
  if (list.length < MAX_NUMBERS && !list.includes(value)) list.push(value)
}

/** Notes for which value argument `i` is recognised. Few of them are more than nothing or one. */
export const noteExact = (facts: FunctionFacts, i: number, value: bigint | undefined) => {
  if (value === undefined || value <= 1n || value === MASK160) return
  noteArgument(facts, i)
  const list = facts.exactValues[i]
  if (list && list.length < MAX_NUMBERS && !list.includes(value)) list.push(value)
}

/** Notes what coins or data beside the arguments are recognised by. */
export const noteEnvelope = ({ envelope }: FunctionFacts, part: keyof FunctionFacts['envelope'], value: bigint) => {
  const list = envelope[part]
  if (value > 1n && list.length < MAX_NUMBERS && !list.includes(value)) list.push(value)
}

/** Notes a slot that argument `i` is compared with. */
export const noteExactSlot = ({ exactSlots }: FunctionFacts, i: number, slot: string) => {
  const known = exactSlots.some((one) => one.i === i && one.slot === slot)
  if (!known && exactSlots.length < MAX_NUMBERS) exactSlots.push({ i, slot })
}

/** Notes an argument that makes up a place that is written. */
export const noteSlotExpression = ({ slotExpressions }: FunctionFacts, { i, op, by }: ArgumentExpression) => {
  const known = slotExpressions.some((one) => one.i === i && one.op === op && one.by === by)
  if (!known && slotExpressions.length < MAX_NUMBERS) slotExpressions.push({ i, op, by })
}

/** Notes a slot once. */
export const noteSlot = (
  facts: Facts,
  name: SlotList,
  { slot, shift }: { slot: string; shift: number },
  kind: SlotRef['kind'],
) => {
  const list = facts[name]
  const noted = facts.slots[name]
  // Most are whole words, whose text is found without making another.
  const key = shift === 0 ? slot : `${shift}:${slot}`
  const known = noted.get(key)
  if (known) {
    if (kind !== 'word') known.kind = kind
  } else if (mayNote(facts, list)) {
    const ref = { slot, shift, kind }
    noted.set(key, ref)
    list.push(ref)
  }
}

/** Rows of one kind noted about one function. */
const MAX_ROWS = 8
/** Notes a row once. `counter`: what counts its members. False where there are too many. */
export const noteRow = (facts: Facts, name: 'rows' | 'callerRows', row: SlotRow, counter?: number): boolean => {
  const list = facts[name]
  const known = list.some(
    (one) =>
      one.kind === row.kind &&
      one.base === row.base &&
      one.from === row.from &&
      one.times === row.times &&
      one.shift === row.shift &&
      one.argument === row.argument &&
      facts.counters.get(one) === counter,
  )
  if (known) return true
  if (list.length >= MAX_ROWS) return false
  list.push(row)
  if (counter !== undefined) facts.counters.set(row, counter)
  return true
}

/** Numbers that are compared with more than this are no places in a row. */
const MAX_COUNTED = 1n << 16n
/** Notes how often a number may be counted before it is no longer below (`under`), or no longer anything but, another. */
export const noteBound = ({ bounds }: Facts, { id, plus, times }: Counter, limit: bigint, under: boolean) => {
  const way = BigInt.asIntN(256, times)
  const far = BigInt.asIntN(256, limit - plus)
  if (way === 0n || far / way < 0n || far / way > MAX_COUNTED) return
  const whole = far / way
  const count = Number(under ? whole + (far % way === 0n ? 0n : 1n) : whole + 1n)
  bounds.set(id, Math.max(count, bounds.get(id) ?? 0))
}

/** Notes a text once. */
export const addUnique = (facts: Facts, name: Texts, item: string) => {
  const key = `${name}${item}`
  if (facts.noted.has(key) || !mayNote(facts, facts[name])) return
  facts.noted.add(key)
  facts[name].push(item)
}
