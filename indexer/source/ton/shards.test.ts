import { expect, test } from 'vitest'
import type { BlockHeader, BlockId } from './raw.ts'
import { walkShards } from './shards.ts'

const WHOLE = '8000000000000000'
const id = (seqno: number, branch = 'a'): BlockId => ({
  ...{ workchain: 0, shard: WHOLE, seqno },
  ...{ root_hash: `${branch}${seqno}`, file_hash: `${branch}${seqno}` },
})
const headers = async (ids: readonly BlockId[]): Promise<BlockHeader[]> =>
  ids.map((one) => ({
    ...{ id: one, after_merge: false, after_split: false, start_lt: 0n, end_lt: 1n, gen_utime: 1 },
    prev_blocks: one.seqno === 0 ? [] : [id(one.seqno - 1, one.root_hash.charAt(0))],
  }))

test('walks back to the known blocks without leaving any out', async () => {
  const found = await walkShards([id(7)], [id(4)], headers)
  expect(found.map((header) => header.id.seqno)).toEqual([7, 6, 5])
})

test('refuses a walk to another fork or past all known blocks', async () => {
  await expect(walkShards([id(7, 'b')], [id(4)], headers)).rejects.toMatchObject({ check: 'shard_walk' })
  // Nothing new, and what was known is gone.
  await expect(walkShards([], [id(4)], headers)).rejects.toMatchObject({ check: 'shard_walk' })
})
