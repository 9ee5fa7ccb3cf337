/** Metrics of tables: rows, bytes and unmerged parts. */
import type { Metrics } from '../../../platform/context/metrics.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const PARTS = readSql(import.meta.url, './parts.sql')

/** @returns a function that measures the tables once */
export const createStoreSize = (metrics: Metrics, store: Store): (() => Promise<void>) => {
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['table'] as const)
  const parts = gauge('assay_store_parts', 'Maximum number of parts in a partition of the table')
  const rows = gauge('assay_store_rows', 'Rows of the table')
  const bytes = gauge('assay_store_bytes', 'Bytes of the table on disk')
  return async () => {
    const tables = await store.query<Record<'table' | 'parts' | 'rows' | 'bytes', string>>(
      PARTS,
      {},
      { route: 'parts' },
    )
    // Removes series of dropped tables, as after a rebuild.
    for (const one of [parts, rows, bytes]) one.reset()
    for (const one of tables) {
      const labels = { table: one.table }
      parts.set(labels, Number(one.parts))
      rows.set(labels, Number(one.rows))
      bytes.set(labels, Number(one.bytes))
    }
  }
}
