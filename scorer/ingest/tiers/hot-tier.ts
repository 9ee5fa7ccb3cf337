/**
 * Rows of blocks that may still be undone. Every row has as version the offset (plus one) of its message. An undo covers rows with
 * tombstones that have its own version. The newest version of a row counts, so the result does not depend on how often or in
 * what order messages are applied. Readers use FINAL.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES, type TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { FACT_TABLES, FACTS_APART } from '../../../schema/tables/chain/facts.ts'
import type { NewStep } from '../chunks/messages.ts'
import type { Covered } from '../covered/covered.ts'
import { type Linked, runsOf } from '../covered/ranges.ts'
import type { Replay } from '../covered/replay.ts'
import type { OnStep } from '../steps.ts'
import type { Watermark, Watermarks } from '../watermark.ts'
import { claimants, isApart } from './claimants.ts'

const sql = (name: string) => readSql(import.meta.url, `../sql/${name}.sql`)
const UNDO = sql('undo')
const UNDONE_ADDRESSES = sql('undone-addresses')
const TIP = sql('tip')
const MOVE = sql('move')
const MOVE_FACTS = sql('move-facts')
const HOT_BLOCKS = sql('hot-blocks')
const HOT_ROWS = sql('hot-rows')
const HOT_TABLES = sql('hot-tables')
const HOT_PARTITIONS = sql('hot-partitions')
const DROP_HOT_PARTITION = sql('drop-hot-partition')

/** The newest hot block, which the next one must follow. */
export type Tip = { block_number: number; block_hash: string }

const versioned = (rows: Buffer, version: string): string => {
  const field = `{"version":${version},`
  return field + rows.toString('utf8').slice(1).replaceAll('\n{', `\n${field}`)
}

/** Heights per partition of the hot tables (`schema/tables/chain/tiers.ts`). */
const PARTITION_HEIGHTS = 256

/** Number of partitions that lie completely at or below a height. */
export const partitionsUpTo = (height: number): number => Math.floor((height + 1) / PARTITION_HEIGHTS)

/** Writes hot tables and moves their rows. All functions may be repeated after a crash and then complete what was begun. */
export type HotTier = {
  /** Inserts the rows of `new` messages. Returns the number of rows. */
  add: (steps: readonly NewStep[]) => Promise<number>
  /** Undoes blocks from `from` on, with the version of the message at `offset`. Returns the addresses of the removed rows. */
  undo: (from: number, offset: bigint) => Promise<string[]>
  /** The newest hot block, or the block at the watermark. */
  tip: (settled: number) => Promise<Tip | undefined>
  /** Completes an unfinished move, or moves blocks up to `target`. Returns the new watermark. */
  move: (mark: Watermark, target: number) => Promise<Watermark>
  /** Drops partitions that lie completely at or below `height`. */
  drop: (height: number) => Promise<void>
}

/** Dependencies of the hot tier, all of one network and epoch. */
export type HotTierDeps = {
  store: Store
  network: Network
  watermarks: Watermarks
  covered: Covered
  replay: Replay
  onStep: OnStep
}

/** Claim name of moves: a network has at most one at a time. */
const MOVER = 'move'

/** Creates a stateless hot tier: `head.ts` decides what is due, and when. */
export const createHotTier = ({ store, network, watermarks, covered, replay, onStep }: HotTierDeps): HotTier => ({
  add: async (steps) => {
    let total = 0
    for (const table of TABLES) {
      const texts = steps.flatMap(({ offset, decoded }) =>
        decoded.sections
          .filter((section) => section.table === table)
          .map(({ rows, count }) => {
            total += count
            return versioned(rows, (offset + 1n).toString())
          }),
      )
      if (texts.length === 0) continue
      await store.insert(`${table}_hot`, texts.join(''))
      await onStep(`added ${table}`)
    }
    return total
  },

  undo: async (from, offset) => {
    const version = (offset + 1n).toString()
    const withdrawn = await store.query<{ address: string }>(
      UNDONE_ADDRESSES,
      { network, from, version },
      { route: 'undone' },
    )
    // Blocks go first, because a visible block must be complete. Facts go last, because they are derived from the other rows.
    for (const table of [...TABLES.toReversed(), 'facts']) {
      await store.command(UNDO, { hot: `${table}_hot`, network, from, version })
      await onStep(`undone ${table}`)
    }
    return withdrawn.map(({ address }) => address)
  },

  tip: async (settled) => (await store.query<Tip>(TIP, { network, settled }, { route: 'tip' }))[0],

  move: async (mark, target) => {
    const moving =
      mark.state === 'moving' ? mark : await watermarks.enter(mark, { state: 'moving', settled: mark.settled, target })
    await onStep('moving')
    const first = moving.settled + 1
    const last = moving.target
    const blocks = await store.query<Linked>(HOT_BLOCKS, { network, first, last }, { route: 'hot_blocks' })
    const { take, inserts, by } = await covered.claim(claimants(MOVER, true), blocks)
    const factsApart = isApart(by)
    await onStep('claimed')
    const numbers = [...take]
    const expected = async () => {
      const counts = new Map<TableName, number>()
      for (const table of TABLES) {
        const params = { hot: `${table}_hot`, network, blocks: numbers }
        const [row] = await store.query<{ rows: string }>(HOT_ROWS, params, { route: 'replay' })
        counts.set(table, Number(row?.rows ?? 0))
      }
      return counts
    }
    const done = await replay.done(`The move of blocks ${first} to ${last}`, inserts, numbers, expected, factsApart)
    // Most tables have no rows of a few blocks, and an empty insert costs as much as one with rows.
    const filled = await store.query<{ name: TableName }>(HOT_TABLES, { network, first, last }, { route: 'hot_tables' })
    const names = new Set<string>(filled.map(({ name }) => name))
    const runs = runsOf(numbers).map((run) => ({
      run,
      id: `${network}:${run.first}-${run.last}:${moving.log}:e${moving.epoch}`,
    }))
    for (const table of TABLES) {
      // Facts come before the blocks, because a visible block must have all its rows and facts.
      if (table === 'blocks' && factsApart && !done.has(table)) {
        const stated = FACT_TABLES.some((name) => names.has(name))
        for (const { run, id } of stated ? runs : [])
          await store.command(MOVE_FACTS, { network, ...run }, { token: `facts:${id}` })
        await onStep('moved facts')
      }
      for (const { run, id } of done.has(table) || !names.has(table) ? [] : runs) {
        const token = `${table}:${id}${factsApart ? FACTS_APART : ''}`
        await store.command(MOVE, { final: table, hot: `${table}_hot`, network, ...run }, { token })
      }
      await onStep(`moved ${table}`)
    }
    await covered.cover(
      by,
      blocks.filter(({ number }) => take.has(number)),
    )
    await onStep('covered')
    const settled = await watermarks.enter(moving, { state: 'settled', settled: last, target: last })
    await onStep('settled')
    return settled
  },

  drop: async (height) => {
    const partitions = await store.query<{ table: string; bucket: string }>(
      HOT_PARTITIONS,
      { network, height },
      { route: 'hot_partitions' },
    )
    for (const { table, bucket } of partitions) {
      await store.command(DROP_HOT_PARTITION, { table, network, bucket })
      await onStep('dropped')
    }
  },
})
