/** The exposure report of a wallet: where its value came from and went to, over our tables and every asset with a price. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { ExposureFlow, ExposureReport } from '../../../schema/records/exposure.ts'
import { readSettled } from '../settled.ts'
import { createTieredStore } from '../tiers.ts'
import {
  createWalk,
  DEFAULT_LIMITS,
  type Exposure,
  type ExposureLimits,
  type Reached,
  walkTogether,
} from './exposure.ts'
import { createGraph, type TableGraph } from './graph.ts'
import { createValuation, type ReadValuation } from './valuation.ts'

const UNPRICED = readSql(import.meta.url, './sql/unpriced.sql')

const GRAPH = { movements: 5_000, parties: 300 }
/** Addresses of known categories named in the report. */
const MOST_CONTACTS = 25

export type ExposureOptions = {
  /** @default DEFAULT_LIMITS */
  limits?: Partial<ExposureLimits>
  /** One reader for many reports reads prices once a minute. @default a reader of its own */
  valuation?: ReadValuation
}

const cents = (usd: number): string => usd.toFixed(2)
const rounded = (share: number): number => Math.round(share * 1e6) / 1e6

/** Rounded to a millionth, so that the shares still add up to exactly what they added up to: the largest takes the rest. */
const roundedShares = (shares: Record<string, number>, total: number): Record<string, number> => {
  const entries = Object.entries(shares).map(([category, share]) => [category, rounded(share)] as [string, number])
  const [largest] = [...entries].sort((a, b) => b[1] - a[1])
  const rest = entries.reduce((sum, entry) => sum + (entry === largest ? 0 : entry[1]), 0)
  if (largest && total > 0) largest[1] = rounded(1 - rest)
  return Object.fromEntries(entries)
}

type End = Reached & { address: string }

const sumOf = (ends: readonly End[]): number => ends.reduce((sum, { share }) => sum + share, 0)

/** @param whole value of which shares are shares, US dollars, dust included; `part` of it was followed */
const categoriesOf = (ends: readonly End[], whole: number, part: number): ExposureFlow['categories'] => {
  const partOf = (some: readonly End[]) => ({
    usd: cents(sumOf(some) * part),
    share: whole > 0 ? rounded((sumOf(some) * part) / whole) : 0,
    addresses: new Set(some.map(({ address }) => address)).size,
    transfers: some.reduce((sum, { transfers }) => sum + transfers, 0),
  })
  return [...new Set(ends.map(({ category }) => category))]
    .map((category) => {
      const own = ends.filter((end) => end.category === category)
      const [nearest] = [...own].sort((a, b) => a.hops - b.hops || b.share - a.share)
      return {
        category,
        direct: partOf(own.filter(({ hops }) => hops === 1)),
        indirect: partOf(own.filter(({ hops }) => hops > 1)),
        nearest: { hops: nearest?.hops ?? 0, path: nearest?.path ?? [] },
      }
    })
    .sort((a, b) => b.direct.share + b.indirect.share - a.direct.share - a.indirect.share)
}

const flowOf = (
  { shares, reached, total, dust, swapped }: Exposure,
  graph: TableGraph,
  unpricedAssets: number,
  cut: boolean,
): ExposureFlow => {
  const whole = total + dust.usd
  const ends = [...reached].map(([key, end]): End => ({ ...end, address: end.path.at(-1) ?? key }))
  const service = ends.filter(({ address }) => graph.about(address)?.service === true)
  const ofWhole = Object.fromEntries(
    Object.entries(shares).map(([category, share]) => [category, whole > 0 ? (share * total) / whole : 0]),
  )
  const contacts = ends
    .map(({ address, category, share, hops }) => ({
      address,
      category,
      name: graph.attributions.get(address)?.name ?? null,
      share: whole > 0 ? rounded((share * total) / whole) : 0,
      usd: cents(share * total),
      hops,
    }))
    .sort((a, b) => b.share - a.share || (a.address < b.address ? -1 : 1))
  return {
    total: Number(cents(whole)),
    usd: cents(whole),
    shares: roundedShares({ ...ofWhole, dust: whole > 0 ? dust.usd / whole : 0 }, whole),
    categories: categoriesOf(ends, whole, total),
    contacts: contacts.slice(0, MOST_CONTACTS),
    swapped: cents(swapped),
    notFollowed: {
      services: cents(sumOf(service) * total),
      bridges: cents(sumOf(service.filter(({ category }) => category === 'bridge')) * total),
      limits: cents((shares.depth_limit ?? 0) * total),
      unpriced: cents((shares.unpriced ?? 0) * total),
      unpricedAssets,
      dust: { usd: cents(dust.usd), transfers: dust.transfers },
      cut,
    },
  }
}

/**
 * Where the value of a wallet came from and went to, by category: bounded (three hops, 300 addresses a direction, 5,000
 * movements each), temporal and weighted by value. Read as of one state of the tables.
 * @throws RetryableError as `readSettled` does.
 */
export const loadExposureReport = (
  store: Store,
  network: Network,
  address: string,
  { limits = {}, valuation = createValuation(store, network) }: ExposureOptions = {},
): Promise<ExposureReport> =>
  readSettled(store, network, async (heights) => {
    const { settled, head, time } = heights
    const tiered = createTieredStore(store, settled !== undefined && head > settled ? 'all' : 'final')
    const values = await valuation(head, time)
    const graph = createGraph(tiered, network, heights, values, GRAPH)
    const within = { ...DEFAULT_LIMITS, ...limits }
    const [incoming, outgoing] = [createWalk(address, 'incoming', within), createWalk(address, 'outgoing', within)]
    const [[unpriced]] = await Promise.all([
      tiered.query<{ incoming: number; outgoing: number }>(
        UNPRICED,
        { network, address, assets: values.assets },
        { route: 'exposure_unpriced' },
      ),
      walkTogether([incoming, outgoing], graph),
    ])
    const cut = graph.isCut(address)
    return {
      unit: 'USD',
      incoming: flowOf(incoming.exposure(), graph, unpriced?.incoming ?? 0, cut),
      outgoing: flowOf(outgoing.exposure(), graph, unpriced?.outgoing ?? 0, cut),
    }
  })

/** A reader of reports that reads prices once a minute for all of them. */
export const createExposureReports = (store: Store) => {
  const valuations = new Map<Network, ReadValuation>()
  return ({ network, address }: { network: Network; address: string }): Promise<ExposureReport> => {
    const valuation = valuations.get(network) ?? createValuation(store, network)
    valuations.set(network, valuation)
    return loadExposureReport(store, network, address, { valuation })
  }
}
