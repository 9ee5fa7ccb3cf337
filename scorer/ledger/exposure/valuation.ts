/**
 * What a movement is worth, where a verdict rests on it and somebody may want the answer wrong.
 *
 * The native coin and its wrapped form count at the fixed price of the network's entry, dollar coins as dollars: nobody can move these, and a
 * verdict does not drift with the market. Other assets of the registry count at the price that swaps in pools of known factories paid.
 * Anybody can make such swaps with himself, so a movement counts for no more than these pools hold on the other side: to make a coin
 * seem valuable, somebody has to lay that value down beside it. Any other token is worth nothing.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { type PricedAssets, pricedAssetsOf } from '../prices/assets.ts'
import { loadPricePools, loadPrices, type Prices } from '../prices/prices.ts'
import { createTieredStore } from '../reading/tiers.ts'

const DEPTHS = readSql(import.meta.url, './sql/depths.sql')

/** Without a bound. Every amount that exists is below. */
export const ANY = 1e300
/** Values are the same for as long, s of chain time. */
const STEP = 60

/** Three lists of one length: assets, what a base unit of each is worth in US dollars, and the most that a movement of it counts for. */
export type Valuation = { assets: string[]; units: number[]; caps: number[] }

/**
 * What assets are worth at a block and its time (Unix seconds). Asked again within the same minute of chain time it
 * reads nothing.
 */
export type ReadValuation = (head: number, time: number) => Promise<Valuation>

/** US dollars of a whole native coin, as the network's entry fixes it. */
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

/** Keeps the newest values of a network. */
export const createValuation = (store: Store, network: Network): ReadValuation => {
  const facts = pricedAssetsOf(network)
  const anchors = anchorsOf(facts)
  let kept: { until: number; valuation: Promise<Valuation> } | undefined

  /** Of assets that have no price of their own, which their pools state. */
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
      const cap = fixed === undefined ? (depths.get(asset) ?? 0) : ANY
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
