/**
 * Whether a path that comes to a place where others were brings along something new. Two paths that meet may have left different words on
 * the stack or in memory, as each round of a loop does with what it counts. Each word at each position is followed once, not each
 * combination of them: numbers that differ become one that is counted, and what differs a third time is a word of which nothing is known.
 */
import { isCallerOrOrigin } from './compare.ts'
import type { Cell, Stack, Stacks } from './stack.ts'
import { CALLER, type Memory, sameValue, UNKNOWN, type Value } from './values.ts'

/** What a path brings along. */
export type PathValues = { stack: Stack<Value>; memory: Memory }
/** Remembers who came to which place. */
export type Joins = {
  /** `first`: nobody came before. `known`: nothing is new. `beyond`: it is not followed any more. Else what to go on with. */
  visit: (place: number, now: PathValues) => 'first' | 'known' | 'beyond' | PathValues
}

/** Words from the top of the stack that are compared. */
const MAX_COMPARED = 32
/** Times a place is walked. */
const MAX_VISITS = 4
/** How far apart numbers of a loop may be from each other. */
const FAR = 2n ** 32n

/** The difference of two words as a number that may be below zero. */
const apart = (a: bigint, b: bigint): bigint => BigInt.asIntN(256, a - b)
const isNear = (a: bigint, b: bigint): boolean => {
  const far = apart(a, b)
  return far < FAR && far > -FAR
}

/** Whether one of two words is what a comparison leaves, and the other may be. */
const areFlags = (a: Value, b: Value): boolean =>
  a.t === 'flag' ? b.t === 'flag' || (b.t === 'const' && b.v <= 1n) : b.t === 'flag' && a.t === 'const' && a.v <= 1n

/** Whether whoever walked on with `old` saw all that `value` would show. */
const covers = (old: Value | undefined, value: Value | undefined): boolean => {
  if (value === undefined || old === value) return true
  if (old === undefined) return false
  if (old.t === 'unknown') return !isCallerOrOrigin(value)
  if (areFlags(old, value)) return true
  if (old.t === 'counter') return value.t === 'counter' || (value.t === 'const' && isNear(value.v, old.plus))
  return sameValue(old, value)
}

/** Whether two stacks are as high, and have the same jump destinations at the same heights. */
const isAlike = (a: Stack<Value>, b: Stack<Value>): boolean => {
  if (a?.height !== b?.height) return false
  for (let depth = 0; a && b && a !== b && depth < MAX_COMPARED; depth++) {
    if (a.destinationList !== b.destinationList) return false
    a = a.below
    b = b.below
  }
  return true
}

/** For one walk. */
export const createJoins = (stacks: Stacks<Value>): Joins => {
  const met = new Map<number, PathValues[]>()
  let counters = 0

  /** One word for what was there and what is there now. `late`: others differed before. */
  const joined = (olds: readonly (Value | undefined)[], value: Value | undefined, late: boolean): Value => {
    if (value === undefined) return UNKNOWN
    const near = value.t === 'const' && olds.find((old) => old?.t === 'const' && isNear(old.v, value.v))
    if (near && near.t === 'const' && value.t === 'const')
      return { t: 'counter', id: ++counters, plus: near.v, times: apart(value.v, near.v) }
    if (!late || value.t === 'counter') return value
    return [value, ...olds].some((one) => one && isCallerOrOrigin(one)) ? CALLER : UNKNOWN
  }

  /** What to put in the place of a word; `undefined` where it stays as it is. */
  const changeOf = (olds: readonly (Value | undefined)[], value: Value | undefined, late: boolean) => {
    const isNew = !olds.some((old) => covers(old, value))
    // What is counted in a loop around this one stays counted.
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
      // All that is below is the same.
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
    visit: (place, now) => {
      const before = met.get(place)
      if (!before) {
        met.set(place, [{ stack: now.stack, memory: now.memory }])
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
