/**
 * Adds hot rows to the final rows of wallets. One statement over both tiers takes as long as three sequential ones, because fifty merged
 * columns are expensive to plan. Parallel statements take half of that, and wallets without final rows need only one. The result
 * equals the view `wallet_features_all` exactly.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'

const HOT = readSql(import.meta.url, './sql/wallet-hot.sql')
const DISTINCT = readSql(import.meta.url, './sql/wallet-distinct.sql')

/** A row of the store. Wide integers are text. */
export type Row = Record<string, string | number | null>

const EARLIEST = new Set(['first_seen', 'sent_first', 'paid_first'])
const LATEST = new Set(['last_seen', 'sent_last', 'sent_last_position', 'sent_max', 'paid_last', 'paid_max'])

const merged = (name: string, final: string | number, hot: string | number): string | number => {
  const [a, b] = [BigInt(final), BigInt(hot)]
  if (EARLIEST.has(name)) return a < b ? final : hot
  if (LATEST.has(name)) return a > b ? final : hot
  return String(a + b)
}

/** Joins the parts of a row. Columns of `distinct` win; all others except the address are numbers. */
const joined = (distinct: Row, final: Row, hot: Row): Row => {
  const row = { ...final, ...hot, ...distinct }
  for (const name in row) {
    const [before, since] = [final[name] ?? null, hot[name] ?? null]
    if (name in distinct) continue
    row[name] = before === null || since === null ? (since ?? before) : merged(name, before, since)
  }
  return row
}

/** Final rows combined with the hot rows of `addresses`, in the shape of `wallet-final.sql`. */
export const withHotRows = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
  reading: Promise<Row[]>,
): Promise<Row[]> => {
  const byAddress = (rows: readonly Row[]) => new Map(rows.map((row) => [row.address, row]))
  const ask = async (sql: string, some: readonly string[], route: string): Promise<Map<Row[string] | undefined, Row>> =>
    byAddress(
      some.length === 0
        ? []
        : await store.query<Row>(sql, { network, addresses: some }, { route: `wallet_features_${route}` }),
    )
  const rows = byAddress(await reading)
  const inBoth = addresses.filter((address) => rows.has(address))
  const [distinct, hot] = await Promise.all([ask(DISTINCT, inBoth, 'distinct'), ask(HOT, addresses, 'hot')])
  for (const [address, since] of hot) {
    const [before, both] = [rows.get(address), distinct.get(address)]
    rows.set(address, before && both ? joined(both, before, since) : since)
  }
  return [...rows.values()]
}
