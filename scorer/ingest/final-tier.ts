/** Rows of blocks that will never change: straight into the final tables, each insert under the token of its chunk. */
import { OperatorError } from '../../platform/errors.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { TABLES, type TableName } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import { SCHEMA_VERSION } from '../../schema/topics.ts'
import { chunkName, type LatestChunk } from './chunks.ts'
import type { Step } from './messages.ts'
import type { OnStep } from './steps.ts'

const INSERTS_SINCE = readSql(import.meta.url, './sql/inserts-since.sql')
const ROWS_OF_BLOCKS = readSql(import.meta.url, './sql/rows-of-blocks.sql')

/** Inserts since an announcement up to which tokens are trusted; the tables remember 10,000 (`schema/migrations`). */
const TRUSTED_INSERTS = 4_000

export type Section = { rows: Buffer[]; count: number }

/** Sections of several messages, table by table. */
export const gather = (steps: readonly Extract<Step, { kind: 'new' }>[]): Map<TableName, Section> => {
  const gathered = new Map<TableName, Section>()
  for (const { table, count, rows } of steps.flatMap((step) => step.decoded.sections)) {
    const section = gathered.get(table) ?? { rows: [], count: 0 }
    section.rows.push(rows)
    section.count += count
    gathered.set(table, section)
  }
  return gathered
}

export type FinalTier = {
  /** @throws OperatorError ASSAY_INGEST_REPLAY_UNCLEAR when an old half-done chunk cannot be told done from not done. */
  insert: (chunk: LatestChunk, steps: readonly Extract<Step, { kind: 'new' }>[], replay: boolean) => Promise<number>
}

export const createFinalTier = (
  store: Store,
  network: Network,
  onStep: OnStep,
  trusted = TRUSTED_INSERTS,
): FinalTier => {
  /** Whether the chunk is so old that the tables may have forgotten its tokens. */
  const forgotten = async (chunk: LatestChunk) => {
    const [row] = await store.query<{ inserts: string }>(
      INSERTS_SINCE,
      { since: chunk.announcedAt },
      { route: 'replay' },
    )
    return Number(row?.inserts ?? 0) > trusted
  }

  const alreadyThere = async (table: TableName, count: number, blocks: number[], name: string): Promise<boolean> => {
    const [row] = await store.query<{ rows: string }>(ROWS_OF_BLOCKS, { table, network, blocks }, { route: 'replay' })
    const rows = Number(row?.rows ?? 0)
    if (rows !== 0 && rows !== count) {
      throw new OperatorError(
        'ASSAY_INGEST_REPLAY_UNCLEAR',
        `Chunk ${name} was left half inserted too long ago to be deduplicated: table ${table} has ${rows} rows of its blocks, the chunk has ${count}. Nothing was inserted. To repair it, index again from scratch (docs/errors.md).`,
      )
    }
    return rows === count
  }

  return {
    insert: async (chunk, steps, replay) => {
      const sections = gather(steps)
      const name = chunkName(chunk)
      const careful = replay && (await forgotten(chunk))
      const blocks = careful ? steps.flatMap((step) => step.decoded.blocks.map(({ number }) => number)) : []
      let total = 0
      for (const table of TABLES) {
        const section = sections.get(table)
        if (!section) continue
        total += section.count
        if (careful && (await alreadyThere(table, section.count, blocks, name))) continue
        await store.insert(table, Buffer.concat(section.rows), { token: `${table}:${name}:${SCHEMA_VERSION}` })
        await onStep(`inserted ${table}`)
      }
      return total
    },
  }
}
