/**
 * Places in storage that functions share. A sequence of calls is worth trying if one function reads what another writes. A
 * place is a slot, `map:` and the base of a mapping, or `transient:` and a slot of transient storage.
 */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { BALANCE_OF, TOTAL_SUPPLY } from '../calls/selectors.ts'

/** Places that hold balances and the supply. Nearly every function reads them. */
export const balancePlaces = (functions: readonly FunctionFacts[]): Set<string> =>
  new Set(
    functions.flatMap(({ selector, maps, reads }) =>
      selector === BALANCE_OF
        ? maps.map((base) => `map:${base}`)
        : selector === TOTAL_SUPPLY
          ? reads.map(({ slot }) => slot)
          : [],
    ),
  )

/** Places that a function reads. */
export const placesRead = ({ reads, maps, transient }: FunctionFacts): string[] => [
  ...transient,
  ...reads.map(({ slot }) => slot),
  ...maps.map((base) => `map:${base}`),
]

/**
 * Index of functions by the places they read. The returned function lists the readers of any of the given places, in the
 * order of `functions`. The index keeps the cost linear for hostile code with many functions.
 */
export const readersByPlace = (
  functions: readonly FunctionFacts[],
): ((places: Iterable<string>) => FunctionFacts[]) => {
  const byPlace = new Map<string, number[]>()
  for (const [i, facts] of functions.entries()) {
    for (const place of new Set(placesRead(facts))) {
      const readers = byPlace.get(place)
      if (readers) readers.push(i)
      else byPlace.set(place, [i])
    }
  }
  return (places) => {
    const found = new Set<number>()
    for (const place of places) for (const i of byPlace.get(place) ?? []) found.add(i)
    return [...found].sort((a, b) => a - b).flatMap((i) => functions[i] ?? [])
  }
}
