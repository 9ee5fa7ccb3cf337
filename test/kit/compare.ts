/** Holds the tables two stores show against each other, row for row. */
import type { Store } from '../../platform/store/store.ts'
import { TABLES } from '../../schema/block.ts'

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
