/** Whether the tables have a contract's whole history since its creation. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'

const HISTORY = readSql(import.meta.url, './sql/history.sql')

/** Why the history is incomplete; `undefined` when it is complete. */
export type HistoryGap = string | undefined

/** Why counts over the contract's life would be too low; `undefined` when they would be right. */
export const missingHistory = async (
  store: Store | undefined,
  network: Network,
  contract: string,
): Promise<HistoryGap> => {
  if (!store) return 'there are no tables'
  const [row] = await store.query<{ created: number; whole: number }>(
    HISTORY,
    { network, contract },
    { route: 'contract_life' },
  )
  if (!row || Number(row.created) === 0) return 'its creation is not in the tables'
  return Number(row.whole) === 1 ? undefined : 'blocks since its creation are missing from the tables'
}
