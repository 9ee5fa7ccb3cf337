/** Powers that hide in approvals, bytes, tiny amounts and switches, with the truth written down before anybody looked at the analysis. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/quiet-powers.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const POWERS = ['is_mintable', 'owner_change_balance', 'is_blacklisted', 'transfer_pausable', 'hidden_owner'] as const
const NONE = Object.fromEntries(POWERS.map((flag) => [flag, 0]))

const analysed = (name: string) => tokens.analyseNamed(name)

test.each([
  ['OpenPockets', { owner_change_balance: 1, hidden_owner: 1 }, 'Fraud'],
  ['DeepPockets', { owner_change_balance: 1, hidden_owner: 1 }, 'Fraud'],
  ['SidePockets', { owner_change_balance: 1, hidden_owner: 1 }, 'Fraud'],
  ['ShownPockets', { owner_change_balance: 1 }, 'Not Fraud'],
  ['SmallScoop', { is_mintable: 1, hidden_owner: 1 }, 'Fraud'],
  ['PackedMail', { is_blacklisted: 1 }, 'Not Fraud'],
  ['CommandBox', { is_mintable: 1, is_blacklisted: 1 }, 'Not Fraud'],
  ['QuietBell', { transfer_pausable: 1 }, 'Not Fraud'],
])('%s', async (name, powers, status) => {
  const report = await analysed(name)
  expect(report?.indicators).toMatchObject({ ...NONE, ...powers, is_honeypot: 0 })
  expect(report?.status).toBe(status)
})

test.each(['ShopFees', 'DailyBread', 'VoteBox', 'VisitBell', 'PlainManners'])(
  '%s looks like it and is known to have no such power',
  async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ ...NONE, is_honeypot: 0 })
    for (const flag of POWERS) expect(report?.unknowns).not.toHaveProperty(flag)
    expect(report?.status).toBe('Not Fraud')
  },
)

test('whether the contract that transfers of DeskPockets approve takes tokens of others is unknown', async () => {
  const report = await analysed('DeskPockets')
  expect(report?.indicators).toMatchObject(NONE)
  expect(report?.unknowns.owner_change_balance).toBe("a transfer approves a contract to spend the receiver's tokens")
  expect(report?.status).toBe('Not Fraud')
})

test('whether somebody takes tokens of MixedPockets, whose transfers approve a computed account, is unknown', async () => {
  const report = await analysed('MixedPockets')
  expect(report?.unknowns.owner_change_balance).toBe(
    "a transfer approves an account that cannot be read to spend the receiver's tokens",
  )
})
