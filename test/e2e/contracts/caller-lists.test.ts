/** Powers of callers on a list that nothing shows, with the truth written down before anybody looked at the analysis. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/caller-lists.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const analysed = (name: string) => tokens.analyseNamed(name)
const POWERS = ['is_mintable', 'owner_change_balance', 'hidden_owner'] as const
const NONE = Object.fromEntries(POWERS.map((flag) => [flag, 0]))

test.each([
  ...['KeyRing', 'RoleRing', 'LevelRing', 'WeightRing', 'SoftBasket', 'PairBasket', 'TurnedBasket'],
  'TagBasket',
])('whether somebody is on the list of %s is unknown', async (name) => {
  const report = await analysed(name)
  expect(report?.indicators).toMatchObject({ ...NONE, is_honeypot: 0 })
  const why = 'a call obeys a list of accounts, and no account on it is known'
  expect(report?.unknowns).toMatchObject({ is_mintable: why, owner_change_balance: why })
  expect(report?.unknowns.hidden_owner).toBe('a list without a public getter decides who may call it')
  expect(report?.status).toBe('Not Fraud')
})

test.each(['TurnBasket', 'BlurBasket'])('the list of %s cannot be read', async (name) => {
  const report = await analysed(name)
  expect(report?.indicators).toMatchObject(NONE)
  expect(report?.unknowns.owner_change_balance).toBe('a call looks its caller up in a list that cannot be read')
  expect(report?.status).toBe('Not Fraud')
})

test('an insider on the list is found, and stays hidden behind an owner who left', async () => {
  const report = await analysed('MakerRing')
  expect(report?.indicators).toMatchObject({ owner_change_balance: 1, hidden_owner: 1, is_mintable: 0 })
  expect(report?.findings.changeBalance.evidence.join()).toContain(tokens.maker)
})

test.each(['FreeRing', 'BarRing', 'OwnRing', 'BridgeBasket', 'CountBasket'])(
  '%s looks its callers up, and is known to have no such power',
  async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ ...NONE, is_honeypot: 0 })
    for (const flag of POWERS) expect(report?.unknowns).not.toHaveProperty(flag)
    expect(report?.status).toBe('Not Fraud')
  },
)
