/** Tells pauses from limits among the calls that stop all trade. */

import type { Effect } from '../../power/effects/effects.ts'
import type { Power, PowerFacts } from '../../power/power.ts'

const numberOf = ({ args }: Power): bigint => args.find((arg) => typeof arg === 'bigint') ?? 0n

/** Effects of the calls of one function. */
export type Grouped = { selector: string; effects: Set<Effect>; powers: Power[]; kinds: string[] }

/** Groups powers by function, in the order found. */
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

/** Whether a call's address arguments are only the caller and contracts that fail. */
const namesOnlyCaller = ({ actor, args }: Power, failer: string): boolean => {
  const named = args.filter((arg) => typeof arg === 'string')
  return named.length > 0 && named.every((who) => who === actor || who === failer)
}

/**
 * Splits stops of all trade into pauses and limits. A function that stops everyone only for small numbers sets a limit;
 * one that stops everyone only for large numbers sets a date or a tax.
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
    // The named contract is called on every transfer: if it refuses or fails, nobody can transfer.
    if (group.kinds.length === 1) pauses.push(...stops.filter(({ args }) => args[0] === refuser || args[0] === failer))
    else pauses.push(...stops.filter((power) => power.target !== token && namesOnlyCaller(power, failer)))
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
