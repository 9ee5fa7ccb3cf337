/** Arguments of a function that writes where its caller wants: to the place where the victim's balance is. */

import { solve } from '../../code/abstract/expressions.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import type { Argument } from './arguments.ts'

/** Ways to make up a place that are tried. */
const MAX_PLACES = 2

/** Slot of the victim's balance, and base of the mapping it is in. */
export type BalancePlace = { slot: string; list: string | undefined }

/** Calls that would leave nothing in the slot, or `most`. Whether they are accepted, and what it comes to, is seen by running them. */
export function* storageWrites(
  { slotExpressions, baseArgs, stores, args }: Pick<FunctionFacts, 'slotExpressions' | 'baseArgs' | 'stores' | 'args'>,
  { slot, list }: BalancePlace,
  { victim, most }: { victim: string; most: bigint },
): Generator<Argument[], undefined> {
  const wanted = BigInt(slot)
  for (const place of slotExpressions.slice(0, MAX_PLACES)) {
    const at = solve(place, wanted)
    if (at === undefined) continue
    for (const value of [0n, most]) {
      yield args.map((kind, i): Argument => {
        if (i === place.i) return at
        return kind === 'array' ? { array: [value] } : kind === 'bool' || value
      })
    }
  }
  if (list !== undefined && stores.some((place) => place.startsWith('map:') && place.endsWith('other'))) {
    for (const base of baseArgs.slice(0, MAX_PLACES)) {
      for (const value of [0n, most])
        yield args.map((kind, i) => (i === base ? BigInt(list) : kind === 'address' ? victim : value))
    }
  }
  // A place that nothing is known of may be an element of a list.
  if (slotExpressions.length > 0 || !stores.includes('other') || !args.includes('array')) return
  const first = args.indexOf('array')
  for (const value of [0n, most]) {
    yield args.map((kind, i) => (kind === 'array' ? { array: [i === first ? wanted : value] } : value))
    // Bytes that hold the place and the value look like a list.
    yield args.map((kind) => (kind === 'array' ? { bytes: [wanted, value] } : value))
  }
}
