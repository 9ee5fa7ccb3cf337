/** Arguments of a function that writes where its caller wants: to the place where the victim's balance is. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { solve } from '../../code/abstract/parts.ts'
import type { Argument } from './candidates.ts'

/** Ways to make up a place that are tried. */
const MOST_PLACES = 2

/** Calls that would leave nothing in the slot, or `most`. Whether they are accepted, and what it comes to, is seen by running them. */
export function* writesOf(
  { places, args }: Pick<FunctionFacts, 'places' | 'args'>,
  slot: string,
  most: bigint,
): Generator<Argument[], undefined> {
  const wanted = BigInt(slot)
  for (const place of places.slice(0, MOST_PLACES)) {
    const at = place.i < 0 ? wanted : solve(place, wanted)
    if (at === undefined) continue
    const first = place.i < 0 ? args.indexOf('array') : place.i
    for (const value of [0n, most]) {
      yield args.map((kind, i): Argument => {
        if (kind === 'array') return { array: [i === first ? at : value] }
        return i === first ? at : kind === 'bool' ? true : value
      })
      // Bytes that hold the place and the value, which look like a list.
      if (place.i < 0) yield args.map((kind) => (kind === 'array' ? { bytes: [at, value] } : value))
    }
  }
}
