/** The exposure report of a wallet: where its value came from and went to, over our tables and all priced assets. */
import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { ExposureFlow, ExposureReport } from '../../../schema/records/explained/exposure.ts'
import { type Heights, readSettled } from '../reading/settled.ts'
import { createTieredStore } from '../reading/tiers.ts'
import { followCrossings } from './crossings.ts'
import {
  createWalk,
  DEFAULT_LIMITS,
  type Exposure,
  type ExposureLimits,
  type Reached,
  walkTogether,
} from './exposure.ts'
import { createGraph, type TableGraph } from './graph.ts'
import { type LinkedGraph, linkGraphs } from './linked.ts'
import type { Movement } from './movements.ts'
import { bridgedNetworks, followBridges, type Side } from './passages.ts'
import { createValuation, type ReadValuation } from './valuation.ts'

const UNPRICED = readSql(import.meta.url, './sql/unpriced.sql')

const GRAPH = { movements: 5_000, parties: 300 }
/** Maximum number of named addresses in the report. */
const MAX_CONTACTS = 25

type ExposureOptions = {
  /** @default DEFAULT_LIMITS */
  limits?: Partial<ExposureLimits>
  /** Price readers by network. Share them between reports to read prices once a minute. @default readers of its own */
  valuationOf?: (network: Network) => ReadValuation
}

const cents = (usd: number): string => usd.toFixed(2)
const rounded = (share: number): number => Math.round(share * 1e6) / 1e6

/** Rounds shares to a millionth. The largest absorbs the difference, so that the sum stays the same. */
const roundedShares = (shares: Record<string, number>, total: number): Record<string, number> => {
  const entries = Object.entries(shares).map(([category, share]) => [category, rounded(share)] as [string, number])
  const [largest] = [...entries].sort((a, b) => b[1] - a[1])
  const rest = entries.reduce((sum, entry) => sum + (entry === largest ? 0 : entry[1]), 0)
  if (largest && total > 0) largest[1] = rounded(1 - rest)
  return Object.fromEntries(entries)
}

type End = Reached & { address: string }

const sumOf = (ends: readonly End[]): number => ends.reduce((sum, { share }) => sum + share, 0)

/** @param whole total value that shares refer to, US dollars, including dust @param part the value that was followed */
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

/** An address, with its network if that differs from the wallet's. */
const placed = ({ placeOf }: LinkedGraph, key: string) => {
  const { network, address } = placeOf(key)
  return { address, ...(address === key ? {} : { network }) }
}

const flowOf = (
  { shares, reached, total, dust, swapped }: Exposure,
  graph: LinkedGraph,
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
    .map(({ address: key, category, share, hops }) => ({
      ...placed(graph, key),
      category,
      name: graph.attributionOf(key)?.name ?? null,
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
    contacts: contacts.slice(0, MAX_CONTACTS),
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

/** How long to wait for other networks. After that, the report does without them. */
const PATIENCE = { restMs: 1_000, repeatMs: 1_000 }

type Request = { store: Store; network: Network; address: string } & Required<ExposureOptions>
/** A network and its heights when it was read. */
type AtRest = { network: Network; heights: Heights }

const tieredAt = (store: Store, { settled, head }: Heights) =>
  createTieredStore(store, settled !== undefined && head > settled ? 'all' : 'final')

/** @param others networks to which bridges are followed */
const reportOf = async (
  { store, network, address, limits, valuationOf }: Request,
  own: AtRest,
  others: readonly AtRest[],
): Promise<{ report: ExposureReport; leads: ReadonlySet<Network> }> => {
  const sides = new Map(
    [own, ...others].map(({ network, heights }) => [
      network,
      { network, store: tieredAt(store, heights), head: heights.head } satisfies Side,
    ]),
  )
  /** Networks that movements come from or go to. */
  const leads = new Set<Network>()
  const graphs = new Map<Network, TableGraph>()
  const priced = await Promise.all(
    [own, ...others].map(async (one) => ({
      ...one,
      values: await valuationOf(one.network)(one.heights.head, one.heights.time),
    })),
  )
  for (const { network, heights, values } of priced) {
    const side = sides.get(network)
    if (side === undefined) continue
    const follow = async (loaded: ReadonlyMap<string, Movement[]>) => {
      for (const other of bridgedNetworks(network, [...loaded.values()].flat())) leads.add(other)
      await followBridges(side, loaded, sides)
      for (const other of await followCrossings(side, loaded, sides)) leads.add(other)
    }
    graphs.set(network, createGraph(side.store, network, heights, values, GRAPH, { follow }))
  }
  const graph = linkGraphs(network, graphs)
  const within = { ...DEFAULT_LIMITS, ...limits }
  const [incoming, outgoing] = [createWalk(address, 'incoming', within), createWalk(address, 'outgoing', within)]
  const [[unpriced]] = await Promise.all([
    tieredAt(store, own.heights).query<{ incoming: number; outgoing: number }>(
      UNPRICED,
      { network, address, assets: priced[0]?.values.assets ?? [] },
      { route: 'exposure_unpriced' },
    ),
    walkTogether([incoming, outgoing], graph),
  ])
  const cut = graphs.get(network)?.isCut(address) ?? false
  const report: ExposureReport = {
    unit: 'USD',
    incoming: flowOf(incoming.exposure(), graph, unpriced?.incoming ?? 0, cut),
    outgoing: flowOf(outgoing.exposure(), graph, unpriced?.outgoing ?? 0, cut),
  }
  return { report, leads }
}

/** Reads while several networks are settled. */
const readAllSettled = async <T>(
  store: Store,
  [network, ...rest]: readonly Network[],
  read: (others: readonly AtRest[]) => Promise<T>,
): Promise<T> =>
  network === undefined
    ? read([])
    : readSettled(
        store,
        network,
        (heights) => readAllSettled(store, rest, (others) => read([{ network, heights }, ...others])),
        PATIENCE,
      )

/**
 * Loads the exposure report of a wallet by category: bounded (three hops, 300 addresses per direction, 5,000 movements each),
 * temporal and weighted by value, from one state of the tables. Bridges are followed to other networks if one of the addresses used
 * one and the tables of the other network settle in time.
 * @throws RetryableError as `readSettled` does.
 */
export const loadExposureReport = (
  store: Store,
  network: Network,
  address: string,
  { limits = {}, valuationOf = (of) => createValuation(store, of) }: ExposureOptions = {},
): Promise<ExposureReport> => {
  const request = { store, network, address, limits, valuationOf }
  return readSettled(store, network, async (heights) => {
    const own = { network, heights }
    const { report, leads } = await reportOf(request, own, [])
    if (leads.size === 0) return report
    try {
      return await readAllSettled(store, [...leads], async (others) => {
        const indexed = others.filter(({ heights }) => heights.head > 0)
        return indexed.length === 0 ? report : (await reportOf(request, own, indexed)).report
      })
    } catch (error) {
      if (error instanceof RetryableError) return report
      throw error
    }
  })
}

/** Creates a loader of reports that reads prices at most once a minute. */
export const createExposureReports = (store: Store) => {
  const valuations = new Map<Network, ReadValuation>()
  const valuationOf = (network: Network): ReadValuation => {
    const valuation = valuations.get(network) ?? createValuation(store, network)
    valuations.set(network, valuation)
    return valuation
  }
  return ({ network, address }: { network: Network; address: string }): Promise<ExposureReport> =>
    loadExposureReport(store, network, address, { valuationOf })
}
