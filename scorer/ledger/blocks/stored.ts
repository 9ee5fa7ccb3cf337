/** Reads single blocks of the final tables, for comparison with the chain. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { digestSelect, type RowDigest } from '../../../schema/tables/chain/digest.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const RANGES = sql('ranges')
const BOUNDS = sql('bounds')
const LINKS = sql('links')
const NEIGHBOURS = sql('neighbours')

/** Heights, both inclusive. */
export type StoredRange = { first: number; last: number }

/** Gapless ranges of final blocks, ascending: as recorded by ingest, or else from the first block to the last. */
export const storedRanges = async (store: Store, network: Network): Promise<StoredRange[]> => {
  const ranges = await store.query<StoredRange>(RANGES, { network }, { route: 'covered_ranges' })
  if (ranges.length > 0) return ranges
  const [all] = await store.query<StoredRange & { blocks: string }>(BOUNDS, { network }, { route: 'covered_ranges' })
  return all && Number(all.blocks) > 0 ? [{ first: all.first, last: all.last }] : []
}

/** A final block as `assay verify` compares it with the chain. */
export type StoredBlock = {
  number: number
  hash: string
  parent: string
  /** Whether the source could see internal calls. */
  traces: 0 | 1
  /** Number of rows of the block in table `blocks`, and of their distinct hashes. Both should be 1. */
  copies: number
  hashes: number
}

type LinkRow = Omit<StoredBlock, 'copies' | 'hashes'> & { copies: string; hashes: string }

/** Final blocks of a range, ascending. */
export const storedBlocks = async (
  store: Store,
  network: Network,
  range: { from: number; to: number },
): Promise<StoredBlock[]> => {
  const rows = await store.query<LinkRow>(LINKS, { network, ...range }, { route: 'stored_blocks' })
  return rows.map((row) => ({ ...row, copies: Number(row.copies), hashes: Number(row.hashes) }))
}

/** Digests of the rows of blocks in a table. Blocks without rows are absent. */
export const storedDigests = async (
  store: Store,
  network: Network,
  table: TableName,
  blocks: readonly number[],
): Promise<Map<number, RowDigest>> => {
  const rows = await store.query<{ block_number: number; rows: string; digest: string }>(
    digestSelect(table, 'network = {network:String} AND block_number IN {blocks:Array(UInt32)}'),
    { network, blocks },
    { route: 'stored_digests' },
  )
  return new Map(
    rows.map(({ block_number, rows: count, digest }) => [
      block_number,
      { rows: Number(count), digest: BigInt(digest) },
    ]),
  )
}

/** The stored blocks directly below and above a range, in either tier. */
export const storedNeighbours = async (
  store: Store,
  network: Network,
  { from, to }: { from: number; to: number },
): Promise<{ below: { number: number; hash: string } | undefined; parentOfNext: string | undefined }> => {
  const rows = await store.query<{ number: number; hash: string; parent: string }>(
    NEIGHBOURS,
    { network, below: from - 1, above: to + 1 },
    { route: 'stored_blocks' },
  )
  const below = rows.find(({ number }) => number === from - 1)
  return {
    below: below && { number: below.number, hash: below.hash },
    parentOfNext: rows.find(({ number }) => number === to + 1)?.parent,
  }
}
