/**
 * Suppliers of look-alikes: keys that are ground to look like somebody own nothing, so the supplier sends each its first coins and the
 * dust it passes on. Its own transfers poison nobody; those of the look-alikes do.
 */
import type { LoadContext } from '../../context.ts'
import { fundersOf } from '../../shared/first-funders.ts'

/** Look-alikes a supplier is convicted by: one may have been fed by a friend, or paid by mistake. Our choice. */
const MIN_LOOKALIKES = 2
/** Part of the addresses it began with coins and dust that are look-alikes: those who welcome users feed others. Our choice. */
const LOOKALIKE_SHARE = 0.5

/** Dust from one to another that the other did not sign. */
type Gift = { address: string; victim: string }

/** Addresses each giver of dust also sent the first coins to, of givers with several such. */
export const startedBy = async (context: LoadContext, gifts: readonly Gift[]): Promise<Map<string, Set<string>>> => {
  const fed = new Map<string, Set<string>>()
  for (const { address, victim } of gifts) fed.set(address, (fed.get(address) ?? new Set()).add(victim))
  const several = [...fed].filter(([, receivers]) => receivers.size >= MIN_LOOKALIKES)
  const funder = await fundersOf(
    context,
    several.flatMap(([, receivers]) => [...receivers]),
  )
  return new Map(
    several.flatMap(([giver, receivers]) => {
      const started = [...receivers].filter((receiver) => funder.get(receiver) === giver)
      return started.length >= MIN_LOOKALIKES ? [[giver, new Set(started)] as const] : []
    }),
  )
}

/** Whether so many of the addresses somebody began are look-alikes that it is in the business. */
export const supplies = (started: ReadonlySet<string>, lookalikes: ReadonlySet<string>): boolean =>
  lookalikes.size >= MIN_LOOKALIKES && lookalikes.size >= LOOKALIKE_SHARE * started.size
