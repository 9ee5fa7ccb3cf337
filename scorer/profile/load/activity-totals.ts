import { readSql } from '../../../platform/store/sql.ts'
import type { LoadOptions } from './actions.ts'

const TOTALS = readSql(import.meta.url, './sql/activity-totals.sql')

/** How old a wallet is and how much it did. */
export type ActivityTotals = {
  /** Unix seconds of the first row about the wallet; null for none. */
  first_seen: number | null
  /** Sent and received. */
  transactions: number
  /** Paid in all, base units of the native coin. */
  fees: number
  /** Came less those that went. */
  nfts: number
  /** Additions of liquidity less removals. */
  liquidity: number
}

/** The totals of a wallet without rows. */
export const NO_ACTIVITY: ActivityTotals = { first_seen: null, transactions: 0, fees: 0, nfts: 0, liquidity: 0 }

/** Activity totals of the wallets that have any row; one query. */
export const loadActivityTotals = async (options: LoadOptions): Promise<Map<string, ActivityTotals>> => {
  const { store, facts, addresses } = options
  const rows = await store.query<ActivityTotals & { address: string }>(
    TOTALS,
    { network: facts.network, addresses },
    { route: 'profile_activity_totals' },
  )
  return new Map(rows.map((row) => [row.address, row]))
}
