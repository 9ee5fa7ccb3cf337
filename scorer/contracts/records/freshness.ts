/**
 * Which records still say what the chain says: by its blocks, not by the clock. A record is fresh while the stream of
 * analyses follows its network, it rests on one of the newest blocks, and nothing that concerns it happened since.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { announcerOf, contractRegistry } from '../subject/registry.ts'
import { createBacklog } from './backlog.ts'

const HEIGHT = readSql(import.meta.url, './sql/height.sql')
const MOVED = readSql(import.meta.url, './sql/moved.sql')
const STANDING = readSql(import.meta.url, './sql/standing.sql')

/**
 * Blocks a record may be behind the newest one, an hour on Ethereum: what is done to a contract without an event, by
 * somebody nobody knows, is seen no later.
 */
export const FRESH_BLOCKS = 300
/** Change of a reserve by swaps since the analysis that makes it outdated: the price moved by half or more (x * y = k). */
const MOVED_SHARE = 0.25

/** Addresses whose records the API may serve as they are, without an analysis. No record, no address. */
export type Freshness = (network: Network, addresses: readonly string[]) => Promise<ReadonlySet<string>>

/** Returns which of the records at these addresses are fresh. */
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
    // Nobody follows the network, or a reorg is being followed.
    if (!progress || progress.canonical !== progress.hash) return new Set()
    const since = Math.max(0, head - FRESH_BLOCKS)
    const settled = standing.filter(
      ({ height, version, put_off }) => height >= since && Number(put_off) < Number(version),
    )
    if (settled.length === 0) return new Set()
    const [stale, moved] = await Promise.all([
      head > progress.height ? backlog.stale(Math.max(progress.height, since), head) : [],
      store.query<{ address: string }>(
        MOVED,
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
