/** Recent sales of a token from the tables: a second opinion beside simulated sales. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { swapParameters } from '../../../schema/pairs.ts'
import { timestampOf } from '../../../schema/records/common.ts'
import type { RecentSales } from '../../../schema/records/explained/token-facts.ts'
import { type Market, pairOf } from '../market/market.ts'

const WINDOW = readSql(import.meta.url, './sql/sales-window.sql')
const SALES = readSql(import.meta.url, './sql/recent-sales.sql')

/** A week on Ethereum. */
const RECENT_BLOCKS = 50_000

/** The token with all its pools. Sales by `insiders` prove nothing and do not count. */
export type RecentSalesInput = {
  store: Store | undefined
  network: Network
  token: string
  markets: readonly Market[]
  /** The pinned block. */
  height: number
  /** Accounts whose sales do not count. */
  insiders: readonly string[]
}

const unknown = (why: string): RecentSales => ({ sellers: null, sales: null, from: null, to: null, why })

/**
 * Counts sales by outsiders in the 50,000 blocks up to the pinned one. Counts are null when the tables lack those
 * blocks.
 */
export const readRecentSales = async (input: RecentSalesInput): Promise<RecentSales> => {
  const { store, network, token, markets, height } = input
  // Trades on bonding curves are not pool swaps.
  const pools = markets.filter(({ curve }) => !curve).map((market) => pairOf(token, market))
  if (!store) return unknown('there are no tables')
  if (pools.length === 0) return unknown('the token has no pool')
  const from = Math.max(0, height - RECENT_BLOCKS)
  const [window] = await store.query<{ first: number; last: number; since: number; until: number }>(
    WINDOW,
    { network, from, height },
    { route: 'contract_sales_window' },
  )
  if (!window || Number(window.last) === 0) return unknown('the newest blocks are not in the tables')
  const [found] = await store.query<{ sellers: number; sales: number }>(
    SALES,
    {
      network,
      ...window,
      ...swapParameters(pools),
      token_first: pools.flatMap(({ id, token0 }) => (token0 === token ? [id] : [])),
      insiders: input.insiders,
    },
    { route: 'contract_recent_sales' },
  )
  return {
    sellers: Number(found?.sellers ?? 0),
    sales: Number(found?.sales ?? 0),
    from: timestampOf(1_000 * Number(window.since)),
    to: timestampOf(1_000 * Number(window.until)),
    why: null,
  }
}
