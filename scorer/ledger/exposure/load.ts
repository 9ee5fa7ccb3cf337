/**
 * The exposure report of a wallet: where its value came from and went to, over our tables. Native coin (internal calls
 * included), its wrapped form and every asset with a price count, at the prices of now; assets nobody prices do not.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { Numbers } from '../labels/guard.ts'
import { type PricedAssets, pricedAssetsOf } from '../prices/assets.ts'
import { createPrices, type PriceReader } from '../prices/prices.ts'
import { type Heights, readSettled } from '../settled.ts'
import { createTieredStore, loadTiers, readByTier, type TieredStore } from '../tiers.ts'
import { type Attribution, loadAttributions } from './attribution.ts'
import { DEFAULT_LIMITS, type Direction, type ExposureLimits, exposureOf, type LoadNeighbours } from './exposure.ts'

const FLOWS = readSql(import.meta.url, './sql/flows.sql')
const NUMBERS = readSql(import.meta.url, './sql/numbers.sql')
const DEALT = readSql(import.meta.url, './sql/dealt.sql')

/** Rows of one address that are looked at. */
const MOST_ROWS = 5_000
/** Addresses with more rows than this are not followed: reading them would take longer than a caller waits. */
const MOST_MOVEMENTS = 50_000
/** Addresses of known categories named in the report. */
const MOST_CONTACTS = 25
/** In dollars: below the first a flow is dust whatever its share, from the second on none is. */
const DUST_USD = 1
const DUST_CEILING_USD = 1_000

export type ExposureContact = {
  address: string
  category: string
  name: string | null
  /** Part of the wallet's value that it stands for, 0 to 1. */
  share: number
  /** Transfers between it and the wallet. */
  hops: number
}

export type ExposureFlow = {
  /** Value of all the wallet's flows of this direction, in `unit`. */
  total: number
  /** Share by category, 0 to 1. They add up to 1, or to 0 when nothing moved. */
  shares: Record<string, number>
  /** Largest first. */
  contacts: ExposureContact[]
}

export type ExposureReport = {
  /** What totals are in: US dollars, or the native coin where no price of it is known. */
  unit: string
  incoming: ExposureFlow
  outgoing: ExposureFlow
}

export type ExposureOptions = {
  /** @default DEFAULT_LIMITS */
  limits?: Partial<ExposureLimits>
  /** One reader for many reports reads prices once a minute. @default a reader of its own */
  prices?: PriceReader
}

type Valuation = { unit: string; assets: string[]; units: number[]; dustValue: number; dustCeiling: number }

type Numbered = Numbers & { address: string; movements: number }

type FlowRow = { address: string; counterparty: string; value: number; time: number }

/**
 * What a base unit of each asset is worth, in one unit for all. Without a price of the native coin, dollar coins and the
 * native coin cannot be compared: then the wallet is told in whichever it moved more often.
 */
const valuationOf = async (
  store: TieredStore,
  facts: PricedAssets,
  address: string,
  prices: ReadonlyMap<string, number>,
  head: number,
): Promise<Valuation> => {
  const { network, wrapped } = facts
  const unitOf = (asset: string) => 10 ** -(facts.assets.get(asset)?.decimals ?? 0)
  const inDollars = (): Valuation => {
    const assets = [...prices.keys()].filter((asset) => facts.assets.has(asset))
    const native = prices.get('')
    if (wrapped !== undefined && native !== undefined && !prices.has(wrapped)) assets.push(wrapped)
    const units = assets.map((asset) => (prices.get(asset) ?? native ?? 0) * unitOf(asset))
    return { unit: 'USD', assets, units, dustValue: DUST_USD, dustCeiling: DUST_CEILING_USD }
  }
  if (prices.has('')) return inDollars()
  const stables = [...facts.assets].filter(([, asset]) => asset.stable).map(([asset]) => asset)
  const [dealt] = await store.query<{ stable: number; native: number }>(
    DEALT,
    { network, address, stables, head },
    { route: 'exposure_dealt' },
  )
  if (dealt && dealt.stable > dealt.native) return inDollars()
  const assets = ['', ...(wrapped === undefined ? [] : [wrapped])]
  const unit = networkInfo(network).nativeCoin.symbol
  return { unit, assets, units: assets.map(unitOf), dustValue: 0, dustCeiling: Number.POSITIVE_INFINITY }
}

type Walk = {
  store: TieredStore
  network: Network
  heights: Heights
  valuation: Valuation
  attributions: Map<string, Attribution>
}

/** Neighbours out of the tables; categories it finds are kept in `attributions`. */
const loader = ({ store, network, heights, valuation, attributions }: Walk, direction: Direction): LoadNeighbours => {
  const { assets, units } = valuation
  return async (asked, need) => {
    const addresses = asked.map(({ address }) => address)
    const tiers = await loadTiers(store, network, addresses, heights)
    const counted = await readByTier(store, tiers, addresses, (tiered, some) =>
      tiered.query<Numbered>(NUMBERS, { network, addresses: some }, { route: 'exposure_numbers' }),
    )
    const numbers = new Map(counted.map((row) => [row.address, row]))
    const fresh = addresses.filter((address) => !attributions.has(address))
    for (const [address, attribution] of await loadAttributions(store, network, fresh, numbers))
      attributions.set(address, attribution)
    const tooMuch = new Set(counted.filter(({ movements }) => movements > MOST_MOVEMENTS).map(({ address }) => address))
    // The wallet asked about (without a bound) is followed whatever it is.
    const followed = asked.filter(
      ({ address, until }) =>
        until === undefined || (need.flows && !attributions.has(address) && !tooMuch.has(address)),
    )
    const back = direction === 'incoming'
    const bounds = new Map(
      followed.map(({ address, until }) => [address, until ?? (back ? Number.MAX_SAFE_INTEGER : 0)]),
    )
    const rows = await readByTier(store, tiers, [...bounds.keys()], (tiered, some) =>
      tiered.query<FlowRow>(
        FLOWS,
        {
          network,
          addresses: some,
          bounds: some.map((address) => bounds.get(address) ?? 0),
          direction: back ? 1 : -1,
          assets,
          units,
          head: heights.head,
          rows: MOST_ROWS,
        },
        { route: 'exposure_flows' },
      ),
    )
    const flows = new Map<string, FlowRow[]>()
    for (const row of rows) flows.set(row.address, [...(flows.get(row.address) ?? []), row])
    return new Map(
      addresses.map((address) => {
        const attribution = attributions.get(address)
        return [
          address,
          {
            flows: flows.get(address) ?? [],
            tooMuch: tooMuch.has(address),
            ...(attribution && { category: attribution.category, service: attribution.service }),
          },
        ]
      }),
    )
  }
}

const rounded = (share: number): number => Math.round(share * 1e6) / 1e6

/** Rounded to a millionth, so that the shares still add up to exactly what they added up to: the largest takes the rest. */
const roundedShares = (shares: Record<string, number>, total: number): Record<string, number> => {
  const entries = Object.entries(shares).map(([category, share]) => [category, rounded(share)] as [string, number])
  const [largest] = [...entries].sort((a, b) => b[1] - a[1])
  const rest = entries.reduce((sum, entry) => sum + (entry === largest ? 0 : entry[1]), 0)
  if (largest && total > 0) largest[1] = rounded(1 - rest)
  return Object.fromEntries(entries)
}

const walk = async (
  given: Walk,
  address: string,
  limits: ExposureLimits,
  direction: Direction,
): Promise<ExposureFlow> => {
  const { shares, reached, total } = await exposureOf(address, loader(given, direction), limits, direction)
  const contacts = [...reached]
    .map(([contact, { category, share, hops }]) => ({
      address: contact,
      category,
      name: given.attributions.get(contact)?.name ?? null,
      share: rounded(share),
      hops,
    }))
    .sort((a, b) => b.share - a.share || (a.address < b.address ? -1 : 1))
  return { total, shares: roundedShares(shares, total), contacts: contacts.slice(0, MOST_CONTACTS) }
}

/**
 * Where the value of a wallet came from and went to, by category: bounded (three hops, 300 addresses a direction, 5,000
 * rows each), temporal and weighted by value. Read as of one state of the tables.
 * @throws RetryableError as `readSettled` does.
 */
export const loadExposureReport = (
  store: Store,
  network: Network,
  address: string,
  { limits = {}, prices = createPrices(store) }: ExposureOptions = {},
): Promise<ExposureReport> =>
  readSettled(store, network, async (heights) => {
    const facts = pricedAssetsOf(network)
    const { settled, head, time } = heights
    const tiered = createTieredStore(store, settled !== undefined && head > settled ? 'all' : 'final')
    const now = await prices(facts, head, time)
    const valuation = await valuationOf(tiered, facts, address, now, head)
    const { dustValue, dustCeiling } = valuation
    const within = { ...DEFAULT_LIMITS, dustValue, dustCeiling, ...limits }
    const given: Walk = { store: tiered, network, heights, valuation, attributions: new Map() }
    const [incoming, outgoing] = await Promise.all([
      walk(given, address, within, 'incoming'),
      walk(given, address, within, 'outgoing'),
    ])
    return { unit: valuation.unit, incoming, outgoing }
  })
