/**
 * Joins paths that reach the same destination with different words on the stack or in memory, as each round of a loop does
 * with its counter. Every word at every position is followed once, not every combination of words. Two numbers that differ
 * become a counter; a word that differs a third time becomes unknown.
 */
import { isCallerOrOrigin } from './compare.ts'
import type { Cell, Stack, Stacks } from './stack.ts'
import { CALLER, type Memory, sameValue, UNKNOWN, type Value } from './values.ts'

/** Stack and memory of a path. */
export type PathValues = { stack: Stack<Value>; memory: Memory }
/** Remembers the paths that reached each destination. */
export type Joins = {
  /**
   * `first`: no path was here before. `known`: earlier paths cover this one. `beyond`: too many paths were here. Otherwise
   * the joined values to go on with. `key` identifies the destination.
   */
  visit: (key: number, now: PathValues) => 'first' | 'known' | 'beyond' | PathValues
}

/** Words compared from the top of the stack. */
const MAX_COMPARED = 32
/** Times that a destination is walked from. */
const MAX_VISITS = 4
/** Largest difference between values of one loop counter. */
const MAX_DIFFERENCE = 2n ** 32n

/** The signed difference of two words. */
const difference = (a: bigint, b: bigint): bigint => BigInt.asIntN(256, a - b)
const isNear = (a: bigint, b: bigint): boolean => {
  const by = difference(a, b)
  return by < MAX_DIFFERENCE && by > -MAX_DIFFERENCE
}

/** Whether one of two words is a flag, and the other is a flag or 0 or 1. */
const areFlags = (a: Value, b: Value): boolean =>
  a.t === 'flag' ? b.t === 'flag' || (b.t === 'const' && b.v <= 1n) : b.t === 'flag' && a.t === 'const' && a.v <= 1n

/** Whether a path with `old` already showed everything that `value` would show. */
const covers = (old: Value | undefined, value: Value | undefined): boolean => {
  if (value === undefined || old === value) return true
  if (old === undefined) return false
  if (old.t === 'unknown') return !isCallerOrOrigin(value)
  if (areFlags(old, value)) return true
  if (old.t === 'counter') return value.t === 'counter' || (value.t === 'const' && isNear(value.v, old.plus))
  return sameValue(old, value)
}

/** Whether two stacks have the same height and the same jump destinations at the same positions. */
const isAlike = (a: Stack<Value>, b: Stack<Value>): boolean => {
  if (a?.height !== b?.height) return false
  for (let depth = 0; a && b && a !== b && depth < MAX_COMPARED; depth++) {
    if (a.destinationList !== b.destinationList) return false
    a = a.below
    b = b.below
  }
  return true
}

/** Creates the joins of one walk. */
export const createJoins = (stacks: Stacks<Value>): Joins => {
  const met = new Map<number, PathValues[]>()
  let counters = 0

  /** One word for the earlier words and the new one. `late`: earlier words differed already. */
  const joined = (olds: readonly (Value | undefined)[], value: Value | undefined, late: boolean): Value => {
    if (value === undefined) return UNKNOWN
    const near = value.t === 'const' && olds.find((old) => old?.t === 'const' && isNear(old.v, value.v))
    if (near && near.t === 'const' && value.t === 'const')
      return { t: 'counter', id: ++counters, plus: near.v, times: difference(value.v, near.v) }
    if (!late || value.t === 'counter') return value
    return [value, ...olds].some((one) => one && isCallerOrOrigin(one)) ? CALLER : UNKNOWN
  }

  /** Whether a word is new, and its replacement if it changes. */
  const changeOf = (olds: readonly (Value | undefined)[], value: Value | undefined, late: boolean) => {
    const isNew = !olds.some((old) => covers(old, value))
    // A counter of an outer loop stays a counter.
    const change = isNew
      ? joined(olds, value, late)
      : value?.t === 'const'
        ? olds.find((old) => old?.t === 'counter' && covers(old, value))
        : undefined
    return { isNew, change: change === value ? undefined : change }
  }

  const onStack = (before: readonly PathValues[], now: Stack<Value>, late: boolean) => {
    const changes = new Map<number, Value>()
    let isNew = false
    let olds: Stack<Value>[] = before.map(({ stack }) => stack)
    let cell: Stack<Value> = now
    for (let depth = 0; cell && depth < MAX_COMPARED; depth++) {
      // Everything below is shared.
      if (olds.includes(cell)) break
      const one: Cell<Value> = cell
      const found = changeOf(
        olds.map((old) => old?.value),
        one.value,
        late,
      )
      isNew ||= found.isNew
      if (found.change) changes.set(depth, found.change)
      olds = olds.map((old) => old?.below)
      cell = one.below
    }
    return { isNew, changes }
  }

  const inMemory = (before: readonly PathValues[], now: Memory, late: boolean) => {
    let isNew = false
    if (before.some(({ memory }) => memory === now)) return { isNew, memory: now }
    const memory = now.map((value, i) => {
      const found = changeOf(
        before.map((old) => old.memory[i]),
        value,
        late,
      )
      isNew ||= found.isNew
      return found.change ?? value
    })
    return { isNew, memory }
  }

  return {
    visit: (key, now) => {
      const before = met.get(key)
      if (!before) {
        met.set(key, [{ stack: now.stack, memory: now.memory }])
        return 'first'
      }
      const alike = before.filter(({ stack }) => isAlike(stack, now.stack))
      const late = alike.length > 1
      const onTop = onStack(alike, now.stack, late)
      const inside = inMemory(alike, now.memory, late)
      if (alike.length > 0 && !onTop.isNew && !inside.isNew) return 'known'
      if (alike.length >= MAX_VISITS || before.length >= 3 * MAX_VISITS) return 'beyond'
      const next = { stack: stacks.replace(now.stack, onTop.changes), memory: inside.memory }
      before.push(next)
      return next
    },
  }
}
