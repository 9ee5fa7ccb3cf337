/** Balances and ages as the tables tell them, against a second computation straight from the steps. */
import { expect, test } from 'vitest'
import { behaviourBody } from '../../../../schema/records/explained/behaviour.ts'
import { qualityOf } from '../../../../scorer/profile/scores.ts'
import { DAY, rowsOfSteps, type Step } from '../../../kit/world/steps.ts'
import { GENESIS, insertRows, named, settle } from '../../../kit/world/transactions.ts'
import { ETH, fund, market, NOW, POOLS, profileKit, trader, USDC } from './profile.kit.ts'

const { profiles, store, truncate } = profileKit()

/** Small deterministic generator (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const WALLETS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'].map(named)
const SPAN = 700

const randomSteps = (seed: number): Step[] => {
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const steps: Step[] = [...POOLS, ...WALLETS.map((wallet, nth) => fund(20 + 100 * nth, wallet, 1_000n * ETH))]
  for (const [nth, wallet] of WALLETS.entries()) {
    steps.push({
      day: 20.5 + 100 * nth,
      from: trader,
      to: USDC,
      selector: '0xa9059cbb',
      moves: [{ from: trader, to: wallet, asset: USDC, amount: 1_000_000_000_000n }],
    })
  }
  for (let nth = 0; nth < 250; nth++) {
    const from = pick(WALLETS)
    const day = 640 + next() * 50 - next() * 600
    const token = next() < 0.5
    const other = pick([...WALLETS, named('x'), named('y')])
    const amount = BigInt(Math.floor(next() * 1e6)) * (token ? 1_000n : 10n ** 12n)
    const fee = BigInt(Math.floor(next() * 1e6)) * 10n ** 9n
    const failed = next() < 0.1
    if (token)
      steps.push({
        day,
        from,
        to: USDC,
        selector: '0xa9059cbb',
        fee,
        failed,
        moves: [{ from, to: other, asset: USDC, amount }],
      })
    else steps.push({ day, from, to: other, value: amount, fee, failed })
  }
  return [...steps, ...market(SPAN), { day: SPAN, from: named('miner'), to: named('bob'), value: 1n }]
}

/** The second computation: replays one wallet's steps and adds up balance x time, change by change. */
const replay = (steps: readonly Step[], wallet: string) => {
  const end = GENESIS + SPAN * DAY
  const start = end - 365 * DAY
  const changes: { time: number; asset: string; amount: number }[] = []
  const active = new Set<string>()
  let payments = 0
  for (const step of steps) {
    const time = Math.floor(GENESIS + step.day * DAY)
    const change = (asset: string, amount: bigint) => changes.push({ time, asset, amount: Number(amount) })
    if (step.from === wallet) {
      change('', -(step.fee ?? 0n))
      if (time >= start) active.add(new Date(time * 1_000).toISOString().slice(0, 7))
      if (!step.failed && !step.selector && step.value && step.to !== wallet) payments++
    }
    if (step.failed) continue
    const moves = [
      ...(step.moves ?? []),
      ...(step.value ? [{ from: step.from, to: step.to, asset: '', amount: step.value }] : []),
    ]
    for (const move of moves) {
      if (move.from === wallet) change(move.asset, -move.amount)
      if (move.to === wallet) change(move.asset, move.amount)
    }
  }
  changes.sort((a, b) => a.time - b.time)
  const worth: Record<string, number> = { '': 2_000 / 1e18, [USDC]: 1 / 1e6 }
  const dollarDays: Record<string, number> = { '': 0, [USDC]: 0 }
  let balance = 0
  for (const asset of ['', USDC]) {
    let held = 0
    let since = start
    for (const change of changes.filter((one) => one.asset === asset)) {
      dollarDays[asset]! += (held * worth[asset]! * Math.max(0, change.time - since)) / DAY
      since = Math.max(since, change.time)
      held += change.amount
    }
    dollarDays[asset]! += (held * worth[asset]! * (end - since)) / DAY
    balance += held * worth[asset]!
  }
  const born = Math.min(...changes.map(({ time }) => time))
  const total = dollarDays['']! + dollarDays[USDC]!
  return {
    balance: Math.round(balance * 100) / 100,
    stable: Math.round((1_000 * dollarDays[USDC]!) / total) / 10,
    native: Math.round((1_000 * dollarDays['']!) / total) / 10,
    age: Math.floor((end - born) / DAY),
    active: Math.min(12, active.size),
    mean: (total * DAY) / Math.max(DAY, Math.min(365 * DAY, end - born)),
    payments,
  }
}

test('balances, balance over time, ages and payments agree with a replay, in either tier', {
  timeout: 60_000,
}, async () => {
  const steps = randomSteps(7)
  const expected = WALLETS.map((wallet) => replay(steps, wallet))
  const rows = rowsOfSteps(steps)
  const told = async () => {
    const found = await profiles().profile('ETH', WALLETS, NOW)
    return found.map((one) => {
      const { riskProfile, userDetails, categories } = behaviourBody.parse(JSON.parse(one!.profile.audit))
      const share = (bucket: string) => riskProfile.find(({ Category }) => Category === bucket)!.Balance_age
      return {
        balance: userDetails.total_balance_usd,
        stable: share('Stable Coin'),
        native: share('1to10'),
        age: userDetails.wallet_age_days,
        payments: categories.find(({ Category }) => Category === 'Layer 1')?.Count ?? 0,
      }
    })
  }
  const wanted = expected.map(({ active: _active, mean: _mean, ...rest }) => rest)
  await insertRows(store(), rows)
  expect(await told()).toEqual(wanted)
  const inFinal = await profiles().profile('ETH', WALLETS, NOW)
  for (const [index, one] of inFinal.entries()) {
    const { experience, protocols } = behaviourBody.parse(JSON.parse(one!.profile.audit))
    const { active: activeMonths, mean: averageBalanceUsd } = expected[index]!
    const { probability, status } = one!.profile.scored
    expect(status).not.toBe('Fraud')
    const known = { experience: experience.Value, protocols: protocols.length, probability, flagged: false }
    expect(one!.profile.quality).toBe(qualityOf({ ...known, activeMonths, averageBalanceUsd }).quality)
  }

  await truncate()
  const settled = 200
  const split = (below: boolean) =>
    Object.fromEntries(
      Object.entries(rows).map(([table, list]) => [table, list.filter((row) => row.block_number <= settled === below)]),
    ) as typeof rows
  await insertRows(store(), split(true))
  await insertRows(store(), split(false), 'hot')
  await settle(store(), 'ETH', settled)
  expect(await told()).toEqual(wanted)
  const inBoth = await profiles().profile('ETH', WALLETS, NOW)
  expect(inBoth.map((one) => one!.profile.segment)).toEqual(inFinal.map((one) => one!.profile.segment))
})
