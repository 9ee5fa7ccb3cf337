/**
 * Rows of blocks that never change, written directly to the final tables. Each insert has the token of its chunk, which contains no
 * software version: a new version can complete what an older one left unfinished. Blocks that are covered already are skipped, at
 * whatever offset they arrive again.
 */
import type { Store } from '../../../platform/store/store.ts'
import { TABLES, type TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { FACTS_APART } from '../../../schema/tables/chain/facts.ts'
import { chunkId, chunkName, type LatestChunk } from '../chunks/chunks.ts'
import type { Applied } from '../chunks/consumer.ts'
import { blocksOf, type NewStep } from '../chunks/messages.ts'
import type { Covered } from '../covered/covered.ts'
import type { Replay } from '../covered/replay.ts'
import type { OnStep } from '../steps.ts'
import { claimants, isApart } from './claimants.ts'
import { factLines, shouldDeriveFacts } from './facts.ts'

type Section = { rows: Buffer[]; count: number }

/** Lines of a section that belong to the blocks. */
const linesOf = (rows: Buffer, taken: ReadonlySet<number>): string[] =>
  rows
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && taken.has((JSON.parse(line) as { block_number: number }).block_number))

/** Blocks that each step adds. All parts of the same blocks add the same ones. */
const takenBy = (steps: readonly NewStep[], take: ReadonlySet<number>): ReadonlySet<number>[] => {
  const seen = new Set<number>()
  let taken = new Set<number>()
  return steps.map(({ decoded: { headers, blocks } }) => {
    if (headers.part === 0) {
      taken = new Set(blocks.map(({ number }) => number).filter((number) => take.has(number) && !seen.has(number)))
      for (const number of taken) seen.add(number)
    }
    return taken
  })
}

/** Merges the sections of several messages by table, without blocks that are not taken. */
const gather = (steps: readonly NewStep[], taken: readonly ReadonlySet<number>[]): Map<TableName, Section> => {
  const gathered = new Map<TableName, Section>()
  for (const [index, { decoded }] of steps.entries()) {
    const numbers = taken[index]
    if (!numbers || numbers.size === 0) continue
    for (const { table, count, rows } of decoded.sections) {
      const section = gathered.get(table) ?? { rows: [], count: 0 }
      if (numbers.size === decoded.blocks.length) {
        section.rows.push(rows)
        section.count += count
      } else {
        const lines = linesOf(rows, numbers)
        section.rows.push(Buffer.from(lines.map((line) => `${line}\n`).join('')))
        section.count += lines.length
      }
      if (section.count > 0) gathered.set(table, section)
    }
  }
  return gathered
}

/** Writes final tables. It skips blocks that are covered already. */
export type FinalTier = {
  /** @throws OperatorError ASSAY_INGEST_REPLAY_UNCLEAR, ASSAY_INGEST_OTHER_HASH; RetryableError ASSAY_INGEST_CLAIMED */
  apply: (chunk: LatestChunk, steps: readonly NewStep[]) => Promise<Applied>
}

/** Creates the final tier of one epoch. `replay` decides what remains to be inserted of an unfinished chunk. */
export const createFinalTier = ({
  store,
  network,
  epoch,
  covered,
  replay,
  onStep,
}: {
  store: Store
  network: Network
  epoch: number
  covered: Covered
  replay: Replay
  onStep: OnStep
}): FinalTier => ({
  apply: async (chunk, steps) => {
    const name = `${chunk.topic}:${chunk.partition}`
    const blocks = blocksOf(steps)
    const apart = shouldDeriveFacts(steps.flatMap(({ decoded }) => decoded.sections))
    const { take, inserts, by } = await covered.claim(claimants(name, apart), blocks)
    const factsApart = isApart(by)
    await onStep('claimed')
    const taken = takenBy(steps, take)
    const sections = gather(steps, taken)
    const done = await replay.done(
      `Chunk ${chunkName(chunk)}`,
      inserts,
      [...take],
      async () => new Map([...sections].map(([table, { count }]) => [table, count])),
      factsApart,
    )
    const id = chunkId(chunk, epoch)
    let rows = 0
    for (const table of TABLES) {
      const section = sections.get(table)
      if (!section) continue
      rows += section.count
      if (done.has(table)) continue
      // Facts come before the blocks, because a visible block must have all its rows and facts.
      if (table === 'blocks' && factsApart) {
        await store.insert('wallet_facts', factLines(sections), { token: `facts:${id}` })
        await onStep('inserted facts')
      }
      await store.insert(table, Buffer.concat(section.rows), {
        token: `${table}:${id}${factsApart ? FACTS_APART : ''}`,
      })
      await onStep(`inserted ${table}`)
    }
    // The view that records the first block may have missed these, so insert the row again.
    if (done.has('blocks')) {
      const row = { network, block_number: Math.min(...take) }
      await store.insert('first_blocks', `${JSON.stringify(row)}\n`)
    }
    const brought = steps.filter((_, index) => (taken[index]?.size ?? 0) > 0)
    return {
      rows,
      touched: [...new Set(brought.flatMap(({ decoded }) => decoded.touched))],
      finalized: 0,
      published: async () => {
        await covered.cover(
          by,
          blocks.filter(({ number }) => take.has(number)),
        )
        await onStep('covered')
      },
    }
  },
})
