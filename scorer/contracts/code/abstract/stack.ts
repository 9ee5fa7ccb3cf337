/**
 * Immutable stacks of symbolic values: a branch costs one reference, whatever the height. Each cell knows its height and the
 * number of the list of jump destinations below it; equal lists have equal numbers.
 */
import { MAX_WORDS } from './values.ts'

/** Stack limit of the EVM (Yellow Paper, section 9.1). */
export const MAX_ITEMS = 1_024

/** The top of a stack. Immutable and shared by all stacks above it. */
export type Cell<Value> = {
  value: Value
  below: Cell<Value> | undefined
  height: number
  /** Number of the list of jump destinations from here down; 0 for none. */
  destinationList: number
}
/** A stack; `undefined` is the empty one. */
export type Stack<Value> = Cell<Value> | undefined

/** Cost of a list of jump destinations, in cells. */
const LIST_CELLS = 4
/** Largest cost of one instruction, in cells: SWAP16 makes 17 cells, and a jump may list the words of memory. */
export const MAX_CELLS = 17 * (1 + LIST_CELLS) + MAX_WORDS * LIST_CELLS

/** Makes the stacks of one walk and counts their cost. */
export type Stacks<Value> = {
  /** Cost so far, in cells: the measure of memory. */
  cellsMade: () => number
  /** Number of a list with one more destination, which is below 2^20. */
  listWith: (list: number, destination: number) => number
  push: (stack: Stack<Value>, value: Value) => Cell<Value>
  /** Replaces the values at some depths below the top. */
  replace: (stack: Stack<Value>, changes: ReadonlyMap<number, Value>) => Stack<Value>
  /** Exchanges the top with the item `depth` below it; the stack must be high enough. */
  swap: (stack: Cell<Value>, depth: number) => Cell<Value>
}

/** Creates the stacks of one walk. `destinationOf`: the jump destination that a value is, below 2^20, or -1. */
export const createStacks = <Value>(destinationOf: (value: Value) => number): Stacks<Value> => {
  const lists = new Map<number, number>()
  let made = 0

  const listed = (below: number, destination: number): number => {
    const key = below * 2 ** 20 + destination
    const known = lists.get(key)
    if (known !== undefined) return known
    made += LIST_CELLS
    lists.set(key, lists.size + 1)
    return lists.size
  }
  const push = (below: Stack<Value>, value: Value): Cell<Value> => {
    made++
    const destination = destinationOf(value)
    const under = below?.destinationList ?? 0
    return {
      value,
      below,
      height: (below?.height ?? 0) + 1,
      destinationList: destination < 0 ? under : listed(under, destination),
    }
  }

  return {
    cellsMade: () => made,
    listWith: listed,
    push,
    replace: (stack, changes) => {
      const above: Value[] = []
      let at = stack
      for (let left = changes.size; at && left > 0; at = at.below) {
        const change = changes.get(above.length)
        if (change !== undefined) left--
        above.push(change ?? at.value)
      }
      for (let value = above.pop(); value !== undefined; value = above.pop()) at = push(at, value)
      return at
    },
    swap: (stack, depth) => {
      const between: Value[] = []
      let at: Stack<Value> = stack.below
      while (at && between.length < depth - 1) {
        between.push(at.value)
        at = at.below
      }
      if (!at) return stack
      let swapped = push(at.below, stack.value)
      for (let value = between.pop(); value !== undefined; value = between.pop()) swapped = push(swapped, value)
      return push(swapped, at.value)
    },
  }
}

/** The cell `depth` below the top; `undefined` if the stack is not high enough. */
export const cellAt = <Value>(stack: Stack<Value>, depth: number): Stack<Value> => {
  let at = stack
  for (let i = 0; i < depth; i++) at = at?.below
  return at
}
