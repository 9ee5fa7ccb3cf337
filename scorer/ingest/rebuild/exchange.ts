/**
 * Puts one network's rows of new tables in the place of the old ones, table by table, while the watermark holds readers of
 * several tables off. Each step may be repeated, so that what a crash left is completed by doing all of it again.
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

/** Views take final rows up to the watermark: where blocks are final at once these are all. */
const EVERY_BLOCK = 4_294_967_295

/** Tables of one network to be exchanged. `onStep` is called after each statement. */
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
    // A network with a hot tier and without a watermark has nothing that anybody reads.
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

/** Lets readers of several tables wait until `releaseReaders`, or until a later state of the watermark lets them go on. */
export const holdReaders = (exchange: Exchange): Promise<void> => enter(exchange, 'rebuilding')

/** Lets readers go on; what they read is of the new tables. */
export const releaseReaders = (exchange: Exchange): Promise<void> => enter(exchange, 'settled')

/**
 * Replaces the network's partition of each table, by metadata alone. Between two tables readers would see half of it,
 * so hold them first.
 */
export const exchangeTables = async ({ store, network, from, tables, onStep }: Exchange): Promise<void> => {
  for (const table of tables) {
    // An empty source would be refused, lest it empty the target by mistake.
    const empty = (await rowsOf(store, network, from, table)) === 0
    await store.command(empty ? DROP_PARTITION : REPLACE_PARTITION, { network, from, table })
    await onStep(`exchanged ${table}`)
  }
}

/** The whole exchange of tables that share no position with the bus; from the bus it takes `takeOver`. */
export const exchange = async (all: Exchange): Promise<void> => {
  await holdReaders(all)
  await exchangeTables(all)
  await releaseReaders(all)
}
