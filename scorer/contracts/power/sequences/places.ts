/** Places in storage that functions share: which calls belong together is told by what one writes and another reads. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'

const [BALANCE_OF, TOTAL_SUPPLY] = ['0x70a08231', '0x18160ddd']

/** Places where balances and supply are kept: everything reads these. */
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
 * Who of these functions reads any of some places, in their order. The code is an adversary's: each place is looked up, and no
 * function is gone through again for each other.
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
