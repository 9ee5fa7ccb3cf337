/** Arguments for functions whose caller chooses the storage slot they write: the slot of the victim's balance. */
import { solve } from '../../code/abstract/expressions.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import type { Argument } from './arguments.ts'

/** Slot expressions, and base arguments, that are tried. */
const MAX_PLACES = 2

/** Slot of the victim's balance, and base slot of the mapping that contains it. */
export type BalancePlace = { slot: string; list: string | undefined }

/** Arguments that would write 0 or `most` to the slot. Running the calls shows whether they do. */
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
  // If nothing is known of the slot, it may come from an array argument.
  if (slotExpressions.length > 0 || !stores.includes('other') || !args.includes('array')) return
  const first = args.indexOf('array')
  for (const value of [0n, most]) {
    yield args.map((kind, i) => (kind === 'array' ? { array: [i === first ? wanted : value] } : value))
    // Bytes that hold slot and value look like an array in code.
    yield args.map((kind) => (kind === 'array' ? { bytes: [wanted, value] } : value))
  }
}
