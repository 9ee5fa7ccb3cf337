/** Pool tokens of a V2 pair in lockers and gauges. */
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locker } from '../../../../schema/registry/index.ts'
import type { ContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import { call, E18, openPools, type Pools, pad } from '../../../kit/contracts/markets/pools.ts'

const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
const DAY = 86_400n
let team: string
let goplus: string
let voter: string
let analyse: ContractAnalysis
let p: Pools
beforeAll(async () => {
  p = await openPools()
  team = await p.deploy('DepositsStandIn')
  const v2 = p.registry.exchanges.find(({ kind }) => kind === 'v2')
  if (!v2) throw new Error('ETH has no V2 exchange')
  goplus = await p.deploy('GoPlusStandIn')
  voter = await p.deploy('VoterStandIn')
  const lockers: Locker[] = [
    { address: team, name: 'Team Finance', kind: 'v2' },
    { address: goplus, name: 'GoPlus', kind: 'v2' },
  ]
  analyse = p.analysisWith(v2, { lockers, voters: [voter] })
})
afterAll(() => p?.stop())

const lockAt = async (locker: string, days: bigint) => {
  const token = await p.tokenOf('Impersonal')
  const pair = await p.lab.addLiquidity('ETH', p.from, token, 500_000n * E18, 20n * E18)
  await p.approve(pair, locker)
  const held = BigInt(await p.read(pair, `0x70a08231${pad(p.from)}`))
  const until = BigInt(Math.floor(Date.now() / 1_000)) + days * DAY
  await p.send(locker, call(deposit, 'lock', [pair, held, until, false]))
  return analyse(token)
}

test('Team Finance tells the date to those who know the depositor', async () => {
  const report = await lockAt(team, 400n)
  expect(report?.indicators.lp_holders_locked).toBe(true)
  const soon = await lockAt(team, 10n)
  expect(soon?.indicators.lp_holders_locked).toBe(false)
  // What is locked for ten days is listed as such. Of the second pair as of the first, the locker holds all.
  const days = (at: string | undefined) => (Date.parse(at ?? '') - Date.now()) / 86_400_000
  for (const [told, length] of [
    [report, 400],
    [soon, 10],
  ] as const) {
    const [first, ...others] = told?.facts.liquidityHolders.top ?? []
    expect(others).toEqual([])
    expect(first).toMatchObject({ address: team, share: 1, contract: true, tags: ['locker'], locks: [{ share: 1 }] })
    expect(Math.abs(days(first?.locks?.[0]?.until) - length)).toBeLessThan(0.1)
  }
})

test('GoPlus tells it to everybody', async () => {
  expect((await lockAt(goplus, 400n))?.indicators.lp_holders_locked).toBe(true)
  expect((await lockAt(goplus, 10n))?.indicators.lp_holders_locked).toBe(false)
})

test('staked in the gauge of the pair it belongs to who staked it', async () => {
  const token = await p.tokenOf('Impersonal')
  const pair = await p.lab.addLiquidity('ETH', p.from, token, 500_000n * E18, 20n * E18)
  const gauge = await p.deploy('GaugeStandIn')
  await p.approve(pair, gauge)
  await p.send(voter, call(parseAbi(['function set(address,address)']), 'set', [pair, gauge]))
  const held = BigInt(await p.read(pair, `0x70a08231${pad(p.from)}`))
  await p.send(gauge, call(parseAbi(['function deposit(address,uint256)']), 'deposit', [pair, held]))
  const report = await analyse(token)
  expect(report?.indicators.lp_holders_locked).toBe(false)
  const providers = report?.reasons.fraud.find(({ code }) => code === 'liquidity_providers')?.evidence
  expect(providers).toEqual([`${p.from.toLowerCase()} holds 100%`])
})

test('the same code at an address nobody registered locks nothing', async () => {
  expect((await lockAt(await p.deploy('DepositsStandIn'), 400n))?.indicators.lp_holders_locked).toBe(false)
})
