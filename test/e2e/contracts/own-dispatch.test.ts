/** Tokens in whose code no list of functions is to be found. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/own-dispatch.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const analysed = async (name: string) => tokens.analyse((await tokens.pool(await tokens.deploy(name), true)).token)

test.each([
  ['Broadsheet', 0, 'Not Fraud'],
  ['Almanac', 0, 'Not Fraud'],
  ['Pamphlet', 1, 'Fraud'],
  ['Gazette', 1, 'Fraud'],
])('%s is a token by what it does, and trades show what it is', async (name, trap, status) => {
  const report = await analysed(name)
  expect(report?.indicators).toMatchObject({ is_in_dex: 1, cannot_buy: 0, is_honeypot: trap })
  expect(report?.unknowns).not.toHaveProperty('is_honeypot')
  expect(report?.status).toBe(status)
})

test.each(['Broadsheet', 'Reprint'])('what the functions of %s can do is unknown, and weighs nothing', async (name) => {
  const report = await analysed(name)
  for (const flag of ['is_mintable', 'owner_change_balance', 'hidden_owner', 'is_blacklisted'] as const) {
    expect(report?.indicators[flag]).toBe(0)
    expect(report?.unknowns[flag]).toBe('not all of the code could be read')
  }
  expect(report?.status).toBe('Not Fraud')
})
