import { expect, test } from 'vitest'
import { recordTopicKey } from '../../../schema/topics.ts'
import { subjectOfKey } from './follow.ts'

test('parses network, address and operation from the key of any record', () => {
  const ton = `0:${'ab'.repeat(32)}`
  for (const [network, address] of [
    ['ETH', '0x1'],
    ['TON', ton],
  ] as const) {
    for (const operation of ['fraud_check', 'rug_pull'] as const) {
      expect(subjectOfKey(recordTopicKey(network, address, operation))).toEqual({ network, address, operation })
    }
  }
})
