/**
 * Pools that anybody may have made: those without a registered factory, and those of a registered factory for a token without a
 * price, which anybody can create. Anybody can create a pool, swap in it with ten wallets of his own, and withdraw what he put in.
 * So none of them ends a trace or clears anybody. If strangers trade in a pool, proceeds from it are doubtful, because they may be
 * anybody's. Faking that must cost as much as mixing in honest funds.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { familyOf, type Network } from '../../../schema/networks.ts'
import { DEX_FACTORIES } from '../../../schema/registry/contracts.ts'
import type { TieredStore } from '../reading/tiers.ts'
import type { Valuation } from './valuation.ts'

const MARKETS = readSql(import.meta.url, './sql/markets.sql')
const LISTINGS = readSql(import.meta.url, './sql/listings.sql')
const STATED = readSql(import.meta.url, './sql/stated-pools.sql')

/** Minimum number of traders with distinct first funders: wallets created by one party count once. */
const LEAST_FUNDERS = 10
/** Maximum share of the inflow from one account. */
const MAX_OF_ONE = 0.5
/** Minimum days between first and last purchase. Six of ten tokens live for less than one (Cernera et al. 2023). */
const LEAST_DAYS = 7
/** Minimum purchases of an account that counts, US dollars: a swap event alone costs only gas. */
const LEAST_USD = 10

type Market = { pool: string; funders: number; largest: number; days: number }

/**
 * Pools in which strangers trade, by what they paid into them up to block `head`: ten buyers with distinct funders over a week, none of
 * whom contributed more than half.
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
 * Addresses that swaps of registered programs name as their pools, on networks without pool announcements, and whether they trade one of
 * the `assets` for something else.
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

/** Pools of registered factories that trade a token without a price for a coin that was seen to be deposited. */
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
