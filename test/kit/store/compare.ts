/** Compares the visible rows of two stores' tables. */
import type { Store } from '../../../platform/store/store.ts'
import { TABLES } from '../../../schema/block.ts'
import { RECOUNTS } from '../../../schema/tables/chain/recount.ts'

/** Every row of every data table as readers see them, as sorted JSON lines. */
export const allRows = async (store: Store, network: string): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows = await store.query<object>('SELECT * FROM {table:Identifier} WHERE network = {network:String}', {
      table: `${table}_all`,
      network,
    })
    tables[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return tables
}

/** Content of every table for any network, as sorted lines: rows as readers see them, and counts of final ones. */
export const wholeStore = async (store: Store): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows = await store.query<object>('SELECT * FROM {table:Identifier}', { table: `${table}_all` })
    tables[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  for (const { table, compared } of RECOUNTS) {
    const { columns, groupBy } = compared
    const grouped = groupBy.length === 0 ? '' : ` GROUP BY ${groupBy.join(', ')}`
    const line = `SELECT toString((${[...groupBy, ...columns].join(', ')})) AS line FROM ${table}${grouped}`
    tables[table] = (await store.query<{ line: string }>(line)).map((row) => row.line).sort()
  }
  return tables
}

/** Lines that only one of two stores holds, with the table and a sign; the first few of each table. */
export const differences = (
  expected: Record<string, readonly string[]>,
  found: Record<string, readonly string[]>,
): string[] =>
  Object.keys(expected).flatMap((table) => {
    const [wanted, held] = [new Set(expected[table]), new Set(found[table])]
    return [
      ...[...wanted]
        .filter((line) => !held.has(line))
        .map((line) => `- ${table} ${line}`)
        .slice(0, 3),
      ...[...held]
        .filter((line) => !wanted.has(line))
        .map((line) => `+ ${table} ${line}`)
        .slice(0, 3),
      ...(expected[table]?.length === found[table]?.length
        ? []
        : [`${table}: ${found[table]?.length} lines, not ${expected[table]?.length}`]),
    ]
  })
