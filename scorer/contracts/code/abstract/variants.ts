/**
 * Tells apart states that meet at one place with other words on the stack or in memory. Where a fallback function chooses between two
 * addresses before it borrows code, both have to be walked.
 */
import type { Cell, Stack } from './stack.ts'
import type { Memory, Value } from './values.ts'

/** States of one place that are walked. */
const MAX_VARIANTS = 8
/** Constants up to this one are places in the code, lengths and counters. */
const SMALL = 0xffffn

/** What of a value can become an address. */
const nameOf = (value: Value): string => {
  if (value.t === 'const') return value.v > SMALL ? value.v.toString(16) : ''
  if (value.t === 'slot') return `${value.slot}>${value.shift}`
  if (value.t === 'entry') return `entry ${value.base}`
  return value.t === 'answer' || value.t === 'data' || value.t === 'element' ? value.t : ''
}

/** Remembers which states met at which place. Costs no more than the cells of the stacks it is shown. */
export type Variants = {
  /** `again`: a state like this was there before. `many`: others were, more than are walked. */
  visit: (place: number, stack: Stack<Value>, memory: Memory) => 'new' | 'again' | 'many'
}

/** For one walk. */
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
  /** 0 for what becomes no address. */
  const ofValue = (value: Value | undefined): number => {
    if (value === undefined) return 0
    const known = ofValues.get(value)
    if (known !== undefined) return known
    const name = nameOf(value)
    const number = name === '' ? 0 : numberOf(names, name)
    ofValues.set(value, number)
    return number
  }
  /** The number of a list and one more item: lists of a walk are fewer than 2^26. */
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
    visit: (place, stack, memory) => {
      const variant = ofStack(stack) * 2 ** 26 + ofMemory(memory)
      const known = met.get(place) ?? new Set()
      met.set(place, known)
      if (known.has(variant)) return 'again'
      if (known.size >= MAX_VARIANTS) return 'many'
      known.add(variant)
      return 'new'
    },
  }
}
