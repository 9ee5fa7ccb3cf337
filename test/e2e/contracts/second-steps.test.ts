/** Powers over trade that take two calls, with the truth written down before anybody looked at the analysis. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/second-steps.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const FLAGS = [
  ...['is_blacklisted', 'transfer_pausable', 'slippage_modifiable', 'anti_whale_modifiable'],
  'personal_slippage_modifiable',
] as const
const NONE = Object.fromEntries(FLAGS.map((flag) => [flag, 0]))
const analysed = async (name: string) => tokens.analyse((await tokens.list(name)).token)

test.each([
  ['PendingBar', 'is_blacklisted'],
  ['SlowBar', 'is_blacklisted'],
  ['PendingToll', 'slippage_modifiable'],
  ['PendingGate', 'transfer_pausable'],
  ['TwinGate', 'transfer_pausable'],
  ['PendingCap', 'anti_whale_modifiable'],
])('%s: %s', async (name, flag) => {
  const report = await analysed(name)
  expect(report?.indicators).toMatchObject({ ...NONE, [flag]: 1, is_honeypot: 0 })
  expect(report?.status).toBe('Not Fraud')
})

test.each(['PendingNote', 'PendingRelief', 'TwinFlag', 'WishBar', 'PaceGate'])(
  '%s looks like it and is known to have no such power',
  async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ ...NONE, is_honeypot: 0 })
    for (const flag of FLAGS) expect(report?.unknowns).not.toHaveProperty(flag)
    expect(report?.status).toBe('Not Fraud')
  },
)

test('AiredLinen, whose owner clears the mark beside its own address, can be opened again', async () => {
  expect((await analysed('AiredLinen'))?.indicators).toMatchObject({ is_mintable: 1 })
})

test('whether RefoldedLinen, whose owner writes the word that closed it, is opened again is unknown', async () => {
  const report = await analysed('RefoldedLinen')
  expect(report?.indicators).toMatchObject({ is_mintable: 0, owner_change_balance: 0 })
  expect(report?.unknowns.is_mintable).toBe('every account was refused by a call that depends on calls of others')
})
