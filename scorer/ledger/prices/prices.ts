/**
 * Prices from chain data alone: swaps in pools of known factories. Dollar coins are one dollar by definition. An asset without trades
 * against a dollar coin or the native coin within the window has no price.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { PricedAssets } from './assets.ts'

const PRICES = readSql(import.meta.url, './sql/prices.sql')
const POOLS = readSql(import.meta.url, './sql/price-pools.sql')

/** How far back swaps count, s, and how many of the newest count per pool. */
const WINDOW = 7 * 86_400
const PER_POOL = 200
/** Prices are read once per this many seconds of chain time, so that all callers in between get the same. */
const STEP = 60

/** US dollars per whole coin, by asset address; the native coin has the empty key. */
export type Prices = ReadonlyMap<string, number>

type PriceRow = { asset: string; in_native: 0 | 1; price: number; traded: number }

/** Computes prices from rows. The route with more dollars traded wins; a route through the native coin needs its price. */
export const pricesOf = (rows: readonly PriceRow[], facts: PricedAssets): Prices => {
  const prices = new Map<string, number>()
  for (const [address, asset] of facts.assets) if (asset.stable) prices.set(address, 1)
  const native = rows.find((row) => row.asset === facts.wrapped && row.in_native === 0)?.price
  const best = new Map<string, number>()
  for (const { asset, in_native, price, traded } of rows) {
    const unit = in_native === 1 ? native : 1
    if (unit === undefined || prices.get(asset) === 1) continue
    if (traded * unit <= (best.get(asset) ?? 0)) continue
    best.set(asset, traded * unit)
    prices.set(asset, price * unit)
  }
  if (native !== undefined) prices.set('', native)
  return prices
}

/** Addresses of a network's dollar coins. */
const stablesOf = ({ assets }: PricedAssets): string[] =>
  [...assets].flatMap(([address, { stable }]) => (stable ? [address] : []))

/** Pools that can price an asset, as of a block; none if no wrapped coin is registered. */
export const loadPricePools = async (store: Store, facts: PricedAssets, head: number): Promise<string[]> => {
  const { network, wrapped, factories } = facts
  if (wrapped === undefined) return []
  const stables = stablesOf(facts)
  const assets = [...facts.assets.keys()]
  const rows = await store.query<{ pool: string }>(
    POOLS,
    { network, head, factories, assets, stables, anchors: ['', wrapped, ...stables] },
    { route: 'price_pools' },
  )
  return rows.map(({ pool }) => pool)
}

/** Computes prices from swaps in these pools within the window before `until`, Unix seconds. */
export const loadPrices = async (
  store: Store,
  facts: PricedAssets,
  { pools, head, until }: { pools: readonly string[]; head: number; until: number },
): Promise<Prices> => {
  if (pools.length === 0) return pricesOf([], facts)
  const valued = [...facts.assets].filter(([address]) => address !== '')
  const rows = await store.query<PriceRow>(
    PRICES,
    {
      network: facts.network,
      head,
      wrapped: facts.wrapped ?? '',
      stables: stablesOf(facts),
      assets: valued.map(([address]) => address),
      factories: facts.factories,
      pools,
      decimals: valued.map(([, asset]) => asset.decimals),
      since: Math.max(0, until - WINDOW),
      until,
      per_pool: PER_POOL,
    },
    { route: 'profile_prices' },
  )
  return pricesOf(rows, facts)
}

/** Prices as of a block and its time (Unix seconds), equal for all callers within one minute of chain time. */
export type PriceReader = (facts: PricedAssets, head: number, time: number) => Promise<Prices>

/** Creates a reader that caches the newest prices of each network. */
export const createPrices = (store: Store): PriceReader => {
  const kept = new Map<string, { until: number; prices: Promise<Prices> }>()

  const read = async (facts: PricedAssets, head: number, until: number): Promise<Prices> =>
    loadPrices(store, facts, { pools: await loadPricePools(store, facts, head), head, until })

  return (facts, head, time) => {
    const until = Math.floor(time / STEP) * STEP
    const known = kept.get(facts.network)
    if (known?.until === until) return known.prices
    const prices = read(facts, head, until)
    kept.set(facts.network, { until, prices })
    prices.catch(() => kept.delete(facts.network))
    return prices
  }
}
