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
  noteCallerEntry,
  noteSlot,
  noteSlotExpression,
  noteWrittenEntry,
  wordHex,
} from './facts.ts'
import { hashOf } from './hashes.ts'
import { OP, WORD } from './opcodes.ts'
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
  noteCallerEntry(facts, key, byCaller)
  return { t: 'entry', base: key.base, byCaller, of: key, shift: 0 }
}

/** Instructions whose result differs between blocks or with the gas price. */
const READS_BLOCK: ReadonlySet<number> = new Set([
  OP.GASPRICE,
  OP.BLOCKHASH,
  OP.COINBASE,
  OP.TIMESTAMP,
  OP.NUMBER,
  OP.PREVRANDAO,
  OP.GASLIMIT,
  OP.BASEFEE,
  OP.BLOBHASH,
  OP.BLOBBASEFEE,
])

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
  if (place.t === 'hash') noteWrittenEntry(facts, place.base, place.key, isCallerOrOrigin(place.key))
  const part = expressionOf(place)
  if (part) noteSlotExpression(facts, part)
  // An argument as index of a storage array.
  if (place.t === 'hash' && place.itemArg !== undefined && place.base !== 'other')
    noteSlotExpression(facts, { i: place.itemArg, op: 'item', by: BigInt(place.base) })
}

const noteEffect = (facts: FunctionFacts, op: number) => {
  if (op === OP.SSTORE || op === OP.TSTORE) facts.writes = true
  if (op === OP.CALL || op === OP.CALLCODE) facts.calls = true
  if (op === OP.DELEGATECALL || op === OP.CALLCODE) facts.delegates = true
  if (op === OP.CREATE || op === OP.CREATE2) facts.creates = true
  if (op === OP.TIMESTAMP || op === OP.NUMBER) facts.readsTime = true
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
  [OP.CALLDATACOPY]: [0, 2],
  [OP.CODECOPY]: [0, 2],
  [OP.EXTCODECOPY]: [1, 3],
  [OP.RETURNDATACOPY]: [0, 2],
  [OP.MCOPY]: [0, 2],
  [OP.CALL]: [5, 6],
  [OP.CALLCODE]: [5, 6],
  [OP.DELEGATECALL]: [4, 5],
  [OP.STATICCALL]: [4, 5],
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
    const answers = op === OP.STATICCALL && !isPrecompiled(b) && isArgumentless(state.memory, taken[2], taken[3])
    state.memory = invalidate(state.memory, memoryOffset(taken[written[0]]), memoryOffset(taken[written[1]]))
    if (op === OP.CODECOPY) copyCode(state, code, a, b, taken[2] ?? UNKNOWN)
    if (op === OP.CALLCODE || op === OP.DELEGATECALL) noteDelegate(facts, b)
    if (op === OP.CALL || op === OP.STATICCALL) noteCalled(facts, b)
    if (op === OP.STATICCALL && !isPrecompiled(b)) facts.staticCalls = true
    if (answers && memoryOffset(taken[5]) >= 32)
      state.memory = storeWord(state.memory, memoryOffset(taken[4]), { t: 'answer' })
    // Precompiled contract 1 recovers a signer.
    if (op === OP.STATICCALL && b.t === 'const' && b.v === 1n) {
      facts.recovers = true
      state.memory = storeWord(state.memory, memoryOffset(taken[4]), { t: 'signer' })
    }
    return UNKNOWN
  }
  if (op === OP.ISZERO) return unary(facts, a)
  if (op === OP.NOT) return a.t === 'const' ? { t: 'const', v: ~a.v & WORD } : isCallerOrOrigin(a) ? DIGEST : UNKNOWN
  if (op === OP.ORIGIN || op === OP.CALLER) facts.readsCaller = true
  if (op === OP.ADDRESS) return SELF
  if (op === OP.ORIGIN) return ORIGIN
  if (op === OP.CALLER) return CALLER
  if (op === OP.CALLVALUE) return { t: 'callvalue' }
  if (op === OP.CALLDATALOAD) return loadData(facts, a)
  if (op === OP.SLOAD) return loadSlot(facts, a)
  if (op === OP.PC) return { t: 'const', v: BigInt(next - 1) }
  if (op === OP.CALLDATASIZE) return { t: 'size' }
  if (op === OP.BALANCE || op === OP.EXTCODESIZE || op === OP.EXTCODEHASH)
    facts.readsAccounts ||= a.t === 'slot' || (a.t === 'const' && a.v > 0xffffn)
  if (op === OP.SELFBALANCE || (op === OP.BALANCE && a.t === 'self')) facts.readsOwnBalance = true
  // The caller chooses its own balance and gas price: comparing them works like a password.
  if ((op === OP.BALANCE || op === OP.EXTCODEHASH) && isCallerOrOrigin(a)) return DIGEST
  if (op === OP.GASPRICE) return DIGEST
  if (op === OP.TLOAD) addUnique(facts, 'transient', transientPlace(a))
  if (op === OP.TSTORE) addUnique(facts, 'stores', transientPlace(a))
  if (op === OP.KECCAK256) return hashOf(facts, state.memory, a, b)
  if (op === OP.MSTORE) {
    state.memory = storeWord(state.memory, memoryOffset(a), b)
    return UNKNOWN
  }
  if (op === OP.SSTORE) noteStore(facts, a)
  if (op === OP.MLOAD) return memoryOffset(a) < 0 ? UNKNOWN : loadWord(state.memory, memoryOffset(a))
  return taken.length === 2 ? binary(facts, op, a, b) : UNKNOWN
}
