/** Effect of single instructions on symbolic values, and the facts they show about the function. */
import type { Instruction } from '../bytecode.ts'
import { expressionOf, isCallerOrOrigin, noteMember } from './compare.ts'
import { MAX_ENTRY_BYTES } from './dispatch.ts'
import {
  addressOf,
  addUnique,
  type Facts,
  type FunctionFacts,
  noteArgument,
  noteSlot,
  noteSlotExpression,
  wordHex,
} from './facts.ts'
import { hashOf } from './hashes.ts'
import { WORD } from './opcodes.ts'
import { binary, unary } from './operations.ts'
import type { Stack } from './stack.ts'
import {
  CALLER,
  DIGEST,
  invalidate,
  loadWord,
  type Memory,
  memoryOffset,
  ORIGIN,
  SELF,
  storeWord,
  UNKNOWN,
  type Value,
} from './values.ts'

/** A path of the walk. `facts` belong to the function and are shared by its paths. */
export type Path = {
  pc: number
  stack: Stack<Value>
  memory: Memory
  facts: Facts
  /** Number of the basic block. */
  block: number
}

const loadData = (facts: Facts, offset: Value): Value => {
  if (offset.t === 'pointer') {
    noteArgument(facts, offset.i, 'array')
    return UNKNOWN
  }
  if (offset.t !== 'const') return { t: 'element' }
  if (offset.v === 0n) return { t: 'data', i: -1 }
  const i = Number(offset.v - 4n) / 32
  if (!Number.isInteger(i) || i < 0 || i > 11) return UNKNOWN
  noteArgument(facts, i)
  return { t: 'data', i }
}

const loadSlot = (facts: Facts, key: Value): Value => {
  if (key.t === 'const') {
    const value = { t: 'slot', slot: wordHex(key.v), shift: 0 } as const
    noteSlot(facts, 'reads', value, 'word')
    return value
  }
  if (key.t === 'counter' || key.t === 'pointer' || (key.t === 'data' && key.i >= 0)) {
    const at = key.t === 'data' ? ({ t: 'pointer', i: key.i, plus: 0n } as const) : key
    const member = { t: 'member', at, shift: 0 } as const
    noteMember(facts, 'rows', member)
    return member
  }
  if (key.t !== 'hash') return UNKNOWN
  addUnique(facts, 'maps', key.base)
  if (key.fixedAccount) addUnique(facts, 'fixedAccountMaps', key.base)
  if (key.key.t === 'origin') facts.byOrigin = true
  if (key.key.t === 'signer') addUnique(facts, 'signerMaps', key.base)
  const byCaller = isCallerOrOrigin(key.key)
  return { t: 'entry', base: key.base, byCaller, of: key, shift: 0 }
}

/** GASPRICE, BLOCKHASH, COINBASE, TIMESTAMP, NUMBER, PREVRANDAO, GASLIMIT, BASEFEE, BLOBHASH, BLOBBASEFEE. */
const READS_BLOCK: ReadonlySet<number> = new Set([0x3a, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x48, 0x49, 0x4a])

/** Precompiled contracts 1 to 17 (Yellow Paper, appendix E, and later forks). */
const isPrecompiled = (target: Value): boolean => target.t === 'const' && target.v > 0n && target.v <= 0x11n

/** Text for a slot of transient storage. */
const transientPlace = (slot: Value): string => `transient:${slot.t === 'const' ? wordHex(slot.v) : 'other'}`

/** Notes the place of a storage write, and the argument expression if the caller chooses it. */
const noteStore = (facts: Facts, place: Value) => {
  addUnique(
    facts,
    'stores',
    place.t === 'const' ? wordHex(place.v) : place.t === 'hash' ? `map:${place.base}` : 'other',
  )
  const part = expressionOf(place)
  if (part) noteSlotExpression(facts, part)
  // An argument as index of a storage array.
  if (place.t === 'hash' && place.itemArg !== undefined && place.base !== 'other')
    noteSlotExpression(facts, { i: place.itemArg, op: 'item', by: BigInt(place.base) })
}

const noteEffect = (facts: FunctionFacts, op: number) => {
  if (op === 0x55 || op === 0x5d) facts.writes = true
  if (op === 0xf1 || op === 0xf2) facts.calls = true
  if (op === 0xf4 || op === 0xf2) facts.delegates = true
  if (op === 0xf0 || op === 0xf5) facts.creates = true
  if (op === 0x42 || op === 0x43) facts.readsTime = true
  if (READS_BLOCK.has(op)) facts.readsBlock = true
}

/** Notes where the target of a DELEGATECALL or CALLCODE comes from. */
const noteDelegate = (facts: Facts, target: Value) => {
  if (target.t === 'slot') noteSlot(facts, 'delegateSlots', target, 'address')
  else if (target.t === 'const' && target.v > 0xffffn) addUnique(facts, 'delegateConstants', addressOf(target.v))
  else if (target.t === 'answer') facts.delegatesToReturned = true
  else if (target.t !== 'const') facts.delegatesToUnknown = true
}

/** Whether the calldata of a call is empty or a constant selector, so that the answer does not depend on the calling function. */
const isArgumentless = (memory: Memory, offset: Value | undefined, length: Value | undefined): boolean => {
  const [at, size] = [memoryOffset(offset), memoryOffset(length)]
  const start = at % 32
  return size === 0 || (at >= 0 && size > 0 && start + size <= 32 && loadWord(memory, at - start).t === 'const')
}

/** Notes the target of a CALL or STATICCALL. */
const noteCalled = (facts: Facts, target: Value) => {
  if (target.t === 'slot') noteSlot(facts, 'calledSlots', target, 'address')
  if (target.t === 'const' && target.v > 0xffffn) addUnique(facts, 'calledConstants', addressOf(target.v))
}

/** Instructions that write to memory, with the positions of offset and length among their operands. */
const WRITES_MEMORY: Readonly<Record<number, readonly [number, number]>> = {
  55: [0, 2],
  57: [0, 2],
  60: [1, 3],
  62: [0, 2],
  94: [0, 2],
  241: [5, 6],
  242: [5, 6],
  244: [4, 5],
  250: [4, 5],
}

/** CODECOPY of at most one word into memory. */
const copyCode = (state: Path, code: Uint8Array, to: Value, from: Value, length: Value): void => {
  const [at, size] = [memoryOffset(to), memoryOffset(length)]
  if (at < 0 || size <= 0 || size > 32 || at + size < 32) return
  const word = at + size - 32
  if (from.t === 'row') {
    state.memory = storeWord(state.memory, word, { t: 'cell', base: from.base, count: from.count, width: size })
  } else if (size <= MAX_ENTRY_BYTES && memoryOffset(from) < 0) {
    state.memory = storeWord(state.memory, word, { t: 'fetched' })
  } else if (size === 32 && memoryOffset(from) >= 0) {
    const bytes = Buffer.from(code.subarray(memoryOffset(from), memoryOffset(from) + 32)).toString('hex')
    state.memory = storeWord(state.memory, word, { t: 'const', v: BigInt(`0x${bytes.padEnd(64, '0')}`) })
  }
}

/** Runs an instruction on its operands `taken`, the top of the stack first, and returns its result. */
export const step = (state: Path, { op, next }: Instruction, taken: readonly Value[], code: Uint8Array): Value => {
  const { facts } = state
  const a = taken[0] ?? UNKNOWN
  const b = taken[1] ?? UNKNOWN
  noteEffect(facts, op)
  const written = WRITES_MEMORY[op]
  if (written) {
    const answers = op === 0xfa && !isPrecompiled(b) && isArgumentless(state.memory, taken[2], taken[3])
    state.memory = invalidate(state.memory, memoryOffset(taken[written[0]]), memoryOffset(taken[written[1]]))
    if (op === 0x39) copyCode(state, code, a, b, taken[2] ?? UNKNOWN)
    if (op === 0xf2 || op === 0xf4) noteDelegate(facts, b)
    if (op === 0xf1 || op === 0xfa) noteCalled(facts, b)
    if (op === 0xfa && !isPrecompiled(b)) facts.staticCalls = true
    if (answers && memoryOffset(taken[5]) >= 32)
      state.memory = storeWord(state.memory, memoryOffset(taken[4]), { t: 'answer' })
    // Precompiled contract 1 recovers a signer.
    if (op === 0xfa && b.t === 'const' && b.v === 1n) {
      facts.recovers = true
      state.memory = storeWord(state.memory, memoryOffset(taken[4]), { t: 'signer' })
    }
    return UNKNOWN
  }
  if (op === 0x15) return unary(facts, a)
  if (op === 0x19) return a.t === 'const' ? { t: 'const', v: ~a.v & WORD } : isCallerOrOrigin(a) ? DIGEST : UNKNOWN
  if (op === 0x32 || op === 0x33) facts.readsCaller = true
  if (op === 0x30) return SELF
  if (op === 0x32) return ORIGIN
  if (op === 0x33) return CALLER
  if (op === 0x34) return { t: 'callvalue' }
  if (op === 0x35) return loadData(facts, a)
  if (op === 0x54) return loadSlot(facts, a)
  if (op === 0x58) return { t: 'const', v: BigInt(next - 1) }
  if (op === 0x36) return { t: 'size' }
  // BALANCE, EXTCODESIZE, EXTCODEHASH.
  if (op === 0x31 || op === 0x3b || op === 0x3f)
    facts.readsAccounts ||= a.t === 'slot' || (a.t === 'const' && a.v > 0xffffn)
  // SELFBALANCE.
  if (op === 0x47 || (op === 0x31 && a.t === 'self')) facts.readsOwnBalance = true
  // The caller chooses its own balance and gas price: comparing them works like a password.
  if ((op === 0x31 || op === 0x3f) && isCallerOrOrigin(a)) return DIGEST
  if (op === 0x3a) return DIGEST
  if (op === 0x5c) addUnique(facts, 'transient', transientPlace(a))
  if (op === 0x5d) addUnique(facts, 'stores', transientPlace(a))
  if (op === 0x20) return hashOf(facts, state.memory, a, b)
  if (op === 0x52) {
    state.memory = storeWord(state.memory, memoryOffset(a), b)
    return UNKNOWN
  }
  if (op === 0x55) noteStore(facts, a)
  if (op === 0x51) return memoryOffset(a) < 0 ? UNKNOWN : loadWord(state.memory, memoryOffset(a))
  return taken.length === 2 ? binary(facts, op, a, b) : UNKNOWN
}
