/** Tokens that obey accounts of a row, with the truth written down before anybody looked at the analysis. */
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListedTokens, pad, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens
let last = ''

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/keepers.sol', import.meta.url))
  last = (tokens.lab.accounts[3] ?? '').toLowerCase()
})
afterAll(() => tokens?.stop())

/** Those whose owner leaves once they are listed. */
const LEFT = new Set(['LeftRail', 'LeftBookRail', 'OpenRail', 'ListedRail', 'GuardedRail'])
const analysed = async (name: string) => {
  const { lab, maker } = tokens
  const { token } = await tokens.list(name, last)
  if (LEFT.has(name)) await lab.send({ from: maker, to: token, data: toFunctionSelector('renounceOwnership()') })
  return tokens.analyse(token)
}

describe('an account that may make tokens is found', () => {
  test.each([
    ...['PegRail', 'QuietRail', 'LongRail', 'BackRail', 'TagRail', 'ToolRail', 'FarRail', 'GrowingRail', 'NumberRail'],
    ...['CountedRail', 'AskedRail', 'EitherRail', 'LeftRail', 'CarvedRail', 'CrowdRail'],
  ])('%s', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ is_mintable: 1, hidden_owner: 1 })
    expect(report?.findings.mint.evidence.join()).toContain(last)
  })

  test('so is one that may stop all transfers', async () => {
    const report = await analysed('ClosingRail')
    expect(report?.indicators).toMatchObject({ is_mintable: 0, transfer_pausable: 1, hidden_owner: 1 })
  })
})

test.each([
  'PaintedRail',
  'TrayRail',
  'TicketRail',
  'EndlessRail',
  'LentRail',
  'LeftBookRail',
  'GridRail',
  'ChainRail',
  'DeepRail',
])('whether somebody may make tokens of %s is unknown', async (name) => {
  const report = await analysed(name)
  if (!report?.indicators.is_mintable) expect(report?.unknowns).toHaveProperty('is_mintable')
})

const POWERS = ['is_mintable', 'owner_change_balance', 'is_blacklisted', 'transfer_pausable', 'hidden_owner']

test('an account in a row of another contract that transfers ask is found', async () => {
  const report = await analysed('BellRail')
  expect(report?.indicators).toMatchObject({ transfer_pausable: 1, is_honeypot: 0 })
})

describe('they look like it', () => {
  test.each([
    ['BrushRail', 0],
    ['OpenRail', 1],
    ['ListedRail', 1],
    ['GuardedRail', 1],
    ['RoleRail', 1],
    ['NameRail', 0],
  ])('%s', async (name, pausable) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({
      is_mintable: 0,
      owner_change_balance: 0,
      transfer_pausable: pausable,
      hidden_owner: 0,
    })
    for (const flag of POWERS) expect(report?.unknowns).not.toHaveProperty(flag)
    expect(report?.status).toBe('Not Fraud')
  })
})

test('whether everybody takes back their own from ChestRail is not told by who is tried, and nobody rules it', async () => {
  const report = await analysed('ChestRail')
  expect(report?.indicators).toMatchObject({ is_mintable: 0, owner_change_balance: 0, hidden_owner: 0 })
  expect(report?.unknowns).not.toHaveProperty('hidden_owner')
  expect(report?.status).toBe('Not Fraud')
})

describe('what a proxy runs was opened once', () => {
  const opened = async (name: string) => {
    const { lab, maker } = tokens
    const token = await tokens.deploy('Line', await tokens.deploy(name))
    await lab.send({ from: maker, to: token, data: `${toFunctionSelector('open(address)')}${pad(maker)}` })
    return tokens.analyse((await tokens.pool(token, true)).token)
  }
  test.each(['Linen', 'PlainLinen'])('and %s cannot be again', async (name) => {
    const report = await opened(name)
    expect(report?.indicators).toMatchObject({ is_mintable: 0, owner_change_balance: 0, hidden_owner: 0, is_proxy: 1 })
    for (const flag of POWERS) expect(report?.unknowns).not.toHaveProperty(flag)
  })
  test('whether FoldedLinen can be, whose owner writes the same word, is unknown', async () => {
    const report = await opened('FoldedLinen')
    expect(report?.indicators).toMatchObject({ is_mintable: 0, owner_change_balance: 0, hidden_owner: 0 })
    expect(report?.unknowns.is_mintable).toBe('every account was refused by a call that depends on calls of others')
    expect(report?.status).toBe('Not Fraud')
  })
  test.each(['TwiceLinen', 'AgainLinen'])('and %s can be again', async (name) => {
    expect((await opened(name))?.indicators).toMatchObject({ is_mintable: 1 })
  })
})
