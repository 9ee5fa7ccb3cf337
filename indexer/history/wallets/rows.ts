/** Selects the rows about one wallet, as the stream would have written them. */
import { type Block, emptyRows } from '../../../schema/block.ts'
import { WALLET_PAST_TABLES } from '../../../schema/tables/chain/chain.ts'

type Rows = Block['rows']
type PastTable = (typeof WALLET_PAST_TABLES)[number]['name']

/** In a transaction with more rows, only those about the wallet are kept: airdrops have thousands. */
const MAX_ROWS_PER_TRANSACTION = 500

const TABLES: readonly PastTable[] = WALLET_PAST_TABLES.map(({ name }) => name)

const names = (row: object, wallet: string): boolean => Object.values(row).includes(wallet)

/** Rows of all transactions in which the wallet appears, in any role. */
export const rowsAbout = (block: Pick<Block, 'rows'>, wallet: string): Rows => {
  const counts = new Map<string, number>()
  const concerned = new Set<string>()
  for (const table of TABLES) {
    for (const row of block.rows[table]) {
      counts.set(row.tx_hash, (counts.get(row.tx_hash) ?? 0) + 1)
      if (names(row, wallet)) concerned.add(row.tx_hash)
    }
  }
  const kept = (row: { tx_hash: string }) =>
    concerned.has(row.tx_hash) && ((counts.get(row.tx_hash) ?? 0) <= MAX_ROWS_PER_TRANSACTION || names(row, wallet))
  return {
    ...emptyRows(),
    transactions: block.rows.transactions.filter(kept),
    ledger: block.rows.ledger.filter(kept),
    approvals: block.rows.approvals.filter(kept),
    creations: block.rows.creations.filter(kept),
    pools: block.rows.pools.filter(kept),
    liquidity: block.rows.liquidity.filter(kept),
    swaps: block.rows.swaps.filter(kept),
    delegations: block.rows.delegations.filter(kept),
  }
}

/** Number of rows in the tables of a wallet's past; other tables, such as tokens, are not counted. */
export const countRows = (rows: Rows): number => TABLES.reduce((sum, table) => sum + rows[table].length, 0)

/** Rows of several blocks, in block order. */
export const joined = (blocks: ReadonlyMap<number, Rows>): Rows => {
  const all = emptyRows()
  for (const [, rows] of [...blocks].toSorted(([a], [b]) => a - b)) {
    all.transactions.push(...rows.transactions)
    all.ledger.push(...rows.ledger)
    all.approvals.push(...rows.approvals)
    all.creations.push(...rows.creations)
    all.pools.push(...rows.pools)
    all.liquidity.push(...rows.liquidity)
    all.swaps.push(...rows.swaps)
    all.delegations.push(...rows.delegations)
  }
  return all
}
