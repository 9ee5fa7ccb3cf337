import { toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import type { ChainLog, ChainReader } from '../../chain/chain.ts'
import { TRANSFER } from './inflows.ts'
import { positionHolder } from './liquidity-owners.ts'

const DECREASE = toEventSelector('DecreaseLiquidity(uint256,uint128,uint256,uint256)')
const MANAGER = `0x${'99'.repeat(20)}`
const [maker, stranger, other] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const word = (value: string | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const log = (block: number, index: number, topics: string[]): ChainLog => ({
  address: MANAGER,
  topics,
  data: '0x',
  transactionHash: `0x${block}`,
  blockNumber: `0x${block.toString(16)}`,
  logIndex: `0x${index.toString(16)}`,
})
const decreased = (id: number) => log(10, 5, [DECREASE, word(id)])
const moved = (id: number, from: string, to: string, block: number, index = 0) =>
  log(block, index, [TRANSFER, word(from), word(to), word(id)])

/** Account found as holder of the liquidity that a transaction withdrew from some positions. */
const keeper = (
  ids: number[],
  {
    now,
    moves,
    had = [],
    together = [],
  }: { now: Record<number, string>; moves: ChainLog[] | undefined; had?: string[]; together?: ChainLog[] },
) =>
  positionHolder(
    {
      call: async ({ data }: { data: string }) => {
        const owner = now[Number(BigInt(`0x${data.slice(10)}`))]
        return owner === undefined ? undefined : word(owner)
      },
      logs: async ({ topics, fromBlock }: { topics: (string | null)[]; fromBlock: number }) =>
        moves?.filter(({ topics: [, , , id], blockNumber }) => id === topics[3] && Number(blockNumber) >= fromBlock),
    } as unknown as ChainReader,
    [MANAGER],
    'pool',
    [...ids.map(decreased), ...together],
    async (owner) => had.includes(owner),
  )

test.each([
  ['who holds it', { now: { 1: maker }, moves: [] }, maker],
  ['who had it before it was moved on', { now: { 1: other }, moves: [moved(1, maker, other, 10, 6)] }, maker],
  ['who had it before it was burned', { now: {}, moves: [moved(1, maker, word(0), 12)] }, maker],
  [
    'whose it was, not to whom it was given when it was empty',
    { now: { 1: maker }, moves: [moved(1, stranger, other, 11), moved(1, other, maker, 12)] },
    stranger,
  ],
  ['who got it before', { now: { 1: maker }, moves: [moved(1, stranger, maker, 10, 4)] }, maker],
  ['nobody, where nobody knows how it got there', { now: { 1: maker }, moves: undefined }, undefined],
  [
    'who burned it with the withdrawal',
    { now: {}, moves: undefined, together: [moved(1, maker, word(0), 10, 6)] },
    maker,
  ],
  ['who is known to have had it before', { now: { 1: maker }, moves: undefined, had: [maker] }, maker],
])('a position belonged to %s', async (_, world, expected) => {
  expect(await keeper([1], world)).toBe(expected)
})

test('several positions of one account belong to it, whoever withdrew them', async () => {
  expect(await keeper([1, 2], { now: { 1: maker, 2: maker }, moves: [] })).toBe(maker)
  expect(await keeper([1, 2], { now: { 1: maker, 2: other }, moves: [] })).toBeUndefined()
})
