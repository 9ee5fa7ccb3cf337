/** Facts about a contract's functions, collected from their code within bounds. The search for powers works from them. */
import type { ArgumentExpression } from './expressions.ts'
import { MASK160 } from './opcodes.ts'
import type { Counter, Hash, Value } from './values.ts'

/** Kind of an argument, inferred from what the code does with it. */
export type ArgumentKind = 'uint' | 'address' | 'bool' | 'array'
/**
 * Bits of a storage slot, from `shift` on. `kind`: how the code masks them. `row`: the row that the slot is a member of.
 * `pastEnd`: it is the slot right after the last member.
 */
export type SlotRef = { slot: string; shift: number; kind: 'address' | 'bool' | 'word'; row?: SlotRow; pastEnd?: true }

/**
 * A row of places in storage that a loop walks through, or of which an argument selects one: consecutive slots (`words`),
 * mapping entries under counted keys (`map`), or a storage array (`list`). Members start at `from` and are `times` apart.
 * `maxLength`: upper bound of the number of members, if known. `argument`: index of the argument that selects.
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

/**
 * A mapping entry of the caller. `base`: base of the mapping, as in `maps`. `mapping`: its slot, or that of the inner mapping
 * under a constant key; `undefined` if it is not known, or a hash is the key. `plus`: word of the entry.
 * `baseFirst`: the base is hashed before the key.
 */
export type CallerEntry = { base: string; mapping: string | undefined; plus: bigint; baseFirst: boolean }

/** Whether a row may have more members than are known. */
export const hasUnknownLength = ({ maxLength }: SlotRow): boolean => maxLength === undefined

/**
 * Facts about one function. Lists are bounded: an item that is missing from a list may still be in the code.
 *
 * A place in storage is written as text: a slot as a 32-byte word, `map:` and the base of a mapping, `transient:` and a slot
 * of transient storage. `other` stands for a place, or a base, that is not known.
 */
export type FunctionFacts = {
  /** 0x-hex of four bytes; `fallback` for the code that runs when no selector matches. */
  selector: string
  args: ArgumentKind[]
  /** By argument: constants that the code compares it with, such as bounds and magic values. */
  hints: bigint[][]
  /** By argument: values for which it, or an expression of it, equals a constant in the code. */
  exactValues: bigint[][]
  /** Arguments that are compared with a whole slot for equality. */
  exactSlots: { i: number; slot: string }[]
  /** Constants that `msg.value`, the size of the calldata, or the first word of the calldata are compared with for equality. */
  envelope: Record<'value' | 'size' | 'head', bigint[]>
  /** Arguments that are the base of a mapping. */
  baseArgs: number[]
  /** Expressions of arguments that are the slot of a storage write. */
  slotExpressions: ArgumentExpression[]
  /** Arguments that are added, subtracted or ordered. */
  numericArgs: Set<number>
  /** SSTORE or TSTORE. */
  writes: boolean
  /** CALL or CALLCODE. */
  calls: boolean
  /** STATICCALL, precompiled contracts excluded. */
  staticCalls: boolean
  /** Whether it reads the native balance or the code of an account from a slot or a constant. */
  readsAccounts: boolean
  /** Whether it reads the contract's own native balance. */
  readsOwnBalance: boolean
  /** DELEGATECALL or CALLCODE. */
  delegates: boolean
  /** Slots that hold an address it delegates to. */
  delegateSlots: SlotRef[]
  /** Addresses in the code that it delegates to. */
  delegateConstants: string[]
  /** Whether it delegates to an address that another contract returns to a call without arguments. */
  delegatesToReturned: boolean
  /** Whether it delegates to an address of unknown origin, such as one from a table of functions. */
  delegatesToUnknown: boolean
  destroys: boolean
  creates: boolean
  /** TIMESTAMP or NUMBER. */
  readsTime: boolean
  /** Whether it reads anything that differs between blocks or with the gas price, time included. */
  readsBlock: boolean
  /** Whether it reverts if native coins are sent. */
  nonPayable: boolean
  /** Slots compared with the caller. */
  callerSlots: SlotRef[]
  /** Slots compared with an argument: in a transfer, the other side of the trade. */
  peerSlots: SlotRef[]
  /** Constants compared with the caller, as addresses. */
  callerConstants: string[]
  /** Rows whose members are compared with the caller. */
  callerRows: SlotRow[]
  /** Whether the caller is compared with a word of unknown origin. */
  byUnknown: boolean
  /** Whether it reads CALLER or ORIGIN for any purpose. */
  readsCaller: boolean
  /** Whether some paths were not followed with every state that reaches them. */
  unexplored: boolean
  /** Rows of words that are read. */
  rows: SlotRow[]
  /** Mapping bases looked up by the caller in a condition: roles, permission lists. */
  callerMaps: string[]
  /** Mapping entries of the caller that are read, for any purpose. */
  callerEntries: CallerEntry[]
  /** Whether a slot, a constant or a mapping is checked against ORIGIN. */
  byOrigin: boolean
  /** Whether the caller is compared with the contract itself. */
  bySelf: boolean
  /** Whether a recovered signer is compared with a slot or a constant. */
  bySignature: boolean
  /** Whether it recovers a signer (precompiled contract 1). */
  recovers: boolean
  /** Mapping bases looked up by a recovered signer. */
  signerMaps: string[]
  /** Whether a check depends on a hash, or on arithmetic with the caller's address: the code does not show who passes it. */
  byDigest: boolean
  /** Slots of transient storage that are read: they depend on earlier calls of the same transaction. */
  transient: string[]
  /** Arguments that are keys of mappings. */
  keyArgs: Set<number>
  /** Arguments that are compared with the caller. */
  callerArgs: Set<number>
  /** Constants that entries of mappings are compared with. */
  entryConstants: bigint[]
  /** Constants longer than an address. */
  wordConstants: bigint[]
  /** Bases of nested mappings whose outer key is a slot or a constant: what a fixed account approved. */
  fixedAccountMaps: string[]
  /** Slots that hold the address of a called contract. */
  calledSlots: SlotRef[]
  /** Addresses of called contracts in the code. */
  calledConstants: string[]
  /** Slots read. */
  reads: SlotRef[]
  /** Bases of mappings and storage arrays read. */
  maps: string[]
  /** Places written. */
  stores: string[]
  /**
   * Mapping entries written for others than the caller: base of the mapping, and the address, or the slot that holds it, if one
   * names the account. `by`: what else names it, an argument or the contract's own address.
   */
  writtenEntries: { base: string; account: string | SlotRef | undefined; by?: 'argument' | 'self' }[]
}

/** Facts while they are collected. `noted` and `slots` index the entries of the lists. */
export type Facts = FunctionFacts & {
  index: number
  /** By id of a counter: upper bound of its number of rounds. */
  bounds: Map<number, number>
  /** The counter that a row depends on. */
  counters: Map<SlotRow, number>
  steps: number
  shared: SharedFacts
  noted: Set<string>
  slots: Record<SlotList, Map<string, SlotRef>>
}
/** State shared by all functions of one code. `incomplete`: something was left out or could not be followed. `hashes`: cache. */
export type SharedFacts = { notes: number; incomplete: boolean; hashes?: Map<string, bigint> }
/** List entries of one code. */
export const MAX_NOTES = 16_384
/** Entries of one list of one function. */
const MAX_LISTED = 128
/** Numbers of one kind noted about one function. */
const MAX_NUMBERS = 6

/** A function without any facts. */
export const emptyFacts = (selector: string, index: number, shared: SharedFacts): Facts => ({
  index,
  bounds: new Map(),
  counters: new Map(),
  steps: 0,
  shared: shared,
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
  callerEntries: [],
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
  writtenEntries: [],
})

/** A 32-byte word as 0x-hex. */
export const wordHex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
/** The address in the low 20 bytes of a word, as 0x-hex. */
export const addressOf = (value: bigint) => `0x${(value & MASK160).toString(16).padStart(40, '0')}`

/** Counts one more entry of a list. Returns false, and sets `incomplete`, if a bound is reached. */
const mayNote = ({ shared }: Facts, list: readonly unknown[]): boolean => {
  const room = list.length < MAX_LISTED && shared.notes < MAX_NOTES
  if (room) shared.notes++
  else shared.incomplete = true
  return room
}

/** Notes argument `i` and its kind. */
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

/** Notes a number once. Only the first few are kept, as hints. */
export const noteNumber = (facts: FunctionFacts, name: 'entryConstants' | 'wordConstants', value: bigint) => {
  const list = facts[name]
  if (list.length < MAX_NUMBERS && !list.includes(value)) list.push(value)
}

/** Notes a value that argument `i` is compared with for equality. 0, 1 and the address mask are too common to matter. */
export const noteExact = (facts: FunctionFacts, i: number, value: bigint | undefined) => {
  if (value === undefined || value <= 1n || value === MASK160) return
  noteArgument(facts, i)
  const list = facts.exactValues[i]
  if (list && list.length < MAX_NUMBERS && !list.includes(value)) list.push(value)
}

/** Notes a constant that `msg.value`, the calldata size or the first word is compared with. */
export const noteEnvelope = ({ envelope }: FunctionFacts, part: keyof FunctionFacts['envelope'], value: bigint) => {
  const list = envelope[part]
  if (value > 1n && list.length < MAX_NUMBERS && !list.includes(value)) list.push(value)
}

/** Notes a slot that argument `i` is compared with. */
export const noteExactSlot = ({ exactSlots }: FunctionFacts, i: number, slot: string) => {
  const known = exactSlots.some((one) => one.i === i && one.slot === slot)
  if (!known && exactSlots.length < MAX_NUMBERS) exactSlots.push({ i, slot })
}

/** Notes an expression that is the slot of a storage write. */
export const noteSlotExpression = ({ slotExpressions }: FunctionFacts, { i, op, by }: ArgumentExpression) => {
  const known = slotExpressions.some((one) => one.i === i && one.op === op && one.by === by)
  if (!known && slotExpressions.length < MAX_NUMBERS) slotExpressions.push({ i, op, by })
}

/** Written mapping entries noted of one function. */
export const MAX_WRITTEN_ENTRIES = 12

/** Notes a written mapping entry: the account it is written for, if a constant or a slot names it. `isCaller`: it is the caller. */
export const noteWrittenEntry = ({ writtenEntries }: FunctionFacts, base: string, key: Value, isCaller: boolean) => {
  if (isCaller || writtenEntries.length >= MAX_WRITTEN_ENTRIES) return
  const account =
    key.t === 'slot'
      ? ({ slot: key.slot, shift: key.shift, kind: 'address' } as const)
      : key.t === 'const' && key.v > 0xffffn && key.v <= MASK160
        ? addressOf(key.v)
        : undefined
  const text = (one: string | SlotRef | undefined) => (typeof one === 'object' ? `${one.slot}:${one.shift}` : one)
  const by = key.t === 'data' ? 'argument' : key.t === 'self' ? 'self' : undefined
  const isNoted = writtenEntries.some(
    (one) => one.base === base && text(one.account) === text(account) && one.by === by,
  )
  if (!isNoted) writtenEntries.push({ base, account, ...(by && { by }) })
}

/** Entries of the caller noted of one function. */
const MAX_CALLER_ENTRIES = 4

/** Notes a mapping entry that is read, if the caller or a hash is its key and no argument names the mapping. */
export const noteCallerEntry = ({ callerEntries }: FunctionFacts, hash: Hash, isCaller: boolean) => {
  const { base, key, list, mapping, fixedAccount, plus = 0n, inexact = false } = hash
  if (list || !(isCaller ? mapping !== undefined || fixedAccount : key.t === 'digest')) return
  const slot = isCaller && mapping !== undefined ? wordHex(mapping) : undefined
  const isNoted = callerEntries.some((one) => one.base === base && one.mapping === slot && one.plus === plus)
  if (!isNoted && callerEntries.length < MAX_CALLER_ENTRIES)
    callerEntries.push({ base, mapping: slot, plus, baseFirst: inexact })
}

/** Notes a slot once; a more specific `kind` replaces `word`. */
export const noteSlot = (
  facts: Facts,
  name: SlotList,
  { slot, shift }: { slot: string; shift: number },
  kind: SlotRef['kind'],
) => {
  const list = facts[name]
  const noted = facts.slots[name]
  // Most slots are whole words; using their text as key avoids a concatenation.
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

/** Rows of one list of one function. */
const MAX_ROWS = 8
/** Notes a row once. `counter`: id of the counter of its members. Returns false if there are too many rows. */
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

/** Counters with more rounds than this do not walk through a row. */
const MAX_ROUNDS = 1n << 16n
/** Notes how many rounds a counter stays below `limit` (`under`), or up to and including `limit`. */
export const noteBound = ({ bounds }: Facts, { id, plus, times }: Counter, limit: bigint, under: boolean) => {
  const way = BigInt.asIntN(256, times)
  const far = BigInt.asIntN(256, limit - plus)
  if (way === 0n || far / way < 0n || far / way > MAX_ROUNDS) return
  const whole = far / way
  const count = Number(under ? whole + (far % way === 0n ? 0n : 1n) : whole + 1n)
  bounds.set(id, Math.max(count, bounds.get(id) ?? 0))
}

/** Adds a text to a list once. */
export const addUnique = (facts: Facts, name: Texts, item: string) => {
  const key = `${name}${item}`
  if (facts.noted.has(key) || !mayNote(facts, facts[name])) return
  facts.noted.add(key)
  facts[name].push(item)
}
