import { expect, test } from 'vitest'
import { emptyRows } from './block.ts'
import { decodeBlocks, decodeRescore, encodeBlocks, encodeRescore, MAX_MESSAGE_BYTES, stamp } from './topics.ts'

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

test('splits touched addresses into as few messages of bounded size as possible, in order', () => {
  const addresses = Array.from({ length: 10_000 }, (_, index) => address(index))
  const values = encodeRescore(addresses)
  expect(values.flatMap(decodeRescore)).toEqual(addresses)
  expect(values.length).toBe(3)
  for (const value of values) expect(value.length).toBeLessThanOrEqual(200_000)
  expect(encodeRescore([])).toEqual([])
})

test.each(['', '{}', '[1]', '[""]'])('%j is no value of a touched message', (text) => {
  expect(() => decodeRescore(Buffer.from(text))).toThrow()
})

test('splits a block of many rows into messages of bounded size, without losing rows', () => {
  const rows = emptyRows()
  const message = 'x'.repeat(500)
  for (let index = 0; index < 8_000; index++) {
    rows.transactions.push({
      ...{
        network: 'ETH',
        block_number: 1,
        block_time: 2,
        position: String(index),
        tx_hash: '0x01',
        sender: address(1),
      },
      ...{ receiver: address(2), value: '1', fee: '1', nonce: '0', type: 2, status: 1, gas_used: '1', selector: '' },
      ...{ input_size: 0, message, deeds: '' },
    })
  }
  const messages = encodeBlocks([{ network: 'ETH', number: 1, hash: '0xb', parentHash: '0xa', time: 2, rows }])
  for (const { value } of messages) expect(value.length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
  const decoded = messages.map((one) => decodeBlocks(stamp(one, 'log')))
  expect(decoded.flatMap(({ sections }) => sections).reduce((sum, { count }) => sum + count, 0)).toBe(8_000)
})
