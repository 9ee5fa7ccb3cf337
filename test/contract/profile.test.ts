import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Providers } from '../../api/verdicts/port.ts'
import { createModel } from '../../deploy/roles/model.ts'
import { systemClock } from '../../platform/clock.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { type BehaviourBody, behaviourBody } from '../../schema/records/behaviour.ts'
import { creditBody } from '../../schema/records/credit.ts'
import { segmentBody } from '../../schema/records/segment.ts'
import { createProfiles, type Profiles } from '../../scorer/profile/profile.ts'
import { createProfileProviders } from '../../scorer/profile/provider.ts'
import { refreshRanks } from '../../scorer/profile/ranks.ts'
import { qualityOf } from '../../scorer/profile/scores.ts'
import { saveRecords } from '../../scorer/records.ts'
import { createRescore, type Rescore } from '../../scorer/rescore.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { DAY, GENESIS, NOBODY, rowsOfSteps, type Step } from './profile.world.ts'
import { insertRows, named, settle } from './scoring.world.ts'

let kit: TestStore
let rescore: Rescore
let profiles: Profiles
const context = { metrics: createMetrics(), clock: systemClock }
beforeAll(async () => {
  kit = await openTestStore()
  rescore = createRescore({ context, store: kit.store, model: createModel() })
})
beforeEach(async () => {
  await kit.truncate()
  profiles = createProfiles({ context, store: kit.store, rescore })
})
afterAll(() => kit.close())

const NOW = Date.UTC(2026, 0, 1)
const ETH = 10n ** 18n
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const LINK = '0x514910771af9ca656af840dff83e8264ecf986ca'
const UNISWAP = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
const FACTORY = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f'
const AAVE = '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2'
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'
const SEAPORT = '0x00000000000000adc04c56bf30ac9d3c0aaf14dc'
const POOL = named('pool')
const LINK_POOL = named('linkpool')

const alice = named('alice')
const trader = named('trader')
/** Coins that came from nowhere the test cares about. */
const fund = (day: number, to: string, amount: bigint): Step => ({ day, from: named('mint'), to, value: amount })
const swap = (day: number, pool: string, amount0: bigint, amount1: bigint): Step => ({
  day,
  from: trader,
  to: named('router'),
  selector: '0xdeadbeef',
  swap: { pool, amount0, amount1 },
})
const POOLS: Step[] = [
  {
    day: 0,
    from: trader,
    to: FACTORY,
    selector: '0xc9c65396',
    pool: { pool: POOL, factory: FACTORY, token0: USDC, token1: WETH },
  },
  {
    day: 0.001,
    from: trader,
    to: FACTORY,
    selector: '0xc9c65396',
    pool: { pool: LINK_POOL, factory: FACTORY, token0: LINK, token1: WETH },
  },
]
/** On the last day ETH costs 2,000 dollars, mostly, and a LINK a hundredth of an ETH. */
const market = (day: number): Step[] => [
  swap(day - 0.3, POOL, 2_000_000_000n, -ETH),
  swap(day - 0.2, POOL, -2_000_000_000n, ETH),
  swap(day - 0.1, POOL, 1_000_000n, -ETH),
  swap(day - 0.1, LINK_POOL, -100n * ETH, ETH),
]

const profileOf = async (address: string, asOf = NOW) => {
  const [one] = await profiles.profile('ETH', [address], asOf)
  return one!.profile
}
const auditOf = async (address: string): Promise<BehaviourBody> =>
  behaviourBody.parse(JSON.parse((await profileOf(address)).audit))

test('a wallet never seen has no profile, and a network without data has none either', async () => {
  expect(await profiles.profile('ETH', [alice], NOW)).toEqual([undefined])
  expect(await profiles.profile('SOLANA', ['So11111111111111111111111111111111111111112'], NOW)).toEqual([undefined])
})

const busy: Step[] = [
  ...POOLS,
  fund(1, alice, 20n * ETH),
  {
    day: 10,
    from: alice,
    to: UNISWAP,
    value: ETH,
    fee: ETH / 100n,
    selector: '0x7ff36ab5',
    swap: { pool: POOL, amount0: -2_000_000_000n, amount1: ETH },
    moves: [{ from: POOL, to: alice, asset: USDC, amount: 2_000_000_000n }],
  },
  // The same swap through a router nobody knows is told by the pool's factory.
  {
    day: 350,
    from: alice,
    to: named('bot'),
    selector: '0x00000001',
    swap: { pool: POOL, amount0: -2_000_000_000n, amount1: ETH },
  },
  {
    day: 351,
    from: alice,
    to: AAVE,
    selector: '0x617ba037',
    moves: [{ from: alice, to: named('atoken'), asset: USDC, amount: 1_000_000_000n }],
  },
  {
    day: 352,
    from: alice,
    to: AAVE,
    selector: '0xa415bcad',
    moves: [{ from: named('atoken'), to: alice, asset: USDC, amount: 400_000_000n }],
  },
  {
    day: 353,
    from: alice,
    to: AAVE,
    selector: '0x573ade81',
    moves: [{ from: alice, to: named('atoken'), asset: USDC, amount: 100_000_000n }],
  },
  {
    day: 354,
    from: alice,
    to: STETH,
    value: 2n * ETH,
    selector: '0xa1903eab',
    moves: [{ from: NOBODY, to: alice, asset: STETH, amount: 2n * ETH }],
  },
  {
    day: 355,
    from: alice,
    to: SEAPORT,
    value: ETH,
    selector: '0xfb0f3ee1',
    moves: [{ from: named('seller'), to: alice, asset: named('apes'), amount: 1n, kind: 'nft' }],
  },
  { day: 356, from: alice, to: WETH, selector: '0xa9059cbb' },
  { day: 357, from: alice, to: named('bob'), value: ETH },
  // Nothing of a failed call counts but the transaction itself and its fee.
  { day: 358, from: alice, to: UNISWAP, selector: '0x7ff36ab5', fee: ETH / 100n, failed: true },
  ...market(400),
  { day: 400, from: named('miner'), to: named('bob'), value: 1n },
]

test('a busy wallet: protocols, domains, engagement and what it may do next, as counted by hand', async () => {
  await insertRows(kit.store, rowsOfSteps(busy))
  const audit = await auditOf(alice)
  const { protocols, categories, segmentInfo, intention, userDetails, experience } = audit
  expect({ protocols, categories, segmentInfo: JSON.parse(segmentInfo), userDetails, experience }).toEqual({
    protocols: [
      { Protocol: 'aave', Count: 3 },
      { Protocol: 'uniswap', Count: 2 },
      { Protocol: 'lido', Count: 1 },
      { Protocol: 'opensea', Count: 1 },
      { Protocol: 'wrapped ether', Count: 1 },
    ],
    categories: [
      { Category: 'DeFi', Count: 6 },
      { Category: 'Lending & Borrowing', Count: 3 },
      { Category: 'Decentralized Exchanges', Count: 2 },
      { Category: 'Layer 1', Count: 2 },
      { Category: 'NFT', Count: 1 },
    ],
    segmentInfo: { Maker: 0, Aave_borrow: 1, Aave_lend: 1, Lido: 1, Uniswap: 1, Compound_lend: 0, Compound_borrow: 0 },
    // 15 ETH less 2 fees of a hundredth at 2,000; 1,300 USDC; stETH has no price here.
    userDetails: { wallet_age_days: 399, total_balance_usd: 29_960 + 1_300, transaction_count: 11, wallet_rank: 0 },
    experience: { Type: 'Experience', Value: 4 },
  })
  expect(Object.keys(JSON.parse(segmentInfo))).toEqual([
    'Maker',
    'Aave_borrow',
    'Aave_lend',
    'Lido',
    'Uniswap',
    'Compound_lend',
    'Compound_borrow',
  ])
  // 5 recent deeds: trade, lend, borrow, stake ETH (and holds stETH), NFT (and holds it); one trade before.
  expect(intention.Value).toMatchObject({
    Prob_Trade: 'High',
    Prob_Lend: 'High',
    Prob_Stake_ETH: 'High',
    Prob_NFT: 'High',
    Prob_Borrow: 'Low',
    Prob_Gamble: 'Low',
  })
})

test('the newest price is the median by value of recent swaps in pools of known factories, and names what has none', async () => {
  const steps: Step[] = [
    ...POOLS,
    {
      day: 0.5,
      from: trader,
      to: named('fake'),
      selector: '0xc9c65396',
      pool: { pool: named('fakepool'), factory: named('fake'), token0: USDC, token1: WETH },
    },
    fund(300, alice, 3n * ETH),
    ...[LINK, STETH, named('spam')].map(
      (asset, nth): Step => ({
        day: 300.1 + nth / 100,
        from: trader,
        to: asset,
        selector: '0xa9059cbb',
        moves: [{ from: trader, to: alice, asset, amount: 10n * ETH }],
      }),
    ),
    ...market(310),
    swap(309.5, named('fakepool'), 9_000_000_000_000n, -ETH),
    { day: 310, from: named('miner'), to: named('bob'), value: 1n },
  ]
  await insertRows(kit.store, rowsOfSteps(steps))
  const { balanceUsd, unknowns } = await profileOf(alice)
  expect(balanceUsd).toBe(3 * 2_000 + 10 * 20)
  expect(unknowns).toEqual(
    expect.arrayContaining([
      'price stETH: no recent trade against a dollar coin or the native coin',
      'price of other tokens: only canonical assets are valued',
      'counterparties: fewer than five with a record of their own',
    ]),
  )
})

test('without any trade only dollar coins have a value, and coins seen to leave but not to come have none', async () => {
  const steps: Step[] = [
    fund(1, alice, ETH),
    {
      day: 2,
      from: trader,
      to: USDC,
      selector: '0xa9059cbb',
      moves: [{ from: trader, to: alice, asset: USDC, amount: 5_250_000n }],
    },
    {
      day: 3,
      from: alice,
      to: LINK,
      selector: '0xa9059cbb',
      moves: [{ from: alice, to: trader, asset: LINK, amount: ETH }],
    },
  ]
  await insertRows(kit.store, rowsOfSteps(steps, { first: 100 }))
  const { balanceUsd, unknowns } = await profileOf(alice)
  expect(balanceUsd).toBe(5.25)
  expect(unknowns).toEqual(
    expect.arrayContaining([
      'history: blocks before 100 are not indexed',
      'price ETH: no recent trade against a dollar coin or the native coin',
      'balance LINK: more left than was seen to come',
    ]),
  )
})

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
    const found = await profiles.profile('ETH', WALLETS, NOW)
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
  await insertRows(kit.store, rows)
  expect(await told()).toEqual(wanted)
  const inFinal = await profiles.profile('ETH', WALLETS, NOW)
  for (const [index, one] of inFinal.entries()) {
    const { experience, protocols } = behaviourBody.parse(JSON.parse(one!.profile.audit))
    const { active: activeMonths, mean: averageBalanceUsd } = expected[index]!
    const { probability, status } = one!.profile.scored
    expect(status).not.toBe('Fraud')
    const known = { experience: experience.Value, protocols: protocols.length, probability, flagged: false }
    expect(one!.profile.quality).toBe(qualityOf({ ...known, activeMonths, averageBalanceUsd }))
  }

  await kit.truncate()
  profiles = createProfiles({ context, store: kit.store, rescore })
  const settled = 200
  const split = (below: boolean) =>
    Object.fromEntries(
      Object.entries(rows).map(([table, list]) => [table, list.filter((row) => row.block_number <= settled === below)]),
    ) as typeof rows
  await insertRows(kit.store, split(true))
  await insertRows(kit.store, split(false), 'hot')
  await settle(kit.store, 'ETH', settled)
  expect(await told()).toEqual(wanted)
  const inBoth = await profiles.profile('ETH', WALLETS, NOW)
  expect(inBoth.map((one) => one!.profile.segment)).toEqual(inFinal.map((one) => one!.profile.segment))
})

test('the same data gives the same bytes, apart from the clocks of the fraud record', async () => {
  await insertRows(kit.store, rowsOfSteps(busy))
  const [first, again, later] = [
    await profileOf(alice),
    await profileOf(alice),
    await profileOf(alice, NOW + 5 * DAY * 1_000),
  ]
  expect([again.audit, again.segment, again.credit]).toEqual([first.audit, first.segment, first.credit])
  const clockless = (text: string) => text.replaceAll(/"20\d\d-[^"]*Z"/g, '"time"')
  expect(clockless(later.audit)).toBe(clockless(first.audit))
})

test('the three bodies fit their schemas, are stored, served, shared, and outdated by a newer fraud record', async () => {
  await insertRows(kit.store, rowsOfSteps(busy))
  const providers = createProfileProviders({ store: kit.store, profiles }) satisfies Providers
  const subject = { network: 'ETH', address: alice } as const
  const signal = AbortSignal.timeout(60_000)
  expect(await providers.fraud_audit.lookup([subject], signal)).toEqual([undefined])
  const [audit, segment, credit] = await Promise.all([
    providers.fraud_audit.compute(subject, signal),
    providers.wallet_segment.compute(subject, signal),
    providers.credit_score.compute(subject, signal),
  ])
  expect(new Set([audit!.version, segment!.version, credit!.version]).size).toBe(1)
  behaviourBody.parse(JSON.parse(audit!.body))
  segmentBody.parse(JSON.parse(segment!.body))
  creditBody.parse(JSON.parse(credit!.body))
  expect(await providers.fraud_audit.lookup([subject, { ...subject, address: named('other') }], signal)).toEqual([
    audit,
    undefined,
  ])
  expect(await providers.wallet_segment.lookup([subject], signal)).toEqual([segment])
  expect(await providers.credit_score.lookup([subject], signal)).toEqual([credit])
  expect(await providers.credit_score.compute({ ...subject, address: named('other') }, signal)).toBeUndefined()

  const [newer] = await rescore.rescore('ETH', [alice], audit!.version + 1_000)
  await saveRecords(kit.store, [newer!])
  expect(await providers.fraud_audit.lookup([subject], signal)).toEqual([undefined])
})

test('credit rests on the company kept, the steadiness of flows and what was repaid', async () => {
  const peers = Array.from({ length: 6 }, (_, nth) => named(`peer${nth}`))
  const months: Step[] = Array.from({ length: 13 }, (_, nth) => ({
    day: 330 + nth * 30.4,
    from: peers[nth % 6]!,
    to: alice,
    value: ETH,
    fee: 0n,
  }))
  const steps: Step[] = [
    ...POOLS,
    ...peers.map((peer) => fund(1, peer, 50n * ETH)),
    ...months,
    ...busy.filter(({ day, from }) => from === alice && day > 351 && day < 354),
    ...market(699),
    { day: 699, from: named('miner'), to: named('bob'), value: 1n },
  ]
  await insertRows(kit.store, rowsOfSteps(steps))
  const before = await profileOf(alice)
  expect(before.unknowns).toContain('counterparties: fewer than five with a record of their own')
  const scored = await rescore.rescore('ETH', peers, NOW)
  await saveRecords(
    kit.store,
    scored.map((one) => ({ ...one, probability: 0 })),
  )
  const trusted = await profileOf(alice)
  await saveRecords(
    kit.store,
    scored.map((one) => ({ ...one, version: one.version + 1, probability: 1 })),
  )
  const shunned = await profileOf(alice)
  expect(trusted.unknowns).not.toContain('counterparties: fewer than five with a record of their own')
  expect(trusted.unknowns).toContain(
    'liquidations: liquidators call on their own contracts, which the tables do not tell',
  )
  // A quarter of the eight points rests on company: all trust against none is two ratings apart.
  expect(trusted.rating - shunned.rating).toBe(2)
  expect(JSON.parse(trusted.credit)).toEqual({ riskRating: trusted.rating })
})

test('ranks follow the reputation points densely, thin wallets have none, and a new refresh replaces the old', async () => {
  const row = (name: string, experience: number, probability: number, transaction_count = 50) =>
    `${JSON.stringify({ network: 'ETH', address: named(name), version: 1, audit: '', segment: '', credit: '', segment_letter: 'A', quality: 1, rating: 1, experience, risk_capability: 3, transaction_count, age_days: 10, balance_usd: 0, probability, unknowns: [], model_version: '', data_height: 1, computed_at: 1 })}\n`
  await insertRows(
    kit.store,
    rowsOfSteps([...busy, ...['best', 'twin', 'poor', 'thin'].map((name) => fund(2, named(name), 1n))]),
  )
  await kit.store.insert(
    'profile_records',
    row('best', 9, 0.1) + row('twin', 9, 0.1) + row('poor', 9, 0.9) + row('thin', 10, 0, 3),
  )
  const ranks = async () => {
    const names = ['best', 'twin', 'poor', 'thin']
    const found = await profiles.profile('ETH', names.map(named), NOW)
    return found.map((one) => behaviourBody.parse(JSON.parse(one!.profile.audit)).userDetails.wallet_rank)
  }
  expect(await ranks()).toEqual([0, 0, 0, 0])
  let now = 1_000
  const clock = { ...systemClock, now: () => ++now }
  await refreshRanks({ store: kit.store, clock }, 'ETH')
  expect(await ranks()).toEqual([1, 1, 2, 0])
  await kit.store.insert('profile_records', row('twin', 1, 0.95).replace('"version":1', '"version":2'))
  await refreshRanks({ store: kit.store, clock }, 'ETH')
  expect(await ranks()).toEqual([1, 3, 2, 0])
})
