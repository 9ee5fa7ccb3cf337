/**
 * Wallets of other networks that a chunk concerns: a listing by an authority holds on every network with the same keys, so their records
 * must be computed again too.
 */
import type { Bus, Producer } from '../../platform/bus/bus.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { addressAliases } from '../../schema/address/aliases.ts'
import { parseAddress } from '../../schema/address/index.ts'
import type { AuthorityRow } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import { RESCORE_PARTITIONS, topics } from '../../schema/topics.ts'
import { rescoreMessages } from '../rescore/queue.ts'
import type { Step } from './chunks/messages.ts'

const RECORDED = readSql(import.meta.url, './sql/recorded-elsewhere.sql')

/** Addresses per statement. All spellings of them must fit. */
const PAGE = 500

const LISTING: ReadonlySet<AuthorityRow['event']> = new Set([
  'sanction_add',
  'sanction_remove',
  'freeze',
  'unfreeze',
  'seize',
])

const subjectsIn = (rows: Buffer): string[] =>
  rows
    .toString()
    .split('\n')
    .filter(Boolean)
    // The indexer encodes these lines from such rows.
    .map((line) => JSON.parse(line) as AuthorityRow)
    .filter(({ event }) => LISTING.has(event))
    .map(({ subject }) => subject)

/** Addresses that the steps list or delist. For an undo, which does not name them, all touched addresses. */
const subjectsOf = (network: Network, steps: readonly Step[], touched: readonly string[]): string[] => {
  const named = steps.flatMap((step) =>
    step.kind === 'new'
      ? step.decoded.sections.flatMap(({ table, rows }) => (table === 'authority' ? subjectsIn(rows) : []))
      : step.kind === 'undo'
        ? touched
        : [],
  )
  return [...new Set(named)].filter((address) => parseAddress(network, address).ok)
}

/** Queues wallets of other networks that the steps concern. `touched`: addresses of the chunk. */
export type QueueElsewhere = (steps: readonly Step[], touched: readonly string[]) => Promise<void>

type Deps = { store: Store; bus: Pick<Bus, 'createTopics'>; producer: Producer; network: Network }

/** Creates the function. It queries the store only for listings, and queues only addresses that have a record. */
export const createQueueElsewhere =
  ({ store, bus, producer, network }: Deps): QueueElsewhere =>
  async (steps, touched) => {
    const subjects = subjectsOf(network, steps, touched)
    for (let at = 0; at < subjects.length; at += PAGE) {
      const { networks, askedOf } = addressAliases(network, subjects.slice(at, at + PAGE))
      const others = networks.filter((other) => other !== network)
      if (others.length === 0) return
      const found = await store.query<{ network: Network; address: string }>(
        RECORDED,
        { networks: others, addresses: [...askedOf.keys()] },
        { route: 'recorded_elsewhere' },
      )
      for (const other of new Set(found.map((row) => row.network))) {
        const addresses = found.filter((row) => row.network === other).map(({ address }) => address)
        // A network that is no longer indexed may still have records.
        await bus.createTopics([{ topic: topics.rescore(other), partitions: RESCORE_PARTITIONS }])
        await producer.send([{ topic: topics.rescore(other), messages: rescoreMessages(addresses) }])
      }
    }
  }
