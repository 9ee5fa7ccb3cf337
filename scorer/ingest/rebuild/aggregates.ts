/** Counts the tables that are fed by final rows again, into empty tables of another database. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { RECOUNTS, type Recount, recountDifferences, recountInsert } from '../../../schema/tables/chain/recount.ts'

const ROWS = readSql(import.meta.url, './sql/rows-of-network.sql')

/** Rows of a chain table in one share, about: a share is counted in memory. */
const ROWS_AT_ONCE = 1_000_000
const MAX_BUCKETS = 4_096

/** A share of one source of one table. */
export type RecountStep = { recount: Recount; source: Recount['sources'][number]; bucket: number; name: string }

const chainTables = [...new Set(RECOUNTS.flatMap(({ sources }) => sources.flatMap(({ from }) => from)))]

/** Rows of a network in a table of any database of the server: that in use, or the one a rebuild fills. */
export const rowsOf = async (store: Store, network: Network, database: string, table: string): Promise<number> => {
  const [row] = await store.query<{ rows: string }>(ROWS, { network, database, table }, { route: 'rows_of_network' })
  return Number(row?.rows ?? 0)
}

/** Shares to divide the keys of a network into. */
export const bucketsOf = async (store: Store, network: Network, base: string): Promise<number> => {
  const counts = await Promise.all(chainTables.map((table) => rowsOf(store, network, base, table)))
  return Math.min(MAX_BUCKETS, Math.max(1, Math.ceil(Math.max(...counts) / ROWS_AT_ONCE)))
}

/** Everything there is to count, in the same order every time. */
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

/** Counts one share into database `into`. A repetition with the same token changes nothing. */
export const recount = (
  store: Store,
  { recount, source, bucket }: RecountStep,
  at: { network: Network; base: string; into: string; buckets: number },
  token: string,
): Promise<void> => store.command(recountInsert(recount, source.select), { ...at, bucket }, { token })

/** What a comparison of one share of a table found. */
export type Difference = {
  table: string
  /** Keys whose rows are not what the chain tables give. */
  differing: number
  /** Some of them, as SQL tuples. */
  examples: string[]
}

/** Compares a share of a table of database `states` with what the chain tables give. */
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
