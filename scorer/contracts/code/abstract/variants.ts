/**
 * Tells apart states that meet at one place with other words on the stack or in memory. Where a fallback function chooses between two
 * addresses before it borrows code, both have to be walked.
 */
import type { Cell, Stack } from './stack.ts'
import type { Memory, Value } from './values.ts'

/** States of one place that are walked. */
const MOST_VARIANTS = 8
/** Constants up to this one are places in the code, lengths and counters. */
const SMALL = 0xffffn

/** What of a value can become an address. */
const nameOf = (value: Value | undefined): string => {
  if (value === undefined) return ''
  if (value.t === 'const') return value.v > SMALL ? value.v.toString(16) : ''
  if (value.t === 'slot') return `${value.slot.toString(16)}>${value.shift}`
  if (value.t === 'entry') return `entry ${value.base}`
  return value.t === 'answer' || value.t === 'data' || value.t === 'element' ? value.t : ''
}

/** Remembers which states met at which place. Costs no more than the cells of the stacks it is shown. */
export type Variants = {
  /** `again`: a state like this was there before. `many`: others were, more than are walked. */
  meet: (place: number, stack: Stack<Value>, memory: Memory) => 'new' | 'again' | 'many'
}

/** For one walk. */
export const createVariants = (): Variants => {
  const numbers = new Map<string, number>()
  const ofCells = new WeakMap<Cell<Value>, number>()
  const ofMemories = new WeakMap<Memory, number>()
  const met = new Map<number, Set<number>>()
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size + 1
    numbers.set(name, known)
    return known
  }
  const ofStack = (stack: Stack<Value>): number => {
    const above: Cell<Value>[] = []
    let at = stack
    for (; at && !ofCells.has(at); at = at.below) above.push(at)
    let number = at ? (ofCells.get(at) ?? 0) : 0
    for (let cell = above.pop(); cell; cell = above.pop()) {
      const name = nameOf(cell.value)
      if (name) number = numberOf(`${number} ${name}`)
      ofCells.set(cell, number)
    }
    return number
  }
  const ofMemory = (memory: Memory): number => {
    const known = ofMemories.get(memory) ?? numberOf(memory.map(nameOf).join())
    ofMemories.set(memory, known)
    return known
  }
  return {
    meet: (place, stack, memory) => {
      const variant = ofStack(stack) * 2 ** 21 + ofMemory(memory)
      const known = met.get(place) ?? new Set()
      met.set(place, known)
      if (known.has(variant)) return 'again'
      if (known.size >= MOST_VARIANTS) return 'many'
      known.add(variant)
      return 'new'
    },
  }
}
