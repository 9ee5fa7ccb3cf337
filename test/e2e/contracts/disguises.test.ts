/** Tokens written down with the truth about them before anybody looked at the analysis: they know simulations, and hide from who reads code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/disguises.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const analysed = async (name: string) => tokens.analyse((await tokens.list(name)).token)

describe('they know who simulates, and when', () => {
  test.each(['MarramGrass', 'RoundPurse', 'YesterdaysPaper'])('%s', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators.is_honeypot).toBe(1)
    expect(report?.status).toBe('Fraud')
  })

  test.each(['TwelveBells', 'BellRaffle'])('%s, where a block comes every twelve seconds', async (name) => {
    const { lab } = tokens
    await lab.ask('anvil_setBlockTimestampInterval', 12)
    const report = await analysed(name)
    await lab.ask('anvil_removeBlockTimestampInterval')
    const trap = name === 'TwelveBells'
    expect(report?.indicators).toMatchObject({ is_honeypot: trap ? 1 : 0, cannot_buy: 0, cannot_sell_all: 0 })
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')
    expect(report?.status).toBe(trap ? 'Fraud' : 'Not Fraud')
  })
})
