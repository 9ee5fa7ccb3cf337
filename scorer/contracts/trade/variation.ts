/** How far trades of a token can vary over time, by its code. Plain tokens are tried once. */
import type { FunctionFacts } from '../code/abstract/facts.ts'

const TRANSFERS = ['0xa9059cbb', '0x23b872dd']
const OTHERS = ['0x70a08231', '0x095ea7b3', 'fallback']

/** What a trade may depend on beside the accounts and amounts. */
export type Variation = {
  /** Trades may differ between blocks. */
  byBlock: boolean
  /** Trades may depend on earlier trades. */
  byTrades: boolean
}

/** Reads the variation from the code of a token without a proxy. Whatever is unknown may vary. */
export const variationOf = (functions: readonly FunctionFacts[], complete: boolean): Variation => {
  const found = (selectors: readonly string[]) => functions.filter(({ selector }) => selectors.includes(selector))
  const transfers = found(TRANSFERS)
  const all = [...transfers, ...found(OTHERS)]
  const known = complete && transfers.length === TRANSFERS.length
  const byBlock =
    !known ||
    all.some(
      ({ readsBlock, calls, staticCalls, delegates, creates }) =>
        readsBlock || calls || staticCalls || delegates || creates,
    )
  const kept = new Set(
    found(['0x70a08231', '0xdd62ed3e', '0x095ea7b3']).flatMap(({ maps, stores }) => [
      ...maps.map((base) => `map:${base}`),
      ...stores,
    ]),
  )
  return { byBlock, byTrades: byBlock || transfers.some(({ stores }) => stores.some((place) => !kept.has(place))) }
}
