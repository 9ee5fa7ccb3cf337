/**
 * Distinguishes states that reach the same destination with different addresses on the stack or in memory. If a fallback
 * function selects one of two addresses before it delegates, both have to be followed.
 */
import type { Cell, Stack } from './stack.ts'
import type { Memory, Value } from './values.ts'

/** States followed from one destination. */
const MAX_VARIANTS = 8
/** Constants up to this one are code offsets, lengths and counters. */
const SMALL = 0xffffn

/** Text for a value that can become an address; empty for others. */
const nameOf = (value: Value): string => {
  if (value.t === 'const') return value.v > SMALL ? value.v.toString(16) : ''
  if (value.t === 'slot') return `${value.slot}>${value.shift}`
  if (value.t === 'entry') return `entry ${value.base}`
  return value.t === 'answer' || value.t === 'data' || value.t === 'element' ? value.t : ''
}

/** Remembers the states that reached each destination. Its cost is linear in the cells of the visited stacks. */
export type Variants = {
  /** `again`: an equal state was here before. `many`: more different states were here than are followed. */
  visit: (key: number, stack: Stack<Value>, memory: Memory) => 'new' | 'again' | 'many'
}

/** Creates the variants of one walk. */
export const createVariants = (): Variants => {
  const names = new Map<string, number>()
  const pairs = new Map<number, number>()
  const ofValues = new WeakMap<Value, number>()
  const ofCells = new WeakMap<Cell<Value>, number>()
  const ofMemories = new WeakMap<Memory, number>()
  const met = new Map<number, Set<number>>()
  const numberOf = <Key>(numbers: Map<Key, number>, key: Key): number => {
    const known = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, known)
    return known
  }
  /** Number of a value; 0 if it cannot become an address. */
  const ofValue = (value: Value | undefined): number => {
    if (value === undefined) return 0
    const known = ofValues.get(value)
    if (known !== undefined) return known
    const name = nameOf(value)
    const number = name === '' ? 0 : numberOf(names, name)
    ofValues.set(value, number)
    return number
  }
  /** Number of a list with one more item. A walk has fewer than 2^26 lists. */
  const listed = (list: number, item: number): number => numberOf(pairs, list * 2 ** 26 + item)
  const ofStack = (stack: Stack<Value>): number => {
    const above: Cell<Value>[] = []
    let at = stack
    for (; at && !ofCells.has(at); at = at.below) above.push(at)
    let number = at ? (ofCells.get(at) ?? 0) : 0
    for (let cell = above.pop(); cell; cell = above.pop()) {
      const item = ofValue(cell.value)
      if (item > 0) number = listed(number, item)
      ofCells.set(cell, number)
    }
    return number
  }
  const ofMemory = (memory: Memory): number => {
    const known = ofMemories.get(memory) ?? memory.reduce((list, value) => listed(list, ofValue(value)), 0)
    ofMemories.set(memory, known)
    return known
  }
  return {
    visit: (key, stack, memory) => {
      const variant = ofStack(stack) * 2 ** 26 + ofMemory(memory)
      const known = met.get(key) ?? new Set()
      met.set(key, known)
      if (known.has(variant)) return 'again'
      if (known.size >= MAX_VARIANTS) return 'many'
      known.add(variant)
      return 'new'
    },
  }
}
