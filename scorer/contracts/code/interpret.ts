/**
 * Abstract interpreter: walks every function of runtime code with symbolic values and notes what a prober needs to
 * know: which functions change state, what their arguments look like, who is compared with the caller, which slots
 * are read. Facts found here are hints for execution, never verdicts by themselves.
 *
 * Both sides of every branch are taken once per (function, place, return addresses). Work is bounded; `complete` says
 * whether the bound was met.
 */
import { type Instruction, instructionAt, jumpDestinations } from './bytecode.ts'
import { arithmetic, arity, logOf2, MASK160 } from './opcodes.ts'

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
  complete: boolean
}

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

type State = { pc: number; stack: Value[]; m0: Value; m20: Value; m40: Value; facts: FunctionFacts }

const OTHER: Value = { t: 'other' }
const CALLER: Value = { t: 'caller' }
const SELECTOR: Value = { t: 'selector' }
const STEPS_TOTAL = 260_000
const STEPS_FUNCTION = 24_000

const emptyFacts = (selector: string): FunctionFacts => ({
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

const noteArgument = (facts: FunctionFacts, i: number, kind?: ArgumentKind) => {
  if (i > 11) return
  while (facts.args.length <= i) facts.args.push('uint')
  while (facts.hints.length <= i) facts.hints.push([])
  if (kind && facts.args[i] === 'uint') facts.args[i] = kind
}

const noteSlot = (list: SlotRef[], value: { slot: bigint; shift: number }, kind: SlotRef['kind']) => {
  const slot = hex(value.slot)
  const known = list.find((ref) => ref.slot === slot && ref.shift === value.shift)
  if (!known) list.push({ slot, shift: value.shift, kind })
  else if (kind !== 'word') known.kind = kind
}

const addUnique = <T>(list: T[], item: T) => {
  if (!list.includes(item)) list.push(item)
}

const noteComparison = (facts: FunctionFacts, a: Value, b: Value, equality: boolean) => {
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const) {
    if (x.t === 'data' && y.t === 'const') {
      noteArgument(facts, x.i)
      const hints = facts.hints[x.i]
      if (hints && hints.length < 6 && y.v !== MASK160) addUnique(hints, y.v)
    }
    if (equality && x.t === 'data' && y.t === 'slot') noteSlot(facts.peerSlots, y, 'address')
    if (!equality || x.t !== 'caller') continue
    if (y.t === 'slot') {
      noteSlot(facts.callerSlots, y, 'address')
      noteSlot(facts.reads, y, 'address')
    }
    if (y.t === 'const' && y.v > 0xffffn && y.v <= MASK160) addUnique(facts.callerConstants, addressOf(y.v))
  }
}

const masked = (facts: FunctionFacts, value: Value, mask: bigint): Value => {
  const kind = mask === MASK160 ? 'address' : mask === 0xffn ? 'bool' : undefined
  if (value.t === 'caller' || value.t === 'element') return value
  if (value.t === 'selector') return value
  if (value.t === 'data') {
    if (kind === 'address') noteArgument(facts, value.i, 'address')
    return value
  }
  if (value.t === 'slot') {
    if (kind) noteSlot(facts.reads, value, kind)
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
const binary = (facts: FunctionFacts, op: number, a: Value, b: Value): Value => {
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

const unary = (facts: FunctionFacts, value: Value): Value => {
  if (value.t === 'const') return { t: 'const', v: value.v === 0n ? 1n : 0n }
  if (value.t === 'match') return { t: 'match', selector: value.selector, negated: !value.negated }
  if (value.t === 'zero') {
    if (value.of.t === 'data') noteArgument(facts, value.of.i, 'bool')
    return value.of.t === 'entry' ? value.of : OTHER
  }
  return value.t === 'data' || value.t === 'entry' || value.t === 'callvalue' ? { t: 'zero', of: value } : OTHER
}

const loadData = (facts: FunctionFacts, offset: Value): Value => {
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

const loadSlot = (facts: FunctionFacts, key: Value): Value => {
  if (key.t === 'const') {
    const value = { t: 'slot', slot: key.v, shift: 0 } as const
    noteSlot(facts.reads, value, 'word')
    return value
  }
  if (key.t !== 'hash') return OTHER
  addUnique(facts.maps, key.base)
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

const step = (state: State, instruction: Instruction): Value => {
  const { stack, facts } = state
  const { op } = instruction
  const [takes] = arity(op)
  const taken: Value[] = []
  for (let i = 0; i < takes; i++) taken.push(stack.pop() ?? OTHER)
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
  if (op === 0x55) addUnique(facts.stores, a.t === 'const' ? hex(a.v) : a.t === 'hash' ? `map:${a.base}` : 'other')
  if (op === 0x51 && a.t === 'const') {
    if (a.v === 0n) return state.m0
    if (a.v === 0x20n) return state.m20
    if (a.v === 0x40n) return state.m40
  }
  return takes === 2 ? binary(facts, op, a, b) : OTHER
}

/** Facts about every function of the runtime code. Typical cost: 5 to 30 ms. */
export const interpret = (code: Uint8Array): CodeFacts => {
  const destinations = jumpDestinations(code)
  const instructions = new Map<number, Instruction>()
  const functions = new Map<string, FunctionFacts>()
  const addresses = new Set<string>()
  const fallback = emptyFacts('fallback')
  functions.set('fallback', fallback)
  const visited = new Set<string>()
  const spent = new Map<string, number>()
  const queue: State[] = [{ pc: 0, stack: [], m0: OTHER, m20: OTHER, m40: OTHER, facts: fallback }]
  let steps = 0
  let complete = true

  const arrive = (state: State): boolean => {
    let key = `${state.facts.selector}|${state.pc}|`
    for (const value of state.stack) if (value.t === 'const' && destinations.has(Number(value.v))) key += `${value.v},`
    if (visited.has(key)) return false
    visited.add(key)
    return true
  }

  const branch = (state: State, target: Value, condition: Value) => {
    const pc = target.t === 'const' ? Number(target.v) : -1
    const valid = destinations.has(pc)
    if (condition.t === 'match' && state.facts === fallback) {
      const selector = `0x${condition.selector.toString(16).padStart(8, '0')}`
      const entry = condition.negated ? state.pc : pc
      const facts = functions.get(selector) ?? emptyFacts(selector)
      functions.set(selector, facts)
      if (!condition.negated && !valid) return
      queue.push({ ...state, pc: entry, stack: [...state.stack], facts })
      if (condition.negated) state.pc = pc
      return
    }
    if (condition.t === 'entry' && condition.byCaller) addUnique(state.facts.callerMaps, condition.base)
    if (condition.t === 'zero' && condition.of.t === 'entry' && condition.of.byCaller) {
      addUnique(state.facts.callerMaps, condition.of.base)
    }
    if (condition.t === 'zero' && condition.of.t === 'callvalue') state.facts.nonPayable = true
    if (valid) queue.push({ ...state, pc, stack: [...state.stack] })
  }

  const walk = (state: State) => {
    if (!arrive(state)) return
    for (;;) {
      const used = (spent.get(state.facts.selector) ?? 0) + 1
      spent.set(state.facts.selector, used)
      if (++steps > STEPS_TOTAL || used > STEPS_FUNCTION) {
        complete = false
        return
      }
      let instruction = instructions.get(state.pc)
      if (!instruction) {
        instruction = instructionAt(code, state.pc)
        instructions.set(state.pc, instruction)
      }
      const { op, next, push } = instruction
      state.pc = next
      if (push !== undefined) {
        if (op === 0x73 && push > 0xffffffffn && push !== MASK160) addresses.add(addressOf(push))
        state.stack.push({ t: 'const', v: push })
      } else if (op >= 0x80 && op <= 0x8f) {
        state.stack.push(state.stack[state.stack.length - (op - 0x7f)] ?? OTHER)
      } else if (op >= 0x90 && op <= 0x9f) {
        const top = state.stack.length - 1
        const other = top - (op - 0x8f)
        if (other >= 0) {
          const value = state.stack[top] ?? OTHER
          state.stack[top] = state.stack[other] ?? OTHER
          state.stack[other] = value
        }
      } else if (op === 0x50) {
        state.stack.pop()
      } else if (op === 0x56) {
        const target = state.stack.pop()
        if (target?.t !== 'const' || !destinations.has(Number(target.v))) return
        state.pc = Number(target.v)
        if (!arrive(state)) return
      } else if (op === 0x57) {
        const target = state.stack.pop() ?? OTHER
        const condition = state.stack.pop() ?? OTHER
        branch(state, target, condition)
        if (!arrive(state)) return
      } else if (op === 0x5b) {
      } else if (op === 0xff) {
        state.facts.destroys = true
        return
      } else if (op === 0x00 || op === 0xf3 || op === 0xfd || op === 0xfe) {
        return
      } else {
        const result = step(state, instruction)
        if (arity(op)[1] === 1) state.stack.push(result)
      }
    }
  }

  for (let state = queue.pop(); state; state = queue.pop()) walk(state)
  for (const facts of functions.values()) {
    for (const i of facts.counted) if (facts.args[i] === 'bool') facts.args[i] = 'uint'
  }
  return { functions: [...functions.values()], addresses: [...addresses], complete }
}
