/**
 * Handles repetitions that are too late for deduplication tokens: looks up by block what the tables contain. Tables are filled in
 * sequence, each with its aggregates. So every table before the last one with rows is complete. Of the last one only the rows are certain;
 * if views feed aggregates from it, those may be missing.
 */
import { OperatorError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES, type TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { reindexBase } from '../repair.ts'
import { readWindows, type Windows } from './windows.ts'

const ROWS_OF_BLOCKS = readSql(import.meta.url, './sql/rows-of-blocks.sql')

/** Decides what a repetition must insert. Blocks are neither duplicated nor lost; if that cannot be decided, it throws. */
export type Replay = {
  /**
   * Tables that already have the rows of a chunk or move, to be skipped. Empty while tokens are trusted.
   * @param inserts on all networks since the blocks were claimed
   * @param expected number of rows in each table
   * @param factsApart whether facts are inserted separately, between the other tables and `blocks`
   * @throws OperatorError ASSAY_INGEST_REPLAY_UNCLEAR
   */
  done: (
    name: string,
    inserts: number,
    blocks: readonly number[],
    expected: () => Promise<ReadonlyMap<TableName, number>>,
    factsApart: boolean,
  ) => Promise<ReadonlySet<TableName>>
}

/** Creates a replay. It measures the store's windows once, at the first repetition. */
export const createReplay = (store: Store, network: Network): Replay => {
  let windows: Windows | undefined

  const unclear = (name: string, table: TableName, detail: string) =>
    new OperatorError(
      'ASSAY_INGEST_REPLAY_UNCLEAR',
      `${name} of ${network} was inserted only in part, and the store has accepted too many inserts since to deduplicate the rest: ${detail} (table ${table}). Nothing was inserted. Run ${reindexBase(network)}.`,
    )

  return {
    done: async (name, inserts, blocks, expected, factsApart) => {
      if (inserts === 0) return new Set()
      windows ??= await readWindows(store)
      if (inserts <= windows.trusted) return new Set()
      const found = new Map<TableName, number>()
      for (const table of TABLES) {
        const [row] = await store.query<{ rows: string }>(
          ROWS_OF_BLOCKS,
          { table, network, blocks },
          { route: 'replay' },
        )
        found.set(table, Number(row?.rows ?? 0))
      }
      const counts = await expected()
      const last = TABLES.findLast((table) => (found.get(table) ?? 0) > 0)
      if (last === undefined) return new Set()
      const done = new Set(TABLES.slice(0, TABLES.indexOf(last) + 1))
      for (const table of done) {
        const [rows, wanted] = [found.get(table) ?? 0, counts.get(table) ?? 0]
        if (rows !== wanted) throw unclear(name, table, `it has ${rows} of ${wanted} rows`)
      }
      const next = TABLES.find((table) => !done.has(table) && (counts.get(table) ?? 0) > 0)
      if (factsApart && next === 'blocks') throw unclear(name, last, 'its rows are there, but their facts may not be')
      if (windows.feeding.has(last)) throw unclear(name, last, 'its rows are there, but its aggregates may lack them')
      return done
    },
  }
}
