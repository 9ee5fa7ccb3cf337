import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import { SHARED_THREADS } from '../../../kit/contracts/analysis-threads.ts'
import { COIN, type ListedTokens, pad, startListedTokens, word } from '../../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens
const TRADE_FLAGS = ['is_honeypot', 'cannot_buy', 'cannot_sell_all', 'is_anti_whale', 'trading_cooldown'] as const

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

/** A token whose pool a stranger made. */
const dusted = async (name: string, amount: bigint, wei: bigint) => {
  const { lab, maker } = tokens
  const stranger = lab.accounts[5] ?? ''
  const token = await tokens.deploy(name)
  await lab.send({ from: maker, to: token, data: `0xa9059cbb${pad(stranger)}${word(amount * 2n)}` })
  const pair = await lab.addLiquidity('ETH', stranger, token, amount, wei)
  return { token, pair, stranger }
}

test.each([
  [3n, 1_000n * COIN],
  [50n, 1_000n * COIN],
  [3_000n, 1_000n * COIN],
  [3_000n, 1_000n],
])('a stranger who adds %s wei to a pool of an honest token accuses nobody', async (wei, amount) => {
  const { token } = await dusted('Impersonal', amount, wei)
  const report = await tokens.analyse(token)
  expect(report?.status).toBe('Not Fraud')
  expect(report?.indicators).toMatchObject({ is_in_dex: 0, buy_tax: 0, sell_tax: 0 })
  for (const flag of TRADE_FLAGS) {
    expect(report?.indicators[flag]).toBe(0)
    expect(report?.unknowns[flag]).toContain('too small to trade on')
  }
  expect(report?.unknowns.sell_tax).toContain('too small to trade on')
  expect(report?.reasons.fraud.map(({ code }) => code)).not.toContain('liquidity_providers')
})

test('a trade whose output rounds to nothing is no refusal', async () => {
  // Twenty coins against 900 base units of a token: a thousandth of the pool is not one of them.
  const { token } = await dusted('Impersonal', 900n, 20n * COIN)
  const report = await tokens.analyse(token)
  expect(report?.indicators).toMatchObject({ is_honeypot: 0, cannot_buy: 0, cannot_sell_all: 0, is_in_dex: 1 })
  expect(report?.status).toBe('Not Fraud')
})

test('a stranger who takes back the dust they added removed nothing from anybody', async () => {
  const { token, pair, stranger } = await dusted('Impersonal', 1_000n * COIN, 30_000n)
  const { lab } = tokens
  const held = BigInt(await lab.ask<string>('eth_call', { to: pair, data: `0x70a08231${pad(stranger)}` }, 'latest'))
  await lab.send({ from: stranger, to: pair, data: `0xa9059cbb${pad(pair)}${word((held * 95n) / 100n)}` })
  await lab.send({ from: stranger, to: pair, data: `0x89afcb44${pad(stranger)}` })
  const report = await tokens.analyse(token)
  expect(report?.status).toBe('Not Fraud')
  expect(report?.reasons.fraud.map(({ code }) => code)).not.toContain('liquidity_removed')
})

test('strangers who hold a few units each are no holders that cannot sell', async () => {
  const { lab, maker } = tokens
  const { token } = await tokens.list('Impersonal')
  const holders = [1, 2, 3, 4].map((n) => `0x${`f00d0${n}`.padEnd(40, '7')}`)
  const describe = createStakeholders({ network: 'ETH' })
  const withHolders = createContractAnalysis({
    context: { clock: systemClock },
    rpc: lab,
    network: 'ETH',
    stakeholders: (...where) => ({ ...describe(...where), holdersOf: async () => holders }),
    options: SHARED_THREADS,
  })
  for (const holder of holders) await lab.send({ from: maker, to: token, data: `0xa9059cbb${pad(holder)}${word(40n)}` })
  expect((await withHolders(token))?.indicators.is_honeypot).toBe(0)
})

test('a trap in a pool of worth is a trap', async () => {
  const { token } = await tokens.list('Honeypot')
  expect((await tokens.analyse(token))?.indicators.is_honeypot).toBe(1)
})
