/** Whether the tables hold everything that happened to a contract since it was created. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'

const LIFE = readSql(import.meta.url, './sql/life.sql')

/** Why not; `undefined` where they hold its whole life. */
export type Missing = string | undefined

/** Why counts over the token's life would be too low; `undefined` where they would be right. */
export const missingOfLife = async (store: Store | undefined, network: Network, contract: string): Promise<Missing> => {
  if (!store) return 'there are no tables'
  const [row] = await store.query<{ created: number; whole: number }>(
    LIFE,
    { network, contract },
    { route: 'contract_life' },
  )
  if (!row || Number(row.created) === 0) return 'its creation is not in the tables'
  return Number(row.whole) === 1 ? undefined : 'blocks since its creation are missing in the tables'
}
