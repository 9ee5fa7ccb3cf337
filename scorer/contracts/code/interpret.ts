/**
 * Abstract interpreter: walks every function of runtime code with symbolic values and collects facts: which functions change
 * path, the kinds of their arguments, what the caller is compared with, which slots are read. The facts choose what the
 * simulation tries; they are no verdicts.
 *
 * Both sides of every branch are taken once per (function, destination, return addresses); paths that join with other
 * values, and fallback functions that delegate, are followed a few times. Code is hostile: steps, memory, pending branches,
 * functions and notes are bounded. `complete` is false if a bound was reached or a jump went to an unknown destination.
 */
import { bucketTargets, type DispatchEntry, dispatchEntries } from './abstract/dispatch.ts'
import {
  addressOf,
  addUnique,
  emptyFacts,
  type Facts,
  type FunctionFacts,
  MAX_NOTES,
  noteBound,
  noteNumber,
  noteSlot,
  type SharedFacts,
  type SlotRow,
} from './abstract/facts.ts'
import { createInstructions } from './abstract/instructions.ts'
import { createJoins } from './abstract/joins.ts'
import { arity, MASK160, OP, WORD } from './abstract/opcodes.ts'
import { cellAt, createStacks, MAX_CELLS, MAX_ITEMS } from './abstract/stack.ts'
import { type Path, step } from './abstract/step.ts'
import {
  MAX_WORDS,
  memoryOffset,
  NO_MEMORY,
  trackComputed,
  trackLoaded,
  UNKNOWN,
  type Value,
} from './abstract/values.ts'
import { createVariants } from './abstract/variants.ts'
import { jumpDestinations, mayDelegate } from './bytecode.ts'

/** Facts about one code. Only if `complete` does a missing fact prove anything. */
export type CodeFacts = {
  functions: FunctionFacts[]
  /** Constants in reachable code that may be addresses. */
  addresses: string[]
  /** Whether all reachable code was walked and all facts were kept. */
  complete: boolean
}

/** Cost of interpreting code. `pending`: largest number of pending branches. */
export type Cost = { steps: number; cells: number; pending: number; notes: number }

/** Upper bounds of the cost. Compiled contracts of 24,576 bytes stay far below them. */
export const MAX_COST: Cost = { steps: 260_000, cells: 1_000_000, pending: 4_096, notes: MAX_NOTES }

/** Steps in one function. */
const MAX_FUNCTION_STEPS = 24_000
/** Steps of the second walk, from joins with new values: in one function, and in all. */
const [MAX_FUNCTION_JOIN_STEPS, MAX_JOIN_STEPS] = [8_000, 60_000]
/** Bytes of code that are interpreted. Networks allow 24,576 (EIP-170) to 65,536 (EIP-7907). */
export const MAX_CODE_BYTES = 2 ** 18
const MAX_FUNCTIONS = 512
const MAX_ADDRESSES = 1_024

/** Address constants are PUSH20. Immutable addresses are PUSH32, where small values are amounts. */
const isAddress = (op: number, push: bigint): boolean =>
  op === OP.PUSH20 ? push > 0xffffffffn && push !== MASK160 : op === OP.PUSH32 && push < MASK160 && push >> 96n > 0n

/**
 * Facts about every function of runtime code; typically takes 5 to 30 ms. Adds up the cost in `cost`. If jump destinations
 * turn out to be loaded from memory, as in Vyper before 0.3, walks the code again and treats those words as return addresses.
 */
export const interpret = (whole: Uint8Array, cost: Cost = { steps: 0, cells: 0, pending: 0, notes: 0 }): CodeFacts => {
  for (let returnWords = 0; ; ) {
    const { facts, jumpWords } = walkAll(whole, cost, returnWords)
    if (jumpWords === returnWords || !facts.complete) return facts
    returnWords = jumpWords
  }
}

/** Sets the length of a row: from the `rounds` of its counter, or from the constants that the selecting argument is compared with. */
const setMaxLength = (row: SlotRow, hints: readonly bigint[][], rounds: number | undefined) => {
  const most =
    row.argument === undefined
      ? rounds
      : Number(
          (hints[row.argument] ?? []).reduce((max, hint) => (hint > max && hint < MAX_CODE_BYTES ? hint : max), 0n),
        )
  if (most) row.maxLength = most
}

/**
 * One walk. `returnWords`: words of memory that count as return addresses, one bit each. `jumpWords`: words of memory that
 * jump destinations were loaded from, `returnWords` included.
 */
const walkAll = (whole: Uint8Array, cost: Cost, returnWords: number): { facts: CodeFacts; jumpWords: number } => {
  const code = whole.subarray(0, MAX_CODE_BYTES)
  const destinations = jumpDestinations(code)
  const destinationOf = (value: Value | undefined): number => {
    const pc = value?.t === 'const' && value.v < code.length ? Number(value.v) : -1
    return destinations[pc] === 1 ? pc : -1
  }
  const stacks = createStacks<Value>(destinationOf)
  const instructions = createInstructions(code)
  const functions = new Map<string, Facts>()
  const addresses = new Set<string>()
  const shared: SharedFacts = { notes: 0, incomplete: code.length < whole.length }
  const fallback = emptyFacts('fallback', 0, shared)
  functions.set('fallback', fallback)
  const joins = createJoins(stacks)
  /** Paths that join earlier ones with new values. They are walked after all others. */
  const joining: Path[] = []
  /** If the code delegates, all paths to the delegated address matter. */
  const variants = mayDelegate(code) ? createVariants() : undefined
  let variantsCut = false
  const queue: Path[] = [{ pc: 0, stack: undefined, memory: NO_MEMORY, facts: fallback, block: 0 }]
  let blocks = 0
  let jumpWords = returnWords

  let entries: DispatchEntry[] | undefined
  /** Whether a branch depends on bytes from a computed offset of the code, as entries of a dispatch table are. */
  let byEntry = false

  /** Number of the list of return addresses on the stack and in `returnWords`. */
  const returnsOf = ({ stack, memory }: Path): number => {
    let list = stack?.destinationList ?? 0
    if (returnWords === 0) return list
    for (let i = 0; i < MAX_WORDS; i++) {
      if (((returnWords >>> i) & 1) === 0) continue
      const pc = destinationOf(memory[i])
      list = stacks.listWith(list, pc < 0 ? MAX_CODE_BYTES : pc)
    }
    return list
  }

  /** Whether to go on from a destination; starts a basic block. */
  const arrive = (path: Path): boolean => {
    // Function, destination and return addresses have 9, 18 and 20 bits.
    const key = (returnsOf(path) * MAX_FUNCTIONS + path.facts.index) * MAX_CODE_BYTES + path.pc
    if (variants && path.facts === fallback) {
      const met = variants.visit(key, path.stack, path.memory)
      variantsCut ||= met === 'many'
      if (met !== 'new') return false
    } else {
      const met = joins.visit(key, path)
      if (met !== 'first') {
        if (met === 'known' || instructions.endsAt(path.pc)) return false
        if (met === 'beyond' || joining.length + queue.length >= MAX_COST.pending) path.facts.unexplored = true
        else joining.push({ ...path, ...met })
        return false
      }
    }
    path.block = ++blocks
    return true
  }

  /** Notes where a jump destination comes from. `arrive` does not distinguish paths by the numbers it was computed from. */
  const noteDestination = (path: Path, target: Value) => {
    if (target.t !== 'const') return followTable(path, target)
    if (target.fromEarlierBlock) shared.incomplete = true
    jumpWords |= target.memoryWords ?? 0
  }

  const enqueue = (path: Path) => {
    if (queue.length >= MAX_COST.pending) {
      shared.incomplete = true
      return
    }
    queue.push(path)
    cost.pending = Math.max(cost.pending, queue.length)
  }

  /** The facts of a function, which inherit the checks before the dispatch; `undefined` beyond the limit. */
  const functionOf = (selector: string): Facts | undefined => {
    const known = functions.get(selector)
    if (known) return known
    if (functions.size >= MAX_FUNCTIONS) {
      shared.incomplete = true
      return undefined
    }
    const facts = emptyFacts(selector, functions.size, shared)
    // A contract without payable functions rejects coins before it dispatches.
    facts.nonPayable = fallback.nonPayable
    // The caller may be checked before the dispatch, too.
    for (const one of fallback.callerSlots) noteSlot(facts, 'callerSlots', one, one.kind)
    for (const who of fallback.callerConstants) addUnique(facts, 'callerConstants', who)
    functions.set(selector, facts)
    return facts
  }

  /** JUMPI: enqueues the path that jumps and goes on with the other. Returns false if no path is left. */
  const branch = (path: Path, target: Value, condition: Value): boolean => {
    const pc = destinationOf(target)
    if (condition.t === 'match' && path.facts === fallback) {
      const facts = functionOf(`0x${condition.selector.toString(16).padStart(8, '0')}`)
      if (condition.negated) {
        if (facts) enqueue({ ...path, facts })
        path.pc = pc
        return pc >= 0
      }
      if (facts && pc >= 0) enqueue({ ...path, pc, facts })
      return true
    }
    // The selector decides, but which function runs is not known.
    if (condition.t === 'fromSelector' && path.facts === fallback) shared.incomplete = true
    byEntry ||= condition.t === 'fetched' && path.facts === fallback
    if (condition.t === 'counter') noteBound(path.facts, condition, 0n, true)
    if (condition.t === 'entry' && condition.byCaller) addUnique(path.facts, 'callerMaps', condition.base)
    if (condition.t === 'zero' && condition.of.t === 'entry' && condition.of.byCaller) {
      addUnique(path.facts, 'callerMaps', condition.of.base)
    }
    const [paid, unpaid] = [condition.t === 'callvalue', condition.t === 'zero' && condition.of.t === 'callvalue']
    if ((paid && instructions.revertsAt(pc)) || (unpaid && instructions.revertsAt(path.pc)))
      path.facts.nonPayable = true
    if (pc >= 0) enqueue({ ...path, pc })
    return true
  }

  /** Counts work that takes as long as `steps` instructions. */
  const spend = ({ facts }: Path, steps: number) => {
    cost.steps = Math.min(MAX_COST.steps, cost.steps + steps)
    facts.steps += steps
  }

  /** Follows a jump through a dispatch table. A jump to any other unknown destination makes the facts incomplete. */
  const followTable = (path: Path, target: Value) => {
    const targets = bucketTargets(code, destinations, target)
    // Reading a table takes time even if its destinations are invalid.
    if (target.t === 'cell') spend(path, target.count)
    for (const pc of targets) enqueue({ ...path, pc })
    if (targets.length > 0) return
    // One entry more than the limit on functions shows whether it is exceeded.
    entries ??= target.t === 'fetched' ? dispatchEntries(code, destinations, MAX_FUNCTIONS + 1) : undefined
    if (!entries || entries.length === 0 || target.t !== 'fetched' || path.facts !== fallback) {
      shared.incomplete = true
      return
    }
    shared.incomplete ||= entries.length > MAX_FUNCTIONS
    spend(path, entries.length)
    for (const { selector, destination } of entries) {
      const facts = functionOf(selector)
      if (facts) enqueue({ ...path, pc: destination, facts })
    }
  }

  const originOf = ({ block }: Path, op: number, taken: readonly Value[], result: Value): Value => {
    if (result.t !== 'const') return result
    return op === OP.MLOAD ? trackLoaded(result, memoryOffset(taken[0]), block) : trackComputed(result, taken, block)
  }

  /** Runs one instruction. Returns false at the end of a path: a halt, an invalid jump, a stack underflow or overflow. */
  const advance = (path: Path): boolean => {
    const instruction = instructions.at(path.pc)
    const { op, next, push } = instruction
    const { stack } = path
    const height = stack?.height ?? 0
    path.pc = next
    if (push !== undefined) {
      if (height >= MAX_ITEMS) return false
      if (isAddress(op, push)) {
        if (addresses.size < MAX_ADDRESSES) addresses.add(addressOf(push))
        else if (!addresses.has(addressOf(push))) shared.incomplete = true
      }
      if (op === OP.PUSH32 && push >> 160n > 0n && push !== WORD) noteNumber(path.facts, 'wordConstants', push)
      path.stack = stacks.push(stack, { t: 'const', v: push, block: path.block })
      return true
    }
    if (op >= OP.DUP1 && op <= OP.DUP16) {
      const copied = cellAt(stack, op - OP.DUP1)
      if (!copied || height >= MAX_ITEMS) return false
      path.stack = stacks.push(stack, copied.value)
      return true
    }
    if (op >= OP.SWAP1 && op <= OP.SWAP16) {
      if (!stack || height < op - OP.SWAP1 + 2) return false
      path.stack = stacks.swap(stack, op - OP.SWAP1 + 1)
      return true
    }
    switch (op) {
      case OP.STOP:
      case OP.RETURN:
      case OP.REVERT:
      case OP.INVALID:
        return false
      case OP.SELFDESTRUCT:
        if (stack) path.facts.destroys = true
        return false
      case OP.POP:
        path.stack = stack?.below
        return stack !== undefined
      case OP.JUMP:
        path.pc = destinationOf(stack?.value)
        path.stack = stack?.below
        if (stack) noteDestination(path, stack.value)
        return path.pc >= 0 && arrive(path)
      case OP.JUMPI: {
        const condition = stack?.below
        if (!stack || !condition) return false
        path.stack = condition.below
        noteDestination(path, stack.value)
        return branch(path, stack.value, condition.value) && arrive(path)
      }
      case OP.JUMPDEST:
        return true
      default: {
        const [takes, puts] = arity(op)
        if (height < takes || height - takes + puts > MAX_ITEMS) return false
        const taken: Value[] = []
        for (let i = 0; i < takes; i++) {
          taken.push(path.stack?.value ?? UNKNOWN)
          path.stack = path.stack?.below
        }
        const result = step(path, instruction, taken, code)
        if (puts === 1) path.stack = stacks.push(path.stack, originOf(path, op, taken, result))
        return true
      }
    }
  }

  const walk = (path: Path) => {
    if (!arrive(path)) return
    do {
      if (
        ++cost.steps > MAX_COST.steps ||
        ++path.facts.steps > MAX_FUNCTION_STEPS ||
        stacks.cellsMade() + MAX_CELLS > MAX_COST.cells
      ) {
        shared.incomplete = true
        return
      }
    } while (advance(path))
  }

  /** Walks the joining paths. They have bounds of their own, beyond which the function counts as `unexplored`. */
  const walkJoins = () => {
    const steps = new Map<Facts, number>()
    let all = 0
    const { incomplete } = shared
    if (cost.steps > MAX_COST.steps) return
    for (let path = joining.pop(), met = true; path; met = queue.length === 0, path = queue.pop() ?? joining.pop()) {
      const { facts } = path
      let own = steps.get(facts) ?? 0
      if (met) path.block = ++blocks
      else if (!arrive(path)) continue
      do {
        if (
          ++all > MAX_JOIN_STEPS ||
          ++own > MAX_FUNCTION_JOIN_STEPS ||
          stacks.cellsMade() + MAX_CELLS > MAX_COST.cells
        ) {
          facts.unexplored = true
          break
        }
      } while (advance(path))
      steps.set(facts, own)
      facts.unexplored ||= shared.incomplete !== incomplete
      shared.incomplete = incomplete
    }
  }

  for (let path = queue.pop(); path && cost.steps <= MAX_COST.steps; path = queue.pop()) walk(path)
  walkJoins()
  fallback.delegatesToUnknown ||= variantsCut && fallback.delegates
  cost.cells = Math.max(cost.cells, stacks.cellsMade())
  cost.notes = Math.max(cost.notes, shared.notes)
  const known = [...functions.values()].map(
    ({ index: _index, steps: _steps, shared: _shared, noted: _noted, slots: _slots, bounds, counters, ...facts }) => {
      for (const row of [...facts.rows, ...facts.callerRows])
        setMaxLength(row, facts.hints, bounds.get(counters.get(row) ?? 0))
      return facts
    },
  )
  for (const facts of known) {
    for (const i of facts.numericArgs) if (facts.args[i] === 'bool') facts.args[i] = 'uint'
  }
  const complete = !shared.incomplete && (!byEntry || entries !== undefined)
  return { facts: { functions: known, addresses: [...addresses], complete }, jumpWords }
}
