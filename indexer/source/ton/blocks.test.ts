import { Cell } from '@ton/core'
import { expect, test } from 'vitest'
import { createTonChain } from '../../../test/kit/chain/ton/chain.ts'
import { pay } from '../../../test/kit/chain/ton/transactions.ts'
import { account } from '../../../test/kit/chain/ton/wallets.ts'
import { placeTransaction } from './blocks.ts'
import { readBag } from './cell/boc.ts'
import type { BlockHeader } from './raw.ts'

const chain = createTonChain()
const [ann, bob] = [account('ann'), account('bob')]
chain.mine([pay(ann, bob, 7n)])
const made = chain.find(chain.at(1)!.tips[0]!)!
const [printed] = made.transactions
const bag = Buffer.from(printed!.data, 'base64')
const stated = { lt: BigInt(printed!.transaction_id.lt), hash: Cell.fromBoc(bag)[0]!.hash().toString('hex') }
const header: BlockHeader = {
  id: { workchain: 0, shard: '8000000000000000', seqno: 1, root_hash: '', file_hash: '' },
  ...{ after_merge: false, after_split: false, start_lt: made.startLt, end_lt: made.endLt, gen_utime: made.time },
  prev_blocks: [],
}
const place = (changed: Partial<BlockHeader> = {}, other: Partial<typeof stated> = {}) =>
  placeTransaction({ ...header, ...changed }, { ...stated, ...other }, () => readBag(bag))

test('a transaction belongs only to the block with its time, logical time and shard', () => {
  expect(place()).toMatchObject({ address: bob, hash: stated.hash })
  // Of the two halves of the workchain, one holds the account.
  const halves = ['4000000000000000', 'c000000000000000'].map((shard) => ({ id: { ...header.id, shard } }))
  const [held, other] = Number.parseInt(bob.charAt(2), 16) < 8 ? halves : halves.toReversed()
  expect(place(held)).toMatchObject({ address: bob })
  const refusals: [string, Partial<BlockHeader>, Partial<typeof stated>?][] = [
    ['transaction_shard', other!],
    ['transaction_time', { gen_utime: made.time + 1 }],
    ['transaction_lt', { start_lt: stated.lt }],
    ['transaction_lt', { end_lt: stated.lt }],
    ['transaction_lt', {}, { lt: stated.lt + 1n }],
    ['transaction_hash', {}, { hash: '0'.repeat(64) }],
  ]
  for (const [check, changed, claim] of refusals) {
    expect(() => place(changed, claim), check).toThrow(expect.objectContaining({ check }))
  }
})
