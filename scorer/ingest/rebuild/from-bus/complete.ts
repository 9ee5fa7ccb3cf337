/** Checks whether the new tables contain every final block of those in use, and compares their row counts. */
import { OperatorError } from '../../../../platform/errors.ts'
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { TABLES, type TableName } from '../../../../schema/block.ts'
import { type Network, networkInfo } from '../../../../schema/networks.ts'
import { topics } from '../../../../schema/topics.ts'
import { createCovered } from '../../covered/covered.ts'
import { holesOf, type Range } from '../../covered/ranges.ts'
import { rowsOf } from '../aggregates.ts'

const HOT_SPAN = readSql(import.meta.url, './sql/hot-span.sql')
const WATERMARK = readSql(import.meta.url, '../../sql/watermark.sql')

type Span = Pick<Range, 'first' | 'last'>

/** Error for blocks that the bus lacks. `detail` names them and the command that brings them. */
export const shortError = (network: Network, detail: string, cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_REBUILD_SHORT',
    `The topics of ${network} no longer hold all blocks that are in its tables: ${detail} Nothing was exchanged. Then run again: assay reindex --network ${network} --base`,
    { cause },
  )

/** Commands that bring stored blocks back to the topics. */
const backfillCommands = (network: Network, holes: readonly Span[]): string =>
  holes
    .map(({ first, last }) => `assay backfill --network ${network} --from ${first} --to ${last} --again`)
    .join(', and ')

/** Maximum number of commands in an error. */
const NAMED = 5

/** Rewords ingest errors about missing messages for a rebuild. Returns other errors unchanged. */
export const asShortError = (network: Network, error: unknown): unknown => {
  if (!(error instanceof OperatorError)) return error
  if (error.code === 'ASSAY_INGEST_GAP') {
    return shortError(
      network,
      `${error.message} These blocks are already stored, so add --again to that command.`,
      error,
    )
  }
  if (error.code === 'ASSAY_INGEST_CUT') {
    return shortError(
      network,
      `${error.message} Delete topic ${topics.head(network)}; the indexer fills it anew, with the history that is missing.`,
      error,
    )
  }
  return error
}

/**
 * @param epoch of the new tables; those in use have the previous one
 * @throws OperatorError ASSAY_REBUILD_SHORT
 */
export const assertComplete = async (store: Store, draft: Store, network: Network, epoch: number): Promise<void> => {
  const was = await createCovered(store, network, epoch - 1).ranges()
  const is = await createCovered(draft, network, epoch).ranges()
  const hot = await draft.query<Span>(HOT_SPAN, { network }, { route: 'hot_span' })
  const holes = was.flatMap(({ first, last }) => holesOf([...is, ...hot], first, last))
  if (holes.length > 0) {
    const more = holes.length > NAMED ? `, and ${holes.length - NAMED} ranges more` : ''
    const named = holes.slice(0, NAMED)
    const spelt = named.map(({ first, last }) => `${first} to ${last}`).join(', ')
    throw shortError(
      network,
      `blocks ${spelt}${more} are missing. Bring them with: ${backfillCommands(network, named)}.`,
    )
  }
  if (networkInfo(network).reorgWindow === 0) return
  const mark = (on: Store) => on.query(WATERMARK, { network }, { route: 'watermark' })
  if ((await mark(store)).length > 0 && (await mark(draft)).length === 0) {
    throw shortError(network, `topic ${topics.head(network)} has no blocks. Start the indexer, which fills it.`)
  }
}

/** Row counts of final blocks in one table. A difference is not an error: the old rows may have been wrong. */
export type Compared = { table: TableName; before: number; after: number }

/** Row counts of final blocks in the tables in use and in the new ones. */
export const compareRows = async (store: Store, network: Network, home: string, draft: string): Promise<Compared[]> => {
  const compared: Compared[] = []
  for (const table of TABLES) {
    const before = await rowsOf(store, network, home, table)
    compared.push({ table, before, after: await rowsOf(store, network, draft, table) })
  }
  return compared
}
