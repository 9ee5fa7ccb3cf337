/**
 * Replaces one network's rows by those of new tables, table by table, while the watermark keeps out readers of several tables. All
 * steps are idempotent: after a crash, repeat them all.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { OnStep } from '../steps.ts'
import { rowsOf } from './aggregates.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const WATERMARK = readSql(import.meta.url, '../sql/watermark.sql')
const ENTER_WATERMARK = sql('enter-watermark')
const REPLACE_PARTITION = sql('replace-partition')
const DROP_PARTITION = sql('drop-partition')

/** Views take final rows up to the watermark. With instant finality those are all rows. */
const EVERY_BLOCK = 4_294_967_295

/** Tables of one network to exchange. `onStep` is called after each statement. */
export type Exchange = {
  store: Store
  network: Network
  /** Database of the new tables. */
  from: string
  tables: readonly string[]
  onStep: OnStep
}

const enter = async ({ store, network, onStep }: Exchange, state: 'rebuilding' | 'settled') => {
  const [before] = await store.query<{ version: string; state: string }>(WATERMARK, { network }, { route: 'watermark' })
  if (before?.state === state) return
  if (!before) {
    // A network with a hot tier but no watermark has no readers.
    if (networkInfo(network).reorgWindow > 0 || state === 'settled') return
    const first = { network, version: '1', state, settled: EVERY_BLOCK, target: EVERY_BLOCK }
    await store.insert('watermarks', `${JSON.stringify(first)}\n`, { token: `watermark:${network}:1` })
    await onStep(`watermark ${state}`)
    return
  }
  const token = `watermark:${network}:${BigInt(before.version) + 1n}`
  await store.command(ENTER_WATERMARK, { network, state }, { token })
  await onStep(`watermark ${state}`)
}

/** Makes readers of several tables wait until `releaseReaders`, or until a later state of the watermark. */
export const holdReaders = (exchange: Exchange): Promise<void> => enter(exchange, 'rebuilding')

/** Lets readers continue, with the new tables. */
export const releaseReaders = (exchange: Exchange): Promise<void> => enter(exchange, 'settled')

/** Replaces the network's partition of each table, by metadata alone. Hold readers first: between two tables they would see a mix. */
export const exchangeTables = async ({ store, network, from, tables, onStep }: Exchange): Promise<void> => {
  for (const table of tables) {
    // The store refuses to replace a partition by an empty one.
    const empty = (await rowsOf(store, network, from, table)) === 0
    await store.command(empty ? DROP_PARTITION : REPLACE_PARTITION, { network, from, table })
    await onStep(`exchanged ${table}`)
  }
}

/** The complete exchange of tables that share no bus position. After a rebuild from the bus use `takeOver`. */
export const exchange = async (all: Exchange): Promise<void> => {
  await holdReaders(all)
  await exchangeTables(all)
  await releaseReaders(all)
}
