/** What one look at the chain calls final, when some answers come from a node that is stuck on a branch. */
import { expect, test } from 'vitest'
import { type Block, type BlockRef, emptyRows } from '../../schema/block.ts'
import { packedSource } from '../source/packed.ts'
import type { Source } from '../source/source.ts'
import { followHead, type HeadStep } from './head.ts'
import type { HeadChange } from './publish.ts'
import { createWindow } from './window.ts'

/** Blocks `from..to` of a branch, the first on top of `below`. */
const branch = (name: string, from: number, to: number, below: string): BlockRef[] =>
  Array.from({ length: to - from + 1 }, (_, n) => {
    const number = from + n
    return { number, hash: `${name}${number}`, parentHash: n === 0 ? below : `${name}${number - 1}`, time: number }
  })

/** Looks from block 10 on, published and final, with a node that knows these blocks by height and by hash. */
const look = async (blocks: readonly BlockRef[], head: BlockRef, finalized: BlockRef, reorgWindow: number) => {
  const window = createWindow({ number: 10, hash: 'a10' })
  const changes: HeadChange[] = []
  const found = (number: number, hash?: string) =>
    blocks.find((one) => one.number === number && (hash === undefined || one.hash === hash))
  const source = {
    network: 'ETH',
    ref: async (number: number) => found(number),
    block: async ({ number, hash }: { number: number; hash?: string }): Promise<Block | undefined> => {
      const ref = found(number, hash)
      return ref && { ...ref, network: 'ETH', rows: emptyRows() }
    },
  } as unknown as Source
  const step = {
    source: packedSource(source),
    publisher: { head: async (change: HeadChange) => void changes.push(change) },
    window,
    reorgWindow,
    range: { concurrency: 4, maxBytes: 1e6, signal: new AbortController().signal },
    report: { published: () => undefined, reorg: () => undefined },
    pause: async () => undefined,
  } as unknown as HeadStep
  await followHead(step, head, finalized)
  return { final: changes.flatMap((change) => (change.finalized ? [change.finalized] : [])), tip: window.tip() }
}

const TRUE = branch('a', 11, 15, 'a10')
const STALE = branch('b', 11, 13, 'a10')
const at = (chain: readonly BlockRef[], number: number) => chain.find((one) => one.number === number)!

test('publishes blocks of a stuck node below a final block it does not have, without calling them final', async () => {
  const { final, tip } = await look(STALE, at(TRUE, 15), at(TRUE, 14), 64)
  expect(tip.hash).toBe('b13')
  expect(final).toEqual([])
})

test('a block at the final height is final only if its hash is that of the final block', async () => {
  expect((await look(TRUE, at(TRUE, 15), at(TRUE, 14), 64)).final).toEqual([{ number: 14, hash: 'a14' }])
  const longer = branch('b', 11, 15, 'a10')
  expect((await look(longer, at(longer, 15), at(TRUE, 14), 64)).final).toEqual([])
})

test('depth makes blocks final when no final block does, so memory stays bounded while nodes are far ahead', async () => {
  const chain = branch('a', 11, 40, 'a10')
  const far = { number: 1_000, hash: 'a1000', parentHash: 'a999', time: 1_000 }
  const { final } = await look(chain, far, far, 8)
  expect(final).toEqual([{ number: 32, hash: 'a32' }])
})
