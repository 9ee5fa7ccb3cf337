/**
 * Replaces everything of a network in the tables in use by the contents of another database, including its position on the bus, while the
 * watermark keeps out readers of several tables. All steps are idempotent: after a crash, repeat them all. The watermark, which lets
 * readers continue, comes last.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { topics } from '../../../../schema/topics.ts'
import { type Exchange, exchangeTables, holdReaders, releaseReaders } from '../exchange.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const HOT_PARTITIONS = sql('hot-partitions-of')
const DROP_HOT = readSql(import.meta.url, '../../sql/drop-hot-partition.sql')
const REPLACE_HOT = sql('replace-hot')
const TAKE_CHUNKS = sql('take-chunks')
const KEEP_CHUNKS = sql('keep-chunks')
const TAKE_RANGES = sql('take-ranges')
const END_EPOCHS = sql('end-epochs')
const TAKE_WATERMARK = sql('take-watermark')
const TAKE_FIRST_BLOCK = sql('take-first-block')
const TAKE_LABELLED = sql('take-labelled')
const WATERMARK = readSql(import.meta.url, '../../sql/watermark.sql')

type HotPartition = { table: string; bucket: string }

const hotPartitions = (store: Store, network: Network, database: string): Promise<HotPartition[]> =>
  store.query<HotPartition>(HOT_PARTITIONS, { network, database }, { route: 'hot_partitions' })

const exchangeHot = async ({ store, network, from, home, onStep }: TakeOver) => {
  const fresh = await hotPartitions(store, network, from)
  const kept = new Set(fresh.map(({ table, bucket }) => `${table} ${bucket}`))
  for (const { table, bucket } of await hotPartitions(store, network, home)) {
    if (!kept.has(`${table} ${bucket}`)) await store.command(DROP_HOT, { network, table, bucket })
  }
  for (const { table, bucket } of fresh) await store.command(REPLACE_HOT, { network, from, table, bucket })
  await onStep('exchanged hot tables')
}

type TakeOver = Exchange & {
  /** Database in use. */
  home: string
  /** Epoch of the new tables. */
  epoch: number
}

/** Exchanges final and hot tables, takes over the position, and begins the epoch, in this order. Does not touch the past tier. */
export const takeOver = async (all: TakeOver): Promise<void> => {
  const { store, network, from, epoch, onStep } = all
  await holdReaders(all)
  await exchangeTables(all)
  await exchangeHot(all)
  await store.command(TAKE_FIRST_BLOCK, { from, network })
  await store.command(TAKE_LABELLED, { from, network })
  await store.command(TAKE_CHUNKS, { from, epoch, topics: [topics.history(network), topics.head(network)] })
  await store.command(KEEP_CHUNKS, { epoch, topic: topics.past(network) })
  await store.command(TAKE_RANGES, { from, epoch, network })
  await store.command(END_EPOCHS, { epoch, network })
  await onStep('took the position')
  await store.insert('network_epochs', `${JSON.stringify({ network, epoch, reason: 'rebuilt from the bus' })}\n`)
  await onStep('began the epoch')
  const [before] = await store.query<{ version: string }>(WATERMARK, { network }, { route: 'watermark' })
  const token = `watermark:${network}:${BigInt(before?.version ?? 0) + 1n}`
  await store.command(TAKE_WATERMARK, { from, network }, { token })
  await onStep('took the watermark')
  // Networks with instant finality have no watermark in the new tables.
  await releaseReaders(all)
}
