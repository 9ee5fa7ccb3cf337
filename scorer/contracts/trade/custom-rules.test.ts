import { expect, test } from 'vitest'
import { judgeCustomRules } from './custom-rules.ts'
import { UNKNOWN_TRADE } from './facts.ts'

const TRADE = { ...UNKNOWN_TRADE, simulated: true, canBuy: true, canSell: true, paidBack: 0.9, buysThroughout: true }

test.each([
  ['sells', TRADE],
  ['refuses purchases', { ...TRADE, canBuy: false }],
  ['refuses sales', { ...TRADE, canSell: false, sentToPool: true }],
])("whether a transfer closes sales is unknown in a stranger's pool that %s, unless the token cannot", (_, trade) => {
  expect(judgeCustomRules(trade, false, true).closesByTransfer).toBeUndefined()
  expect(judgeCustomRules(trade, false, false).closesByTransfer).toBe(false)
})

test('a pool of those behind the token shows it, unless its sale ends', () => {
  expect(judgeCustomRules({ ...TRADE, closesByTransfer: true }, true, true).closesByTransfer).toBe(true)
  const ended = { ...TRADE, canSell: false, buysThroughout: false }
  expect(judgeCustomRules(ended, true, true).closesByTransfer).toBeUndefined()
})
