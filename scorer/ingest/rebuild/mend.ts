/**
 * Creates base tables of a network with some blocks replaced, in another database. Rows that stay are shared with the tables in use, so
 * the cost is that of the replaced blocks.
 *
 * Rows of table `tokens` stay: they name tokens that were first seen in a block, which a single block does not show.
 */
import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Block, TABLES, type TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import type { OnStep } from '../steps.ts'
import { rowsOf } from './aggregates.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const ATTACH_PARTITION = sql('attach-partition')
const DELETE_BLOCKS = sql('delete-blocks')

/** Blocks per DELETE. */
const BLOCKS_AT_ONCE = 5_000
/** Approximate bytes of rows per insert. */
const INSERT_BYTES = 4_000_000
const REPLACED: readonly TableName[] = TABLES.filter((table) => table !== 'tokens')

/** Stored blocks that differ from the chain, and their replacements. */
export type Mend = {
  /** Blocks whose rows are removed. */
  blocks: readonly number[]
  /** Replacements for all of them. Other blocks are ignored. */
  fresh: () => AsyncIterable<Block>
}

/**
 * Fills the base tables of database `into`. Never changes the tables in use.
 * @throws RetryableError ASSAY_REBUILD_BLOCKS if replacements are missing
 */
export const mendBase = async (
  store: Store,
  { blocks, fresh }: Mend,
  { network, home, into, onStep }: { network: Network; home: string; into: string; onStep: OnStep },
): Promise<void> => {
  for (const table of TABLES) {
    if ((await rowsOf(store, network, home, table)) === 0) continue
    await store.command(ATTACH_PARTITION, { network, home, into, table })
    for (let at = 0; at < blocks.length && REPLACED.includes(table); at += BLOCKS_AT_ONCE) {
      await store.command(DELETE_BLOCKS, { network, into, table, blocks: blocks.slice(at, at + BLOCKS_AT_ONCE) })
    }
    await onStep(`shared ${table}`)
  }
  const pending = new Map(REPLACED.map((table) => [table, [] as string[]]))
  let bytes = 0
  const flush = async () => {
    for (const [table, lines] of pending) {
      if (lines.length > 0) await store.insert(`${into}.${table}`, lines.splice(0).join(''))
    }
    bytes = 0
    await onStep('replaced')
  }
  const asked = new Set(blocks)
  for await (const block of fresh()) {
    if (!asked.delete(block.number)) continue
    for (const table of REPLACED) {
      const lines = block.rows[table].map((row) => `${JSON.stringify(row)}\n`)
      pending.get(table)?.push(...lines)
      bytes += lines.reduce((sum, line) => sum + line.length, 0)
    }
    if (bytes >= INSERT_BYTES) await flush()
  }
  await flush()
  const [lacking] = asked
  if (lacking === undefined) return
  throw new RetryableError(
    'ASSAY_REBUILD_BLOCKS',
    `${asked.size} replacement blocks of ${network} are missing, among them block ${lacking}. The tables were not changed. Run the command again, or use a smaller range.`,
  )
}
