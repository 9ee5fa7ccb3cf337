import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'

const EPOCH = readSql(import.meta.url, './sql/epoch.sql')

/** The epoch whose rows the tables hold: 1, and one more for every rebuild of the network. */
export const currentEpoch = async (store: Store, network: Network): Promise<number> => {
  const [row] = await store.query<{ epoch: number }>(EPOCH, { network }, { route: 'epoch' })
  return Math.max(1, row?.epoch ?? 1)
}
