/**
 * Pools that anybody may have made: those without a registered factory, and those of a registered one for a token without a price, which
 * anybody can make as well; and in which of them strangers trade. Anybody can make a pool, swap in it with ten wallets of his own, and take
 * out what he had brought: so none of them ends a trail, and nobody is cleared by one. Where strangers trade, what somebody got out
 * of it is doubtful: it may be anybody's. That has to cost no less than mixing in as much honest money does.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { familyOf, type Network } from '../../../schema/networks.ts'
import { DEX_FACTORIES } from '../../../schema/registry/contracts.ts'
import type { TieredStore } from '../reading/tiers.ts'
import type { Valuation } from './valuation.ts'

const MARKETS = readSql(import.meta.url, './sql/markets.sql')
const LISTINGS = readSql(import.meta.url, './sql/listings.sql')
const STATED = readSql(import.meta.url, './sql/stated-pools.sql')

/** Accounts that traded, as many as have a first funder of their own: wallets that one made count once. */
const LEAST_FUNDERS = 10
/** Part of what came in that one account may have brought. */
const MAX_OF_ONE = 0.5
/** Days between first and last purchase. Six of ten tokens live for less than one (Cernera et al. 2023). */
const LEAST_DAYS = 7
/** Purchases of one account below it count for nobody, US dollars: a swap event costs gas alone. */
const LEAST_USD = 10

type Market = { pool: string; funders: number; largest: number; days: number }

/**
 * Those of some pools in which strangers trade, by what they paid into it up to block `head`: ten buyers with funders
 * of their own, none of whom brought more than half, over a week.
 */
export const loadMarkets = async (
  store: TieredStore,
  network: Network,
  pools: readonly string[],
  { assets, units }: Valuation,
  head: number,
): Promise<Set<string>> => {
  if (pools.length === 0) return new Set()
  const found = await store.query<Market>(
    MARKETS,
    { network, pools, assets, units, head, least: LEAST_USD },
    { route: 'exposure_markets' },
  )
  return new Set(
    found.flatMap(({ pool, funders, largest, days }) =>
      funders >= LEAST_FUNDERS && largest <= MAX_OF_ONE && days >= LEAST_DAYS ? [pool] : [],
    ),
  )
}

/**
 * Those of some addresses that swaps of registered programs name as their pools, where nobody announces pools, and whether they trade
 * one of the `assets` for something else.
 */
export const loadStatedPools = async (
  store: TieredStore,
  network: Network,
  addresses: readonly string[],
  assets: readonly string[],
): Promise<Map<string, { listing: boolean }>> => {
  if (addresses.length === 0 || !familyOf(network).swapsNamePools) return new Map()
  const found = await store.query<{ pool: string; listing: 0 | 1 }>(
    STATED,
    { network, addresses, assets },
    { route: 'exposure_stated_pools' },
  )
  return new Map(found.map(({ pool, listing }) => [pool, { listing: listing === 1 }]))
}

/** Those of some pools of registered factories in which a token without a price is traded for a coin that was seen to be put there. */
export const loadListings = async (
  store: TieredStore,
  network: Network,
  pools: readonly string[],
  { assets }: Valuation,
): Promise<string[]> => {
  if (pools.length === 0) return []
  const factories = [...DEX_FACTORIES[network].keys()]
  const found = await store.query<{ pool: string }>(
    LISTINGS,
    { network, pools, assets, factories },
    { route: 'exposure_listings' },
  )
  const stated = await loadStatedPools(store, network, pools, assets)
  return [...found.map(({ pool }) => pool), ...[...stated].flatMap(([pool, { listing }]) => (listing ? [pool] : []))]
}
