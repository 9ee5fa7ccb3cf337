import { expect, test } from 'vitest'
import type { ChainLog, ChainReader } from '../../chain/chain.ts'
import { inflowsOf, TRANSFER } from './inflows.ts'

const ZERO = `0x${'0'.repeat(40)}`
const TOKEN = `0x${'70'.repeat(20)}`
const [maker, holder] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const word = (value: string | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const made = (amount: number, transaction: number, from = ZERO): ChainLog => ({
  address: TOKEN,
  topics: [TRANSFER, word(from), word(holder)],
  data: word(amount),
  transactionHash: word(transaction),
  blockNumber: '0x1',
  logIndex: '0x0',
})

/** Inflows of the holder from a node's logs, and the number of transaction requests. */
const given = async (logs: ChainLog[]) => {
  let asked = 0
  const chain = {
    height: 10_000,
    logs: async () => logs,
    transaction: async () => {
      asked += 1
      return { from: maker, to: TOKEN }
    },
  } as unknown as ChainReader
  const { inflowsTo } = inflowsOf({ chain, network: 'ETH', store: undefined, assets: [TOKEN], since: 0 })
  return { gifts: await inflowsTo([holder]), asked: () => asked }
}

test('the signer of a mint is requested once per transaction', async () => {
  const { gifts, asked } = await given([made(5, 1), made(7, 1), made(9, 2, maker)])
  expect(asked()).toBe(1)
  expect(gifts).toEqual([
    { to: holder, from: ZERO, signer: maker, amount: 5n },
    { to: holder, from: ZERO, signer: maker, amount: 7n },
    { to: holder, from: maker, signer: '', amount: 9n },
  ])
})

test('of thousands of mints only the largest are followed, and the others have no signer', async () => {
  const { gifts, asked } = await given(Array.from({ length: 5_000 }, (_, nth) => made(nth + 1, nth)))
  expect(asked()).toBeLessThanOrEqual(100)
  expect(gifts).toHaveLength(5_000)
  const named = gifts.filter(({ signer }) => signer === maker).map(({ amount }) => Number(amount))
  expect(named.length).toBe(asked())
  expect(Math.min(...named)).toBeGreaterThan(4_800)
  expect(gifts.filter(({ signer }) => signer !== maker).every(({ signer }) => signer === '')).toBe(true)
})
