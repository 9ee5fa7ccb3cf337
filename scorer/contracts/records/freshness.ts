/**
 * Decides which records are current, by blocks and not by the clock. A record is fresh while the stream follows its
 * network, the record is of a recent block, and none of its dependencies changed since.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { announcerOf, contractRegistry } from '../subject/registry.ts'
import { createBacklog } from './backlog.ts'

const HEIGHT = readSql(import.meta.url, './sql/height.sql')
const OUTDATED = readSql(import.meta.url, './sql/outdated.sql')
const STANDING = readSql(import.meta.url, './sql/standing.sql')

/**
 * Maximum age of a record in blocks, an hour on Ethereum. It bounds how long a change without an event by an unknown
 * account goes unnoticed.
 */
export const FRESH_BLOCKS = 300
/** Change of a reserve since the analysis that makes a record outdated: the price moved by half or more (x * y = k). */
const MOVED_SHARE = 0.25

/** Addresses whose records the API may serve without a new analysis. Addresses without a record are never included. */
export type Freshness = (network: Network, addresses: readonly string[]) => Promise<ReadonlySet<string>>

/** Creates the check of records at given addresses. */
export const createFreshness =
  (store: Store): Freshness =>
  async (network, addresses) => {
    const registry = contractRegistry(network)
    if (!registry || addresses.length === 0) return new Set()
    const backlog = createBacklog(store, network, registry)
    const asked = { network, addresses }
    const [progress, [tables], standing] = await Promise.all([
      backlog.progress(),
      store.query<{ height: number }>(HEIGHT, { network }, { route: 'contract_height' }),
      store.query<{ address: string; height: number; version: string; put_off: string }>(STANDING, asked, {
        route: 'contract_standing',
      }),
    ])
    const head = Number(tables?.height ?? 0)
    // Either no stream follows the network, or it is handling a reorg.
    if (!progress || progress.canonical !== progress.hash) return new Set()
    const since = Math.max(0, head - FRESH_BLOCKS)
    const settled = standing.filter(
      ({ height, version, put_off }) => height >= since && Number(put_off) < Number(version),
    )
    if (settled.length === 0) return new Set()
    const [stale, moved] = await Promise.all([
      head > progress.height ? backlog.stale(Math.max(progress.height, since), head) : [],
      store.query<{ address: string }>(
        OUTDATED,
        {
          network,
          addresses: settled.map(({ address }) => address),
          factories: registry.exchanges.map(announcerOf),
          since,
          share: MOVED_SHARE,
        },
        { route: 'contract_moved' },
      ),
    ])
    const outdated = new Set([...stale, ...moved].map(({ address }) => address))
    return new Set(settled.flatMap(({ address }) => (outdated.has(address) ? [] : [address])))
  }
