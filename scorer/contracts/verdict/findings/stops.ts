/** Which stops of all trade are pauses, and which limits. */

import type { Effect } from '../../power/effects/effects.ts'
import type { Power, PowerFacts } from '../../power/power.ts'

const numberOf = (power: Power): bigint => {
  for (const arg of power.args) {
    if (typeof arg === 'bigint') return arg
  }
  return 0n
}

/** What calls of one function can do. */
export type Grouped = { selector: string; effects: Set<Effect>; powers: Power[]; kinds: string[] }

/** Powers by the function that has them, in the order found. */
export const bySelector = (powers: Power[]): Grouped[] => {
  const groups = new Map<string, Grouped>()
  for (const power of powers) {
    const key = `${power.target}${power.selector}`
    const group = groups.get(key) ?? {
      selector: power.selector,
      effects: new Set(),
      powers: [],
      kinds: power.kinds,
    }
    group.effects.add(power.effect)
    group.powers.push(power)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Whether a call names nobody but who makes it, and contracts that fail. */
const namesOwn = ({ actor, args }: Power, failer: string): boolean => {
  const named = args.filter((arg) => typeof arg === 'string')
  return named.length > 0 && named.every((who) => who === actor || who === failer)
}

/**
 * Splits stops of all trade into pauses and limits: a function that stops everyone for small numbers only sets a
 * limit; one that stops everyone for large numbers only sets a date or a tax.
 */
export const stopsOf = (
  groups: Grouped[],
  { token, refuser, failer }: PowerFacts,
): { pauses: Power[]; limits: Power[] } => {
  const pauses: Power[] = []
  const limits: Power[] = []
  for (const group of groups) {
    const stops = group.powers.filter((power) => power.effect === 'freeze_all' || power.effect === 'halt_trading')
    limits.push(...group.powers.filter((power) => power.effect === 'limit'))
    if (stops.length === 0) continue
    const taxes = group.effects.has('tax_all')
    // The contract named here is asked or told about every transfer: one that says no, or fails, stops everyone.
    if (group.kinds.length === 1) pauses.push(...stops.filter(({ args }) => args[0] === refuser || args[0] === failer))
    else pauses.push(...stops.filter((power) => power.target !== token && namesOwn(power, failer)))
    if (group.kinds.includes('address') || group.kinds.includes('array')) continue
    if (!group.kinds.includes('uint')) pauses.push(...stops)
    else if (!taxes) {
      const smallest = stops.map(numberOf).sort((a, b) => Number(a - b))[0] ?? 0n
      if (group.effects.has('limit') || smallest <= 1n) limits.push(...stops)
      else pauses.push(...stops)
    }
  }
  return { pauses, limits }
}
