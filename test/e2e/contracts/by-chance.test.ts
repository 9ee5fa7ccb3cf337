/** Tokens whose truth shows at some moments only: whenever they are looked at, liars are never cleared and honest ones never accused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/context/clock.ts'
import { type ContractAnalysis, createContractAnalysis } from '../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { createStakeholders } from '../../../scorer/contracts/stakeholders/node.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { COIN, type ListedTokens, pad, startListedTokens, word } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens
/** Accounts that were given tokens. */
let holders: string[]
/** The analysis that knows these holders. */
let withHolders: ContractAnalysis

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/by-chance.sol', import.meta.url))
  holders = tokens.lab.accounts.slice(3, 6).map((account) => account.toLowerCase())
  const fromNode = createStakeholders({ network: 'ETH' })
  withHolders = createContractAnalysis({
    context: { clock: systemClock },
    rpc: tokens.lab,
    network: 'ETH',
    stakeholders: (chain, registry) => ({ ...fromNode(chain, registry), holdersOf: async () => holders }),
    options: SHARED_THREADS,
  })
})
afterAll(() => tokens?.stop())

/** Seconds until a clock hour of the next day. */
const until = async (hour: number) => {
  const { timestamp } = await tokens.lab.ask<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  return 86_400 - (Number(timestamp) % 86_400) + hour * 3_600
}
const wait = async (seconds: number) => {
  await tokens.lab.ask('evm_increaseTime', seconds)
  await tokens.lab.send({ from: tokens.maker, to: tokens.maker, data: '0x' })
}
/** Lists a token at this hour. */
const listedAt = async (hour: number, name: string) => {
  await wait(await until(hour))
  const { token } = await tokens.list(name)
  for (const holder of holders)
    await tokens.lab.send({
      from: tokens.maker,
      to: token,
      data: `0xa9059cbb${pad(holder)}${word(1_000n * COIN)}`,
    })
  return token
}
const [NIGHT, DAY] = [3, 12]
const HOURS = [NIGHT, DAY, NIGHT, DAY]

describe('they lie', () => {
  test.each(['PeoplesDay', 'FirstGuests', 'OddDoor', 'PriceBand'])('%s', async (name) => {
    for (const hour of HOURS) expect((await tokens.analyse(await listedAt(hour, name)))?.indicators.is_honeypot).toBe(1)
  })

  test('what SixSides takes from one sale in six is found, or leaves it unknown', async () => {
    const told: boolean[] = []
    for (const hour of [...HOURS, ...HOURS]) {
      const report = await tokens.analyse(await listedAt(hour, 'SixSides'))
      told.push(report?.indicators.is_honeypot === 1 || report?.unknowns.is_honeypot !== undefined)
    }
    // None of thirty sales is hit in one analysis of two hundred; in three of eight, never.
    expect(told.filter((one) => one).length).toBeGreaterThanOrEqual(6)
  })
})

describe('they do not', () => {
  test.each([
    ...[
      'PeoplesHours',
      'PeoplesMarket',
      'PeoplesBourse',
      'EarlyMarket',
      'AllAlike',
      'AllDice',
      'EvenSteps',
      'DatedDiary',
    ],
    ...['NoContracts', 'DayKeepers', 'MarketHours'],
  ])('%s, whose holders sell as everybody does', async (name) => {
    for (const hour of HOURS) {
      const report = await withHolders(await listedAt(hour, name))
      expect(report?.indicators).toMatchObject({ is_honeypot: 0, cannot_buy: 0, trading_cooldown: 0 })
      expect(report?.status).toBe('Not Fraud')
    }
  })

  test.each(['AllAlike', 'AllDice'])('a tax that varies is no favour to the owner of %s, who pays it', async (name) => {
    for (const hour of HOURS)
      expect((await tokens.analyse(await listedAt(hour, name)))?.indicators.is_whitelisted).toBe(0)
  })

  test('LongLaunch catches whoever buys now, and what comes later is unknown', async () => {
    const report = await tokens.analyse(await listedAt(DAY, 'LongLaunch'))
    expect(report?.indicators.is_honeypot).toBe(0)
    expect(report?.unknowns).toHaveProperty('is_honeypot')
  })
})

test('a power over sales is found while the market is closed', async () => {
  for (const hour of HOURS)
    expect((await tokens.analyse(await listedAt(hour, 'DayTax')))?.indicators.slippage_modifiable).toBe(1)
})

test('a node that simulates 256 blocks at most leaves nothing unknown', async () => {
  const { lab } = tokens
  const rpc: Requester = {
    request: async (asked) => {
      if (asked.method !== 'eth_simulateV1') return lab.request(asked)
      const [{ blockStateCalls }] = asked.params as [{ blockStateCalls: { blockOverrides: { number: string } }[] }]
      const last = Number(blockStateCalls.at(-1)?.blockOverrides.number)
      if (last > Number(await lab.ask<string>('eth_blockNumber')) + 256) throw new Error('too many blocks')
      return lab.request(asked)
    },
  }
  for (const name of ['PeoplesHours', 'DayKeepers', 'SundayBest', 'MarketHours']) {
    const report = await tokens.analysisOn(rpc)(await listedAt(NIGHT, name))
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')
    expect(report?.indicators.is_honeypot).toBe(0)
  }
})
