/** A history as seen by an index that started late: rows from a day on, and logs of authorities before it. */
import type { TableName } from '../../../schema/block.ts'
import { BLOCK_SECONDS, GENESIS_BLOCK } from './chain.ts'
import type { Sink } from './population.ts'
import { DAY } from './world.ts'

/** Lines for a table of the store, past tables included. */
export type Lines = { table: string; lines: string; rows: number }

/** First block of a day of the history; days count from 0. */
export const firstBlockOf = (day: number): number => GENESIS_BLOCK + Math.floor((day * DAY) / BLOCK_SECONDS)

/** Events that the indexer reads from the first block of an authority on, regardless of the indexed blocks (docs/verdicts/coverage.md). */
const WALKED = /"event":"(?:sanction_add|sanction_remove|freeze|unfreeze|seize|mixer_deposit|mixer_withdraw)"/

const blockOf = (line: string): number => Number(/"block_number":(\d+)/.exec(line)?.[1])

const linesOf = (table: string, lines: readonly string[]): Lines[] =>
  lines.length === 0 ? [] : [{ table, lines: `${lines.join('\n')}\n`, rows: lines.length }]

const divide = (table: TableName, text: string, first: number): Lines[] => {
  const all = text.trimEnd().split('\n')
  const seen = all.filter((line) => blockOf(line) >= first)
  if (table !== 'authority') return linesOf(table, seen)
  const past = all.filter((line) => blockOf(line) < first && WALKED.test(line))
  return [...linesOf(table, seen), ...linesOf('authority_past', past)]
}

/**
 * Passes on the rows of an index that started at a block. Descriptions of tokens are kept, because a node is asked for them when a
 * token is first seen, at any time.
 */
export const seenFrom =
  (first: number, sink: (chunk: Lines[]) => Promise<void>): Sink =>
  (chunk) =>
    sink(
      first <= GENESIS_BLOCK
        ? chunk
        : chunk.flatMap((part) => (part.table === 'tokens' ? [part] : divide(part.table, part.lines, first))),
    )
