import { expect, test } from 'vitest'
import { emptyFacts, type FunctionFacts } from '../code/abstract/facts.ts'
import { variationOf } from './variation.ts'

const functions = (change: Partial<FunctionFacts> = {}): FunctionFacts[] =>
  ['0xa9059cbb', '0x23b872dd', '0x70a08231', '0x095ea7b3', '0xdd62ed3e', 'fallback'].map((selector, i) => ({
    ...emptyFacts(selector, i, { notes: 0, incomplete: false }),
    maps: selector === '0xdd62ed3e' ? ['0x1'] : ['0x0'],
    stores: i < 2 ? ['map:0x0', 'map:0x1'] : [],
    ...(selector === '0x23b872dd' ? change : {}),
  }))

test('only transfers that do nothing but move balances are the same at every moment', () => {
  expect(variationOf(functions(), true)).toEqual({ byBlock: false, byTrades: false })
  expect(variationOf(functions({ stores: ['map:0x0', '0x7'] }), true)).toEqual({ byBlock: false, byTrades: true })
  for (const change of [{ readsBlock: true }, { staticCalls: true }, { calls: true }, { delegates: true }])
    expect(variationOf(functions(change), true)).toEqual({ byBlock: true, byTrades: true })
  expect(variationOf(functions(), false).byBlock).toBe(true)
  expect(variationOf(functions().slice(1), true).byBlock).toBe(true)
})
