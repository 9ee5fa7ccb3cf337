/**
 * Suppliers of look-alikes. Keys generated to look like an address own nothing, so the supplier sends each its first coins and the dust it
 * passes on. The supplier's own transfers poison nobody; those of the look-alikes do.
 */
import type { LoadContext } from '../../context.ts'
import { fundersOf } from '../../shared/first-funders.ts'

/** Minimum number of look-alikes. A single one may have been funded by a friend or by mistake. Our choice. */
const MIN_LOOKALIKES = 2
/**
 * Minimum share of look-alikes among the addresses it supplied with first coins and dust. Services that welcome users supply
 * others. Our choice.
 */
const LOOKALIKE_SHARE = 0.5

/** Dust that the receiver did not sign for. */
type Gift = { address: string; victim: string }

/** Addresses that got dust and their first coins from the same giver, by giver, for givers with several. */
export const suppliedBy = async (context: LoadContext, gifts: readonly Gift[]): Promise<Map<string, Set<string>>> => {
  const receiversOf = new Map<string, Set<string>>()
  for (const { address, victim } of gifts) receiversOf.set(address, (receiversOf.get(address) ?? new Set()).add(victim))
  const several = [...receiversOf].filter(([, receivers]) => receivers.size >= MIN_LOOKALIKES)
  const funder = await fundersOf(
    context,
    several.flatMap(([, receivers]) => [...receivers]),
  )
  return new Map(
    several.flatMap(([giver, receivers]) => {
      const supplied = [...receivers].filter((receiver) => funder.get(receiver) === giver)
      return supplied.length >= MIN_LOOKALIKES ? [[giver, new Set(supplied)] as const] : []
    }),
  )
}

/** Whether enough of the supplied addresses are look-alikes. */
export const supplies = (supplied: ReadonlySet<string>, lookalikes: ReadonlySet<string>): boolean =>
  lookalikes.size >= MIN_LOOKALIKES && lookalikes.size >= LOOKALIKE_SHARE * supplied.size
