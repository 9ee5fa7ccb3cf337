/**
 * Abstract interpreter: walks every function of runtime code with symbolic values and notes what a prober needs to
 * know: which functions change state, what their arguments look like, who is compared with the caller, which slots
 * are read. Facts found here are hints for execution, never verdicts by themselves.
 *
 * Both sides of every branch are taken once per (function, place, return addresses), and in fallback functions that borrow code a few
 * times if words differ. The code is an adversary's: steps,
 * memory, waiting branches, functions and notes are bounded, and `complete` is false when any bound was met, or a jump led
 * to a place that is not known.
 */

import { bucketTargets, type DispatchEntry, dispatchEntries } from './abstract/dispatch.ts'
import {
  addressOf,
  addUnique,
  emptyFacts,
  type Facts,
  type FunctionFacts,
  MAX_NOTES,
  type SlotRow as MemberRow,
  noteBound,
  noteNumber,
  noteSlot,
  type SharedFacts,
} from './abstract/facts.ts'
import { createJoins } from './abstract/joins.ts'
import { arity, MASK160, WORD } from './abstract/opcodes.ts'
import { cellAt, createStacks, MAX_CELLS, MAX_ITEMS } from './abstract/stack.ts'
import { type Path, step } from './abstract/step.ts'
import {
  MAX_WORDS,
  NO_MEMORY,
  memoryOffset as placeIn,
  trackComputed,
  trackLoaded,
  UNKNOWN,
  type Value,
} from './abstract/values.ts'
import { createVariants } from './abstract/variants.ts'
import { type Instruction, instructionAt, jumpDestinations, mayDelegate } from './bytecode.ts'

/** What a walk of one code found. Unless it is `complete`, what is missing proves nothing. */
export type CodeFacts = {
  functions: FunctionFacts[]
  /** Constants in reachable code that may be addresses. */
  addresses: string[]
  /** Whether all that can be reached was walked and noted. */
  complete: boolean
}

/** What reading some code cost. */
export type Cost = { steps: number; cells: number; pending: number; notes: number }

/** Bounds of that cost, for any code. Compiled contracts of 24,576 bytes stay far below them. */
export const MAX_COST: Cost = { steps: 260_000, cells: 1_000_000, pending: 4_096, notes: MAX_NOTES }

const STEPS_FUNCTION = 24_000
/** Steps of the second walk, where paths that meet bring along something new: of one function, and of all. */
const [STEPS_AGAIN, MAX_AGAIN] = [8_000, 60_000]
/** Bytes of code that are read. Networks allow 24,576 (EIP-170) to 65,536 (EIP-7907). */
export const MAX_CODE_BYTES = 2 ** 18
const MAX_FUNCTIONS = 512
/** Instructions of a refusal without words. */
const MAX_REFUSING = 4
/** Instructions of an end that does nothing else. */
const MAX_ENDING = 64
const MAX_ADDRESSES = 1_024

/** Addresses take 20 bytes; those a constructor left in the code take a whole word, where small values are amounts. */
const isAddress = (op: number, push: bigint): boolean =>
  op === 0x73 ? push > 0xffffffffn && push !== MASK160 : op === 0x7f && push < MASK160 && push >> 96n > 0n

/**
 * Facts about every function of the runtime code, and, in `work`, what they cost. Typical cost: 5 to 30 ms. Where jumps turn out to
 * lead to what memory holds, as in Vyper before 0.3, the code is walked again with an eye on those words.
 */
export const interpret = (whole: Uint8Array, work: Cost = { steps: 0, cells: 0, pending: 0, notes: 0 }): CodeFacts => {
  for (let watched = 0; ; ) {
    const { facts, leading } = walkAll(whole, work, watched)
    if (leading === watched || !facts.complete) return facts
    watched = leading
  }
}

/** Tells how long a row is, where the code counts no further than `counted`, or compares the argument that chooses with numbers. */
const measure = (row: MemberRow, hints: readonly bigint[][], counted: number | undefined) => {
  const most =
    row.argument === undefined
      ? counted
      : Number(
          (hints[row.argument] ?? []).reduce((max, hint) => (hint > max && hint < MAX_CODE_BYTES ? hint : max), 0n),
        )
  if (most) row.maxLength = most
}

/** One walk. `watched`, and `leading`: words of memory that jumps lead to, one bit each. */
const walkAll = (whole: Uint8Array, work: Cost, watched: number): { facts: CodeFacts; leading: number } => {
  const code = whole.subarray(0, MAX_CODE_BYTES)
  const destinations = jumpDestinations(code)
  const placeOf = (value: Value | undefined): number => {
    const place = value?.t === 'const' && value.v < code.length ? Number(value.v) : -1
    return destinations[place] === 1 ? place : -1
  }
  const stacks = createStacks<Value>(placeOf)
  const instructions = new Map<number, Instruction>()
  const functions = new Map<string, Facts>()
  const addresses = new Set<string>()
  const book: SharedFacts = { notes: 0, incomplete: code.length < whole.length }
  const fallback = emptyFacts('fallback', 0, book)
  functions.set('fallback', fallback)
  const arrivals = createJoins(stacks)
  /** Paths that came to a place where others were, with something new. They are walked once all others were. */
  const later: Path[] = []
  /** Where code is borrowed, all ways to the address it is borrowed from count. */
  const variants = mayDelegate(code) ? createVariants() : undefined
  let merged = false
  const queue: Path[] = [{ pc: 0, stack: undefined, memory: NO_MEMORY, facts: fallback, block: 0 }]
  let blocks = 0
  let leading = watched

  let rows: DispatchEntry[] | undefined
  /** Whether bytes from a computed place of the code decided on a way: those of a row of functions do. */
  let byRow = false

  /** The list of places on the stack and in watched words of memory. */
  const returnsOf = ({ stack, memory }: Path): number => {
    let list = stack?.destinationList ?? 0
    if (watched === 0) return list
    for (let i = 0; i < MAX_WORDS; i++) {
      if (((watched >>> i) & 1) === 0) continue
      const place = placeOf(memory[i])
      list = stacks.listWith(list, place < 0 ? MAX_CODE_BYTES : place)
    }
    return list
  }

  const arrive = (state: Path): boolean => {
    // Function, place and return addresses have 9, 18 and 20 bits.
    const key = (returnsOf(state) * MAX_FUNCTIONS + state.facts.index) * MAX_CODE_BYTES + state.pc
    if (variants && state.facts === fallback) {
      const met = variants.visit(key, state.stack, state.memory)
      merged ||= met === 'many'
      if (met !== 'new') return false
    } else {
      const met = arrivals.visit(key, state)
      if (met !== 'first') {
        if (met === 'known' || endsAt(state.pc)) return false
        if (met === 'beyond' || later.length + queue.length >= MAX_COST.pending) state.facts.unexplored = true
        else later.push({ ...state, ...met })
        return false
      }
    }
    state.block = ++blocks
    return true
  }

  /** Notes where a jump takes its place from. One that is computed from numbers of earlier is none that `arrive` tells apart. */
  const headFor = (state: Path, target: Value) => {
    if (target.t !== 'const') return lost(state, target)
    if (target.fromEarlierBlock) book.incomplete = true
    leading |= target.memoryWords ?? 0
  }

  const wait = (state: Path) => {
    if (queue.length >= MAX_COST.pending) {
      book.incomplete = true
      return
    }
    queue.push(state)
    work.pending = Math.max(work.pending, queue.length)
  }

  const functionOf = (selector: string): Facts | undefined => {
    const known = functions.get(selector)
    if (known) return known
    if (functions.size >= MAX_FUNCTIONS) {
      book.incomplete = true
      return undefined
    }
    const facts = emptyFacts(selector, functions.size, book)
    // A contract that takes no coins at all refuses them before it looks which function is called.
    facts.nonPayable = fallback.nonPayable
    // One that is for some callers only may ask who calls before that, too.
    for (const one of fallback.callerSlots) noteSlot(facts, 'callerSlots', one, one.kind)
    for (const who of fallback.callerConstants) addUnique(facts, 'callerConstants', who)
    functions.set(selector, facts)
    return facts
  }

  const instructionOf = (pc: number): Instruction => {
    const known = instructions.get(pc) ?? instructionAt(code, pc)
    instructions.set(pc, known)
    return known
  }

  /** Whether nothing but a refusal without words stands there. */
  const refusesAt = (pc: number): boolean => {
    for (let at = pc, left = MAX_REFUSING; at >= 0 && left > 0; left--) {
      const { op, next } = instructionOf(at)
      if (op === 0xfd || op === 0xfe) return true
      // JUMPDEST, PUSH and DUP.
      if (op !== 0x5b && (op < 0x5f || op > 0x8f)) return false
      at = next
    }
    return false
  }

  const endings = new Map<number, boolean>()
  /** Whether a path does nothing from there on but refuse or answer. */
  const endsAt = (pc: number): boolean => {
    const known = endings.get(pc)
    if (known !== undefined) return known
    let ends = false
    for (let at = pc, left = MAX_ENDING; left > 0; left--) {
      const { op, next } = instructionOf(at)
      ends = op === 0xfd || op === 0xfe || op === 0xf3 || op === 0x00
      // A jump, storage, a call.
      if (ends || op === 0x54 || op === 0x55 || op === 0x56 || op === 0x57 || op >= 0xa0) break
      at = next
    }
    endings.set(pc, ends)
    return ends
  }

  /** Waits with the side that jumps, and goes on with the other. False when no side is left. */
  const branch = (state: Path, target: Value, condition: Value): boolean => {
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
    // Which function this is was not told.
    if (condition.t === 'fromSelector' && state.facts === fallback) book.incomplete = true
    byRow ||= condition.t === 'fetched' && state.facts === fallback
    if (condition.t === 'counter') noteBound(state.facts, condition, 0n, true)
    if (condition.t === 'entry' && condition.byCaller) addUnique(state.facts, 'callerMaps', condition.base)
    if (condition.t === 'zero' && condition.of.t === 'entry' && condition.of.byCaller) {
      addUnique(state.facts, 'callerMaps', condition.of.base)
    }
    const [paid, unpaid] = [condition.t === 'callvalue', condition.t === 'zero' && condition.of.t === 'callvalue']
    if ((paid && refusesAt(pc)) || (unpaid && refusesAt(state.pc))) state.facts.nonPayable = true
    if (pc >= 0) wait({ ...state, pc })
    return true
  }

  /** What takes as long as so many steps. */
  const spend = ({ facts }: Path, steps: number) => {
    work.steps = Math.min(MAX_COST.steps, work.steps + steps)
    facts.steps += steps
  }

  /** Goes on wherever a table of functions leads; a jump to any other unknown place is not followed. */
  const lost = (state: Path, target: Value) => {
    const places = bucketTargets(code, destinations, target)
    // A table of a thousand places takes a thousand looks, wherever they lead.
    if (target.t === 'cell') spend(state, target.count)
    for (const pc of places) wait({ ...state, pc })
    if (places.length > 0) return
    // One more than there may be functions.
    rows ??= target.t === 'fetched' ? dispatchEntries(code, destinations, MAX_FUNCTIONS + 1) : undefined
    if (!rows || rows.length === 0 || target.t !== 'fetched' || state.facts !== fallback) {
      book.incomplete = true
      return
    }
    book.incomplete ||= rows.length > MAX_FUNCTIONS
    spend(state, rows.length)
    for (const { selector, destination } of rows) {
      const facts = functionOf(selector)
      if (facts) wait({ ...state, pc: destination, facts })
    }
  }

  const originOf = ({ block }: Path, op: number, taken: readonly Value[], result: Value): Value => {
    if (result.t !== 'const') return result
    return op === 0x51 ? trackLoaded(result, placeIn(taken[0]), block) : trackComputed(result, taken, block)
  }

  /** Runs one instruction. False at the end of a path: a stop, a jump to nowhere, too few or too many items. */
  const advance = (state: Path): boolean => {
    const instruction = instructionOf(state.pc)
    const { op, next, push } = instruction
    const { stack } = state
    const height = stack?.height ?? 0
    state.pc = next
    if (push !== undefined) {
      if (height >= MAX_ITEMS) return false
      if (isAddress(op, push)) {
        if (addresses.size < MAX_ADDRESSES) addresses.add(addressOf(push))
        else if (!addresses.has(addressOf(push))) book.incomplete = true
      }
      if (op === 0x7f && push >> 160n > 0n && push !== WORD) noteNumber(state.facts, 'wordConstants', push)
      state.stack = stacks.push(stack, { t: 'const', v: push, block: state.block })
      return true
    }
    if (op >= 0x80 && op <= 0x8f) {
      const copied = cellAt(stack, op - 0x80)
      if (!copied || height >= MAX_ITEMS) return false
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
        if (stack) headFor(state, stack.value)
        return state.pc >= 0 && arrive(state)
      case 0x57: {
        const condition = stack?.below
        if (!stack || !condition) return false
        state.stack = condition.below
        headFor(state, stack.value)
        return branch(state, stack.value, condition.value) && arrive(state)
      }
      case 0x5b:
        return true
      default: {
        const [takes, puts] = arity(op)
        if (height < takes || height - takes + puts > MAX_ITEMS) return false
        const taken: Value[] = []
        for (let i = 0; i < takes; i++) {
          taken.push(state.stack?.value ?? UNKNOWN)
          state.stack = state.stack?.below
        }
        const result = step(state, instruction, taken, code)
        if (puts === 1) state.stack = stacks.push(state.stack, originOf(state, op, taken, result))
        return true
      }
    }
  }

  const walk = (state: Path) => {
    if (!arrive(state)) return
    do {
      if (
        ++work.steps > MAX_COST.steps ||
        ++state.facts.steps > STEPS_FUNCTION ||
        stacks.cellsMade() + MAX_CELLS > MAX_COST.cells
      ) {
        book.incomplete = true
        return
      }
    } while (advance(state))
  }

  /** Walks on where paths met, within bounds of their own: what lies beyond these is a guard that was not read whole. */
  const walkAgain = () => {
    const steps = new Map<Facts, number>()
    let all = 0
    const { incomplete } = book
    if (work.steps > MAX_COST.steps) return
    for (let state = later.pop(), met = true; state; met = queue.length === 0, state = queue.pop() ?? later.pop()) {
      const { facts } = state
      let own = steps.get(facts) ?? 0
      if (met) state.block = ++blocks
      else if (!arrive(state)) continue
      do {
        if (++all > MAX_AGAIN || ++own > STEPS_AGAIN || stacks.cellsMade() + MAX_CELLS > MAX_COST.cells) {
          facts.unexplored = true
          break
        }
      } while (advance(state))
      steps.set(facts, own)
      facts.unexplored ||= book.incomplete !== incomplete
      book.incomplete = incomplete
    }
  }

  for (let state = queue.pop(); state && work.steps <= MAX_COST.steps; state = queue.pop()) walk(state)
  walkAgain()
  fallback.delegatesToUnknown ||= merged && fallback.delegates
  work.cells = Math.max(work.cells, stacks.cellsMade())
  work.notes = Math.max(work.notes, book.notes)
  const known = [...functions.values()].map(
    ({ index: _index, steps: _steps, shared: _book, noted: _noted, slots: _slots, bounds, counters, ...facts }) => {
      for (const row of [...facts.rows, ...facts.callerRows])
        measure(row, facts.hints, bounds.get(counters.get(row) ?? 0))
      return facts
    },
  )
  for (const facts of known) {
    for (const i of facts.numericArgs) if (facts.args[i] === 'bool') facts.args[i] = 'uint'
  }
  const complete = !book.incomplete && (!byRow || rows !== undefined)
  return { facts: { functions: known, addresses: [...addresses], complete }, leading }
}
