import { readSql } from '../../../platform/store/sql.ts'
import type { LoadOptions } from './actions.ts'

const STANDING = readSql(import.meta.url, './sql/standing.sql')

/** How long a wallet is there and how much it did. */
export type Standing = {
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

export const NOTHING_DONE: Standing = { first_seen: null, transactions: 0, fees: 0, nfts: 0, liquidity: 0 }

/** Standing of the wallets that have any row; one query. */
export const loadStandings = async (options: LoadOptions): Promise<Map<string, Standing>> => {
  const { store, facts, addresses } = options
  const rows = await store.query<Standing & { address: string }>(
    STANDING,
    { network: facts.network, addresses },
    { route: 'profile_standing' },
  )
  return new Map(rows.map((row) => [row.address, row]))
}
