/**
 * Values movements in US dollars so that nobody can manipulate a verdict through prices.
 *
 * The native coin and its wrapped form have the fixed price of the network entry, and dollar coins are one dollar: nobody can move
 * these, and verdicts do not drift with the market. Other assets of the registry have the price of swaps in pools of known
 * factories. Anybody can trade with himself, so a movement counts for at most what these pools hold on the other side: to make a
 * coin seem valuable, somebody must deposit that value. All other tokens are worth nothing.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { type PricedAssets, pricedAssetsOf } from '../prices/assets.ts'
import { loadPricePools, loadPrices, type Prices } from '../prices/prices.ts'
import { createTieredStore } from '../reading/tiers.ts'

const DEPTHS = readSql(import.meta.url, './sql/depths.sql')

/** No cap. Larger than every existing amount. */
export const UNCAPPED = 1e300
/** Values are cached for this period of chain time, s. */
const STEP = 60

/** Three lists of equal length: assets, US dollars per base unit, and the maximum value of a movement. */
export type Valuation = { assets: string[]; units: number[]; caps: number[] }

/** Values of assets at a block and its time (Unix seconds). Cached within a minute of chain time. */
export type ReadValuation = (head: number, time: number) => Promise<Valuation>

/** US dollars per whole native coin, fixed by the network entry. */
export const fixedCoinUsd = (network: Network): number => 1_000 / networkInfo(network).nativeCoin.per1000Usd

const anchorsOf = ({ network, wrapped, assets }: PricedAssets): Map<string, number> => {
  const coin = fixedCoinUsd(network)
  const stables = [...assets].flatMap(([address, { stable }]) => (stable ? [[address, 1] as const] : []))
  return new Map([['', coin], ...(wrapped === undefined ? [] : [[wrapped, coin] as const]), ...stables])
}

const depthsOf = async (
  store: Store,
  { network, wrapped, assets, factories }: PricedAssets,
  { anchors, pools, head }: { anchors: ReadonlyMap<string, number>; pools: readonly string[]; head: number },
): Promise<ReadonlyMap<string, number>> => {
  const depths = new Map<string, number>()
  const rows = await createTieredStore(store, 'all').query<{ asset: string; against: string; held: number }>(
    DEPTHS,
    {
      network,
      head,
      wrapped: wrapped ?? '',
      factories,
      pools,
      anchors: [...anchors.keys()].filter((asset) => asset !== ''),
    },
    { route: 'exposure_depths' },
  )
  for (const { asset, against, held } of rows) {
    const usd = held * 10 ** -(assets.get(against)?.decimals ?? 18) * (anchors.get(against) ?? 0)
    depths.set(asset, (depths.get(asset) ?? 0) + usd)
  }
  return depths
}

/** Creates a reader that caches the newest values of a network. */
export const createValuation = (store: Store, network: Network): ReadValuation => {
  const facts = pricedAssetsOf(network)
  const anchors = anchorsOf(facts)
  let kept: { until: number; valuation: Promise<Valuation> } | undefined

  /** Prices of assets without a fixed price, from their pools. */
  const readOthers = async (head: number, until: number): Promise<[Prices, ReadonlyMap<string, number>]> => {
    if (![...facts.assets.keys()].some((asset) => !anchors.has(asset))) return [new Map(), new Map()]
    const pools = await loadPricePools(store, facts, head)
    if (pools.length === 0) return [new Map(), new Map()]
    return Promise.all([
      loadPrices(store, facts, { pools, head, until }),
      depthsOf(store, facts, { anchors, pools, head }),
    ])
  }

  const read = async (head: number, until: number): Promise<Valuation> => {
    const [prices, depths] = await readOthers(head, until)
    const rows = [...facts.assets].flatMap(([asset, { decimals }]) => {
      const fixed = anchors.get(asset)
      const price = fixed ?? prices.get(asset)
      const cap = fixed === undefined ? (depths.get(asset) ?? 0) : UNCAPPED
      return price === undefined || cap === 0 ? [] : [{ asset, unit: price * 10 ** -decimals, cap }]
    })
    return {
      assets: rows.map(({ asset }) => asset),
      units: rows.map(({ unit }) => unit),
      caps: rows.map(({ cap }) => cap),
    }
  }

  return (head, time) => {
    const until = Math.floor(time / STEP) * STEP
    if (kept?.until === until) return kept.valuation
    const valuation = read(head, until)
    kept = { until, valuation }
    valuation.catch(() => {
      kept = undefined
    })
    return valuation
  }
}
