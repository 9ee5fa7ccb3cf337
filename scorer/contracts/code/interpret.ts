/**
 * Abstract interpreter: walks every function of runtime code with symbolic values and notes what a prober needs to
 * know: which functions change state, what their arguments look like, who is compared with the caller, which slots
 * are read. Facts found here are hints for execution, never verdicts by themselves.
 *
 * Both sides of every branch are taken once per (function, place, return addresses). The code is an adversary's: steps,
 * memory, waiting branches, functions and notes are bounded, and `complete` is false when any bound was met.
 */
import { type Instruction, instructionAt, jumpDestinations } from './bytecode.ts'
import { arithmetic, arity, logOf2, MASK160 } from './opcodes.ts'
import { cellAt, createStacks, MOST_ITEMS, type Stack } from './stack.ts'

export type ArgumentKind = 'uint' | 'address' | 'bool' | 'array'
export type SlotRef = { slot: string; shift: number; kind: 'address' | 'bool' | 'word' }

export type FunctionFacts = {
  /** 0x-hex of four bytes; `fallback` for what runs when no selector matches. */
  selector: string
  args: ArgumentKind[]
  /** Constants the code compares with argument i: bounds and magic values. */
  hints: bigint[][]
  /** Arguments that are added, subtracted or ordered. */
  counted: Set<number>
  writes: boolean
  calls: boolean
  /** Static calls. */
  asks: boolean
  delegates: boolean
  destroys: boolean
  creates: boolean
  readsTime: boolean
  /** Checks that no value is sent. */
  nonPayable: boolean
  /** Slots compared with the caller. */
  callerSlots: SlotRef[]
  /** Slots compared with an argument: in a transfer, the other side of the trade. */
  peerSlots: SlotRef[]
  /** Constants compared with the caller, as addresses. */
  callerConstants: string[]
  /** Mapping bases looked up by the caller in a condition: roles, permission lists. */
  callerMaps: string[]
  reads: SlotRef[]
  /** Bases of mappings read. */
  maps: string[]
  stores: string[]
}

export type CodeFacts = {
  functions: FunctionFacts[]
  /** 20-byte constants in reachable code. */
  addresses: string[]
  /** Whether all that can be reached was walked and noted. */
  complete: boolean
}

/** What reading some code cost. */
export type Work = { steps: number; cells: number; waiting: number; notes: number }

/** Bounds of that cost, for any code. Compiled contracts of 24,576 bytes stay far below them. */
export const MOST_WORK: Work = { steps: 260_000, cells: 1_000_000, waiting: 4_096, notes: 16_384 }

type Value =
  | { t: 'const'; v: bigint }
  | { t: 'data'; i: number }
  | { t: 'pointer'; i: number }
  | { t: 'slot'; slot: bigint; shift: number }
  | { t: 'hash'; key: Value; base: string }
  | { t: 'entry'; base: string; byCaller: boolean }
  | { t: 'match'; selector: bigint; negated: boolean }
  | { t: 'zero'; of: Value }
  | { t: 'caller' | 'selector' | 'callvalue' | 'element' | 'other' }

/** Facts while they are collected. */
type Facts = FunctionFacts & { index: number; steps: number; book: Book }
/** What all functions of the code share. */
type Book = { notes: number; full: boolean }
type State = { pc: number; stack: Stack<Value>; m0: Value; m20: Value; m40: Value; facts: Facts }

const OTHER: Value = { t: 'other' }
const CALLER: Value = { t: 'caller' }
const SELECTOR: Value = { t: 'selector' }
const STEPS_FUNCTION = 24_000
/** Bytes of code that are read. Networks allow 24,576 (EIP-170) to 65,536 (EIP-7907). */
export const MOST_CODE = 2 ** 18
const MOST_FUNCTIONS = 512
/** Slots, mappings and addresses noted of one kind for one function. */
const MOST_NOTED = 128
const MOST_ADDRESSES = 1_024
/** Cells one instruction makes: those a SWAP16 touches. */
const MOST_SWAPPED = 17

const emptyFacts = (selector: string, index: number, book: Book): Facts => ({
  index,
  steps: 0,
  book,
  selector,
  args: [],
  hints: [],
  counted: new Set(),
  writes: false,
  calls: false,
  asks: false,
  delegates: false,
  destroys: false,
  creates: false,
  readsTime: false,
  nonPayable: false,
  callerSlots: [],
  peerSlots: [],
  callerConstants: [],
  callerMaps: [],
  reads: [],
  maps: [],
  stores: [],
})

const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
export const addressOf = (value: bigint) => `0x${(value & MASK160).toString(16).padStart(40, '0')}`

/** Whether one more entry may be noted in a list. */
const mayNote = ({ book }: Facts, list: readonly unknown[]): boolean => {
  const room = list.length < MOST_NOTED && book.notes < MOST_WORK.notes
  if (room) book.notes++
  else book.full = true
  return room
}

const noteArgument = (facts: FunctionFacts, i: number, kind?: ArgumentKind) => {
  if (i > 11) return
  while (facts.args.length <= i) facts.args.push('uint')
  while (facts.hints.length <= i) facts.hints.push([])
  if (kind && facts.args[i] === 'uint') facts.args[i] = kind
}

type SlotList = 'callerSlots' | 'peerSlots' | 'reads'

const noteSlot = (facts: Facts, name: SlotList, value: { slot: bigint; shift: number }, kind: SlotRef['kind']) => {
  const list = facts[name]
  const slot = hex(value.slot)
  const known = list.find((ref) => ref.slot === slot && ref.shift === value.shift)
  if (known) {
    if (kind !== 'word') known.kind = kind
  } else if (mayNote(facts, list)) list.push({ slot, shift: value.shift, kind })
}

const addUnique = (facts: Facts, name: 'callerConstants' | 'callerMaps' | 'maps' | 'stores', item: string) => {
  const list = facts[name]
  if (!list.includes(item) && mayNote(facts, list)) list.push(item)
}

const noteComparison = (facts: Facts, a: Value, b: Value, equality: boolean) => {
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const) {
    if (x.t === 'data' && y.t === 'const') {
      noteArgument(facts, x.i)
      const hints = facts.hints[x.i]
      if (hints && hints.length < 6 && y.v !== MASK160 && !hints.includes(y.v)) hints.push(y.v)
    }
    if (equality && x.t === 'data' && y.t === 'slot') noteSlot(facts, 'peerSlots', y, 'address')
    if (!equality || x.t !== 'caller') continue
    if (y.t === 'slot') {
      noteSlot(facts, 'callerSlots', y, 'address')
      noteSlot(facts, 'reads', y, 'address')
    }
    if (y.t === 'const' && y.v > 0xffffn && y.v <= MASK160) addUnique(facts, 'callerConstants', addressOf(y.v))
  }
}

const masked = (facts: Facts, value: Value, mask: bigint): Value => {
  const kind = mask === MASK160 ? 'address' : mask === 0xffn ? 'bool' : undefined
  if (value.t === 'caller' || value.t === 'element') return value
  if (value.t === 'selector') return value
  if (value.t === 'data') {
    if (kind === 'address') noteArgument(facts, value.i, 'address')
    return value
  }
  if (value.t === 'slot') {
    if (kind) noteSlot(facts, 'reads', value, kind)
    return value
  }
  if (value.t === 'entry') return value
  return OTHER
}

/** ADD, MUL, SUB, DIV and order comparisons. */
const ARITHMETIC = new Set([0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13])

/** A check of zero looks like a bool's clean-up: whatever is counted with is a number after all. */
const noteCounting = (facts: FunctionFacts, op: number, a: Value, b: Value) => {
  if (!ARITHMETIC.has(op)) return
  for (const [value, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (value.t === 'data' && value.i >= 0 && !(op === 0x01 && other.t === 'const')) facts.counted.add(value.i)
  }
}

/** Result of a two-operand instruction: `a` is the top of the stack. */
const binary = (facts: Facts, op: number, a: Value, b: Value): Value => {
  noteCounting(facts, op, a, b)
  if (a.t === 'const' && b.t === 'const') {
    const v = arithmetic(op, a.v, b.v)
    if (v !== undefined) return { t: 'const', v }
  }
  if (op === 0x16) {
    if (b.t === 'const') return masked(facts, a, b.v)
    if (a.t === 'const') return masked(facts, b, a.v)
    return OTHER
  }
  if (op === 0x1c || op === 0x04) {
    const by = op === 0x1c ? a : b
    const value = op === 0x1c ? b : a
    const shift = by.t !== 'const' ? -1 : op === 0x1c ? Number(by.v & 0x1ffn) : logOf2(by.v)
    if (shift === 224 && value.t === 'data' && value.i === -1) return SELECTOR
    if (shift >= 0 && value.t === 'slot') return { t: 'slot', slot: value.slot, shift: value.shift + shift }
    if (shift === 96 && value.t === 'caller') return CALLER
    return OTHER
  }
  if (op === 0x1b) {
    if (a.t === 'const' && a.v === 96n) {
      if (b.t === 'data') noteArgument(facts, b.i, 'address')
      if (b.t === 'caller' || b.t === 'data') return b
    }
    return OTHER
  }
  if (op === 0x10 || op === 0x11 || op === 0x12 || op === 0x13 || op === 0x14) {
    noteComparison(facts, a, b, op === 0x14)
    if (op !== 0x14) return OTHER
    if (a.t === 'selector' && b.t === 'const') return { t: 'match', selector: b.v, negated: false }
    if (b.t === 'selector' && a.t === 'const') return { t: 'match', selector: a.v, negated: false }
    if (a.t === 'entry' || b.t === 'entry') return a.t === 'entry' ? a : b
    return OTHER
  }
  if (op === 0x03 || op === 0x18) {
    if (op === 0x18 || op === 0x03) noteComparison(facts, a, b, true)
    if (a.t === 'selector' && b.t === 'const') return { t: 'match', selector: b.v, negated: true }
    if (b.t === 'selector' && a.t === 'const') return { t: 'match', selector: a.v, negated: true }
    return OTHER
  }
  if (op === 0x01) {
    const [x, y] = a.t === 'data' || a.t === 'pointer' ? [a, b] : [b, a]
    if (x.t === 'data' && x.i >= 0 && y.t === 'const') return { t: 'pointer', i: x.i }
    if (x.t === 'pointer') return x
    if (x.t === 'hash' || y.t === 'hash') return x.t === 'hash' ? x : y
  }
  return OTHER
}

const unary = (facts: Facts, value: Value): Value => {
  if (value.t === 'const') return { t: 'const', v: value.v === 0n ? 1n : 0n }
  if (value.t === 'match') return { t: 'match', selector: value.selector, negated: !value.negated }
  if (value.t === 'zero') {
    if (value.of.t === 'data') noteArgument(facts, value.of.i, 'bool')
    return value.of.t === 'entry' ? value.of : OTHER
  }
  return value.t === 'data' || value.t === 'entry' || value.t === 'callvalue' ? { t: 'zero', of: value } : OTHER
}

const loadData = (facts: Facts, offset: Value): Value => {
  if (offset.t === 'pointer') {
    noteArgument(facts, offset.i, 'array')
    return OTHER
  }
  if (offset.t !== 'const') return { t: 'element' }
  if (offset.v === 0n) return { t: 'data', i: -1 }
  const i = Number(offset.v - 4n) / 32
  if (!Number.isInteger(i) || i < 0 || i > 11) return OTHER
  noteArgument(facts, i)
  return { t: 'data', i }
}

const loadSlot = (facts: Facts, key: Value): Value => {
  if (key.t === 'const') {
    const value = { t: 'slot', slot: key.v, shift: 0 } as const
    noteSlot(facts, 'reads', value, 'word')
    return value
  }
  if (key.t !== 'hash') return OTHER
  addUnique(facts, 'maps', key.base)
  return { t: 'entry', base: key.base, byCaller: key.key.t === 'caller' }
}

const hashOf = (state: State, offset: Value, length: Value): Value => {
  if (offset.t !== 'const' || offset.v !== 0n || length.t !== 'const') return OTHER
  const base = length.v === 64n ? state.m20 : length.v === 32n ? state.m0 : undefined
  if (!base) return OTHER
  const name = base.t === 'const' ? hex(base.v) : base.t === 'hash' ? base.base : 'other'
  return { t: 'hash', key: length.v === 64n ? state.m0 : OTHER, base: name }
}

const noteEffect = (facts: FunctionFacts, op: number) => {
  if (op === 0x55) facts.writes = true
  if (op === 0xf1 || op === 0xf2) facts.calls = true
  if (op === 0xfa) facts.asks = true
  if (op === 0xf4 || op === 0xf2) facts.delegates = true
  if (op === 0xf0 || op === 0xf5) facts.creates = true
  if (op === 0x42 || op === 0x43) facts.readsTime = true
}

/** Effect and result of an instruction that takes `taken`, the top of the stack first. */
const step = (state: State, { op }: Instruction, taken: readonly Value[]): Value => {
  const { facts } = state
  const a = taken[0] ?? OTHER
  const b = taken[1] ?? OTHER
  noteEffect(facts, op)
  if (op === 0x15) return unary(facts, a)
  if (op === 0x33) return CALLER
  if (op === 0x34) return { t: 'callvalue' }
  if (op === 0x35) return loadData(facts, a)
  if (op === 0x54) return loadSlot(facts, a)
  if (op === 0x20) return hashOf(state, a, b)
  if (op === 0x52 && a.t === 'const') {
    if (a.v === 0n) state.m0 = b
    if (a.v === 0x20n) state.m20 = b
    if (a.v === 0x40n) state.m40 = b
  }
  if (op === 0x55) addUnique(facts, 'stores', a.t === 'const' ? hex(a.v) : a.t === 'hash' ? `map:${a.base}` : 'other')
  if (op === 0x51 && a.t === 'const') {
    if (a.v === 0n) return state.m0
    if (a.v === 0x20n) return state.m20
    if (a.v === 0x40n) return state.m40
  }
  return taken.length === 2 ? binary(facts, op, a, b) : OTHER
}

/** Facts about every function of the runtime code, and, in `work`, what they cost. Typical cost: 5 to 30 ms. */
export const interpret = (whole: Uint8Array, work: Work = { steps: 0, cells: 0, waiting: 0, notes: 0 }): CodeFacts => {
  const code = whole.subarray(0, MOST_CODE)
  const destinations = jumpDestinations(code)
  const placeOf = (value: Value | undefined): number => {
    const place = value?.t === 'const' && value.v < code.length ? Number(value.v) : -1
    return destinations[place] === 1 ? place : -1
  }
  const stacks = createStacks<Value>(placeOf)
  const instructions = new Map<number, Instruction>()
  const functions = new Map<string, Facts>()
  const addresses = new Set<string>()
  const book: Book = { notes: 0, full: code.length < whole.length }
  const fallback = emptyFacts('fallback', 0, book)
  functions.set('fallback', fallback)
  /** Function, place and return addresses, which have 9, 18 and 20 bits. */
  const visited = new Set<number>()
  const queue: State[] = [{ pc: 0, stack: undefined, m0: OTHER, m20: OTHER, m40: OTHER, facts: fallback }]

  const arrive = ({ facts, pc, stack }: State): boolean => {
    const key = ((stack?.returns ?? 0) * MOST_FUNCTIONS + facts.index) * MOST_CODE + pc
    if (visited.has(key)) return false
    visited.add(key)
    return true
  }

  const wait = (state: State) => {
    if (queue.length >= MOST_WORK.waiting) {
      book.full = true
      return
    }
    queue.push(state)
    work.waiting = Math.max(work.waiting, queue.length)
  }

  const functionOf = (selector: string): Facts | undefined => {
    const known = functions.get(selector)
    if (known) return known
    if (functions.size >= MOST_FUNCTIONS) {
      book.full = true
      return undefined
    }
    const facts = emptyFacts(selector, functions.size, book)
    functions.set(selector, facts)
    return facts
  }

  /** Waits with the side that jumps, and goes on with the other. False when no side is left. */
  const branch = (state: State, target: Value, condition: Value): boolean => {
    const pc = placeOf(target)
    if (condition.t === 'match' && state.facts === fallback) {
      const facts = functionOf(`0x${condition.selector.toString(16).padStart(8, '0')}`)
      if (condition.negated) {
        if (facts) wait({ ...state, facts })
        state.pc = pc
        return pc >= 0
      }
      if (facts && pc >= 0) wait({ ...state, pc, facts })
      return true
    }
    if (condition.t === 'entry' && condition.byCaller) addUnique(state.facts, 'callerMaps', condition.base)
    if (condition.t === 'zero' && condition.of.t === 'entry' && condition.of.byCaller) {
      addUnique(state.facts, 'callerMaps', condition.of.base)
    }
    if (condition.t === 'zero' && condition.of.t === 'callvalue') state.facts.nonPayable = true
    if (pc >= 0) wait({ ...state, pc })
    return true
  }

  const instructionOf = (pc: number): Instruction => {
    const known = instructions.get(pc) ?? instructionAt(code, pc)
    instructions.set(pc, known)
    return known
  }

  /** Runs one instruction. False at the end of a path: a stop, a jump to nowhere, too few or too many items. */
  const advance = (state: State): boolean => {
    const instruction = instructionOf(state.pc)
    const { op, next, push } = instruction
    const { stack } = state
    const height = stack?.height ?? 0
    state.pc = next
    if (push !== undefined) {
      if (height >= MOST_ITEMS) return false
      if (op === 0x73 && push > 0xffffffffn && push !== MASK160) {
        if (addresses.size < MOST_ADDRESSES) addresses.add(addressOf(push))
        else if (!addresses.has(addressOf(push))) book.full = true
      }
      state.stack = stacks.push(stack, { t: 'const', v: push })
      return true
    }
    if (op >= 0x80 && op <= 0x8f) {
      const copied = cellAt(stack, op - 0x80)
      if (!copied || height >= MOST_ITEMS) return false
      state.stack = stacks.push(stack, copied.value)
      return true
    }
    if (op >= 0x90 && op <= 0x9f) {
      if (!stack || height < op - 0x8e) return false
      state.stack = stacks.swap(stack, op - 0x8f)
      return true
    }
    switch (op) {
      case 0x00:
      case 0xf3:
      case 0xfd:
      case 0xfe:
        return false
      case 0xff:
        if (stack) state.facts.destroys = true
        return false
      case 0x50:
        state.stack = stack?.below
        return stack !== undefined
      case 0x56:
        state.pc = placeOf(stack?.value)
        state.stack = stack?.below
        return state.pc >= 0 && arrive(state)
      case 0x57: {
        const condition = stack?.below
        if (!stack || !condition) return false
        state.stack = condition.below
        return branch(state, stack.value, condition.value) && arrive(state)
      }
      case 0x5b:
        return true
      default: {
        const [takes, puts] = arity(op)
        if (height < takes || height - takes + puts > MOST_ITEMS) return false
        const taken: Value[] = []
        for (let i = 0; i < takes; i++) {
          taken.push(state.stack?.value ?? OTHER)
          state.stack = state.stack?.below
        }
        const result = step(state, instruction, taken)
        if (puts === 1) state.stack = stacks.push(state.stack, result)
        return true
      }
    }
  }

  const walk = (state: State) => {
    if (!arrive(state)) return
    do {
      if (
        ++work.steps > MOST_WORK.steps ||
        ++state.facts.steps > STEPS_FUNCTION ||
        stacks.made() + MOST_SWAPPED > MOST_WORK.cells
      ) {
        book.full = true
        return
      }
    } while (advance(state))
  }

  for (let state = queue.pop(); state && work.steps <= MOST_WORK.steps; state = queue.pop()) walk(state)
  work.cells = stacks.made()
  work.notes = book.notes
  const known = [...functions.values()].map(({ index: _index, steps: _steps, book: _book, ...facts }) => facts)
  for (const facts of known) {
    for (const i of facts.counted) if (facts.args[i] === 'bool') facts.args[i] = 'uint'
  }
  return { functions: known, addresses: [...addresses], complete: !book.full }
}
