import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'

const EPOCH = readSql(import.meta.url, './sql/epoch.sql')

/** The epoch of the tables: 1, plus one for every rebuild of the network from the bus. */
export const currentEpoch = async (store: Store, network: Network): Promise<number> => {
  const [row] = await store.query<{ epoch: number }>(EPOCH, { network }, { route: 'epoch' })
  return Math.max(1, row?.epoch ?? 1)
}

/** @throws RetryableError ASSAY_INGEST_REBUILT if the tables are of another epoch */
export const assertEpoch = async (store: Store, network: Network, epoch: number): Promise<void> => {
  if ((await currentEpoch(store, network)) === epoch) return
  throw new RetryableError(
    'ASSAY_INGEST_REBUILT',
    `The tables of ${network} were rebuilt from the bus while this scorer waited, so its position is outdated. It stopped before inserting anything. Start it again; it continues at the end of the new tables.`,
  )
}
