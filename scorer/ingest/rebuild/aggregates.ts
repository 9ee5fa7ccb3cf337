/** Recounts the tables that final rows feed, into empty tables of another database. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { RECOUNTS, type Recount, recountDifferences, recountInsert } from '../../../schema/tables/chain/recount.ts'

const ROWS = readSql(import.meta.url, './sql/rows-of-network.sql')

/** Approximate rows of a chain table per share. A share is counted in memory. */
const ROWS_AT_ONCE = 1_000_000
const MAX_BUCKETS = 4_096

/** A share of one source of one table. */
export type RecountStep = { recount: Recount; source: Recount['sources'][number]; bucket: number; name: string }

const chainTables = [...new Set(RECOUNTS.flatMap(({ sources }) => sources.flatMap(({ from }) => from)))]

/** Number of a network's rows in a table of any database of the server. */
export const rowsOf = async (store: Store, network: Network, database: string, table: string): Promise<number> => {
  const [row] = await store.query<{ rows: string }>(ROWS, { network, database, table }, { route: 'rows_of_network' })
  return Number(row?.rows ?? 0)
}

/** Number of shares to divide the keys of a network into. */
export const bucketsOf = async (store: Store, network: Network, base: string): Promise<number> => {
  const counts = await Promise.all(chainTables.map((table) => rowsOf(store, network, base, table)))
  return Math.min(MAX_BUCKETS, Math.max(1, Math.ceil(Math.max(...counts) / ROWS_AT_ONCE)))
}

/** All shares to count, always in the same order. */
export const recountSteps = (buckets: number): RecountStep[] =>
  RECOUNTS.flatMap((recount) =>
    recount.sources.flatMap((source, number) =>
      Array.from({ length: buckets }, (_, bucket) => ({
        recount,
        source,
        bucket,
        name: `${recount.table}:${number}:${bucket}`,
      })),
    ),
  )

/** Counts one share into database `into`. Repeating it with the same token has no effect. */
export const recount = (
  store: Store,
  { recount, source, bucket }: RecountStep,
  at: { network: Network; base: string; into: string; buckets: number },
  token: string,
): Promise<void> => store.command(recountInsert(recount, source.select), { ...at, bucket }, { token })

/** Result of comparing one share of a table. */
export type Difference = {
  table: string
  /** Number of keys whose rows differ from the chain tables. */
  differing: number
  /** Some of these keys, as SQL tuples. */
  examples: string[]
}

/** Compares a share of a table in database `states` with the chain tables. */
export const compareShare = async (
  store: Store,
  table: Recount,
  at: { network: Network; base: string; states: string; buckets: number; bucket: number },
): Promise<Difference> => {
  const [row] = await store.query<{ differing: string; examples: string[] }>(recountDifferences(table), at, {
    route: 'compare_aggregates',
  })
  return { table: table.table, differing: Number(row?.differing ?? 0), examples: row?.examples ?? [] }
}
