/** Tokens that let buyers sell, and whoever sent tokens or was sent some or not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/after-transfers.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

test.each([
  ['GiftWrap', 1],
  ['TillReceipt', 1],
  ['SecondHand', 1],
  ['OneWay', 1],
  ['CoolingRack', 0],
  ['PostOffice', 0],
])('%s: is_whitelisted %i, and buyers sell', async (name, toldApart) => {
  const report = await tokens.analyse((await tokens.list(name)).token)
  expect(report?.indicators).toMatchObject({ is_whitelisted: toldApart, is_honeypot: 0, cannot_buy: 0 })
  expect(report?.unknowns).not.toHaveProperty('is_whitelisted')
  expect(report?.status).toBe('Not Fraud')
  const evidence = JSON.stringify(report?.reasons)
  expect(evidence.includes('who only bought tokens can sell them, who sent some or was sent some cannot')).toBe(
    toldApart === 1,
  )
})

test('a token that is only bought and sold accuses nobody, as nothing can be sent', async () => {
  const report = await tokens.analyse((await tokens.list('NewShoes')).token)
  expect(report?.indicators).toMatchObject({ is_whitelisted: 0, is_honeypot: 0, cannot_buy: 0 })
  expect(report?.status).toBe('Not Fraud')
})
