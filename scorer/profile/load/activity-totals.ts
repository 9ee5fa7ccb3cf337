import { readSql } from '../../../platform/store/sql.ts'
import type { LoadOptions } from './actions.ts'

const TOTALS = readSql(import.meta.url, './sql/activity-totals.sql')

/** Age and activity of a wallet. */
export type ActivityTotals = {
  /** Time of the first row about the wallet, Unix seconds; null if it has none. */
  first_seen: number | null
  /** Sent and received. */
  transactions: number
  /** Total, base units of the native coin. */
  fees: number
  /** Received minus sent. */
  nfts: number
  /** Additions minus removals. */
  liquidity: number
}

/** Totals of a wallet without rows. */
export const NO_ACTIVITY: ActivityTotals = { first_seen: null, transactions: 0, fees: 0, nfts: 0, liquidity: 0 }

/** Loads activity totals with one query. Wallets without rows are absent. */
export const loadActivityTotals = async (options: LoadOptions): Promise<Map<string, ActivityTotals>> => {
  const { store, facts, addresses } = options
  const rows = await store.query<ActivityTotals & { address: string }>(
    TOTALS,
    { network: facts.network, addresses },
    { route: 'profile_activity_totals' },
  )
  return new Map(rows.map((row) => [row.address, row]))
}
