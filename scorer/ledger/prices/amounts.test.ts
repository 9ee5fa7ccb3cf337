import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount as shape } from '../../../schema/records/explained/explanations.ts'
import { amountOf, BASE_UNITS, decimalText, dollarsOf, nftsOf } from './amounts.ts'

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'

test('an amount has the unit of its asset, and dollars where its price is fixed', () => {
  expect(amountOf('ETH', '', 12_345_678_901_234_567_891n)).toEqual({
    amount: '12.345678901234567891',
    unit: 'ETH',
    usd: '24691.36',
  })
  expect(amountOf('ETH', WETH, 10n ** 18n)).toEqual({ amount: '1', unit: 'WETH', usd: '2000.00' })
  expect(amountOf('ETH', USDC, 9_007_199_254_740_993n)).toEqual({
    amount: '9007199254.740993',
    unit: 'USDC',
    usd: '9007199254.74',
  })
  expect(amountOf('ETH', WBTC, 150_000_000n)).toEqual({ amount: '1.5', unit: 'WBTC', usd: null })
  expect(amountOf('TRON', '', 5_000_000n)).toEqual({ amount: '5', unit: 'TRX', usd: '1.00' })
  expect(nftsOf(2n)).toEqual({ amount: '2', unit: 'NFT', usd: null })
  expect(dollarsOf(0.5)).toEqual({ amount: '0.50', unit: 'USD', usd: '0.50' })
})

test('a token that calls itself a dollar coin is counted in base units, without a value', () => {
  const fake = `0x${'fa'.repeat(20)}`
  expect(amountOf('ETH', fake, 2n ** 256n - 1n)).toEqual({
    amount: (2n ** 256n - 1n).toString(),
    unit: BASE_UNITS,
    usd: null,
  })
})

test('dollars are rounded to the nearest cent, a half away from zero', () => {
  expect([4_999n, 5_000n, 14_999n, -5_000n, 0n].map((raw) => amountOf('ETH', USDC, raw).usd)).toEqual([
    '0.00',
    '0.01',
    '0.01',
    '-0.01',
    '0.00',
  ])
})

test('no digit of any amount is lost', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
      fc.integer({ min: 0, max: 77 }),
      (raw, decimals) => {
        const [whole = '', fraction = ''] = decimalText(raw, decimals).split('.')
        expect(fraction.length <= decimals && !fraction.endsWith('0')).toBe(true)
        expect(BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)).toBe(raw)
        for (const asset of ['', USDC, WBTC]) shape.parse(amountOf('ETH', asset, raw))
      },
    ),
  )
})
