/**
 * How many inserts of others a repetition may come after and still be recognised by its token. Tables remember a number
 * of tokens; a table that is fed by several views takes several of them for one chunk.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES } from '../../../schema/block.ts'

const WINDOWS = readSql(import.meta.url, './sql/windows.sql')

/** Share of the smallest window that is trusted; the rest is for chunks under way at the time of the claim. */
const TRUSTED_SHARE = 0.8

/** Tables of minima: a row that comes twice or late changes nothing, and ingest adds it again where it may be missing. */
const REPEATABLE: ReadonlySet<string> = new Set(['first_blocks'])

type TableRow = { name: string; engine: string; views: string[]; target: string; window: number }

/** How long the store recognises a repetition by its token. */
export type Windows = {
  /** Chunks and moves after which tokens are no longer trusted. */
  trusted: number
  /** Chain tables from which views feed others. */
  feeding: ReadonlySet<string>
}

/** Measures the windows that the tables of this store really have, views included. */
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
