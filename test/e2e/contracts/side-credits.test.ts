/** Tokens that are there beside the supply, or that trades make or send elsewhere, with the truth written down first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/side-credits.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const analysed = (name: string) => tokens.analyseNamed(name)

describe('balances beside the supply', () => {
  test.each([
    ['DoublePantry', '1000%', '950%', 'Fraud'],
    ['SplitPantry', '160%', '110%', 'Fraud'],
    ['WalletPantry', '1000%', '900%', 'Not Fraud'],
    ['AshPantry', '200%', '100%', 'Not Fraud'],
  ])('%s has them', async (name, all, most, status) => {
    const report = await analysed(name)
    const excess = report?.reasons.risk.find(({ code }) => code === 'balances_exceed_supply')
    expect(excess?.evidence.join()).toContain(`${all} of the total supply`)
    expect(excess?.evidence.join()).toContain(`holds ${most} of it`)
    expect(report?.reasons.fraud.map(({ code }) => code)).toContain('balances_exceed_supply')
    expect(report?.status).toBe(status)
  })

  test.each(['FloatPantry', 'StakePantry', 'ReserveTill'])('%s hides none', async (name) => {
    const report = await analysed(name)
    const codes = [...(report?.reasons.risk ?? []), ...(report?.reasons.fraud ?? [])].map(({ code }) => code)
    expect(codes).not.toContain('balances_exceed_supply')
    expect(report?.status).toBe('Not Fraud')
  })
})

describe('trades make tokens', () => {
  test.each(['GenerousTill', 'OpenTill', 'GiftTill'])('for the clerk of %s', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ is_mintable: 1, is_honeypot: 0, sell_tax: 0 })
    expect(report?.findings.mint.evidence).toEqual([
      `trades and transfers of anyone credit ${tokens.friend} with new tokens: mint`,
    ])
  })

  test('for DeepTill itself', async () => {
    const report = await analysed('DeepTill')
    expect(report?.indicators).toMatchObject({ is_mintable: 1, is_honeypot: 0 })
    expect(report?.findings.mint.evidence.join()).toContain(report?.token)
  })

  test.each(['FarTill', 'SeedTill'])('whether for accounts that nobody can read in %s is unknown', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ is_mintable: 0, is_honeypot: 0 })
    expect(report?.unknowns.is_mintable).toBe('a transfer writes the balance of an account that cannot be read')
    expect(report?.status).toBe('Not Fraud')
  })

  test.each(['FeeTill', 'YeastTill', 'CrumbTill', 'ReserveTill'])('none in %s', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ is_mintable: 0, is_honeypot: 0, owner_change_balance: 0 })
    expect(report?.unknowns).not.toHaveProperty('is_mintable')
    expect(report?.status).toBe('Not Fraud')
  })
})

test.each([
  ['HungryTill', 0],
  ['OtherTill', 100],
  ['PartTill', 95],
])('sellers lose what they sell, or all they have, in %s', async (name, tax) => {
  const report = await analysed(name)
  expect(report?.indicators).toMatchObject({ is_honeypot: 1, sell_tax: tax })
  expect(report?.status).toBe('Fraud')
})

test('tokens that can only be sent to the pool make OtherTill no proven trap', async () => {
  expect((await analysed('OtherTill'))?.honeypot.verdict).not.toBe('trap')
})
