/**
 * Measures deduplication windows: how many other inserts may come between an insert and its repetition. Each table remembers a number of
 * tokens; a table that is fed by several views uses several tokens per chunk.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES } from '../../../schema/block.ts'

const WINDOWS = readSql(import.meta.url, './sql/windows.sql')

/** Share of the smallest window that is trusted. The rest is for chunks in progress at the time of the claim. */
const TRUSTED_SHARE = 0.8

/** Tables of minima. Duplicate or late rows are harmless, and ingest inserts rows again where they may be missing. */
const REPEATABLE: ReadonlySet<string> = new Set(['first_blocks'])

type TableRow = { name: string; engine: string; views: string[]; target: string; window: number }

/** How long the store recognises repetitions. */
export type Windows = {
  /** Number of chunks and moves after which tokens are no longer trusted. */
  trusted: number
  /** Chain tables that feed other tables through views. */
  feeding: ReadonlySet<string>
}

/** Measures the actual windows of the tables in this store, including those fed by views. */
export const readWindows = async (store: Store): Promise<Windows> => {
  const rows = await store.query<TableRow>(WINDOWS, {}, { route: 'windows' })
  const tables = new Map(rows.map((row) => [row.name, row]))
  const inserts = new Map<string, number>()
  const pass = (name: string) => {
    inserts.set(name, (inserts.get(name) ?? 0) + 1)
    for (const view of tables.get(name)?.views ?? []) {
      const target = tables.get(view)?.target
      if (target && !REPEATABLE.has(target)) pass(target)
    }
  }
  const feeds = (table: string): boolean =>
    (tables.get(table)?.views ?? []).some((view) => !REPEATABLE.has(tables.get(view)?.target ?? ''))
  for (const table of TABLES) pass(table)
  const reaches = [...inserts].flatMap(([name, count]) => {
    const table = tables.get(name)
    return table?.engine.endsWith('MergeTree') ? [table.window / count] : []
  })
  return {
    trusted: Math.floor(Math.min(...reaches) * TRUSTED_SHARE),
    feeding: new Set<string>(TABLES.filter(feeds)),
  }
}
