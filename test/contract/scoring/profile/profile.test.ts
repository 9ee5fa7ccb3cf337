import { expect, test } from 'vitest'
import { createProfileProviders } from '../../../../api/answers/providers/profile.ts'
import type { Providers } from '../../../../api/answers/providers/provider.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { creditBody } from '../../../../schema/records/credit.ts'
import { behaviourBody } from '../../../../schema/records/explained/behaviour.ts'
import { segmentBody } from '../../../../schema/records/segment.ts'
import { type DexFactory, registryOf } from '../../../../schema/registry/index.ts'
import { protocolsOf } from '../../../../schema/registry/protocols.ts'
import { pricedAssetsOf } from '../../../../scorer/ledger/prices/assets.ts'
import { createPrices } from '../../../../scorer/ledger/prices/prices.ts'
import { refreshRanks } from '../../../../scorer/profile/ranks.ts'
import { saveRecords } from '../../../../scorer/scoring/stored.ts'
import { DAY, rowsOfSteps, type Step } from '../../../kit/world/steps.ts'
import { GENESIS, insertRows, named } from '../../../kit/world/transactions.ts'
import {
  alice,
  busy,
  ETH,
  fund,
  LINK,
  market,
  NOW,
  POOLS,
  profileKit,
  STETH,
  swap,
  trader,
  USDC,
  WETH,
} from './profile.kit.ts'

const kit = profileKit()
const { profileOf, profiles, rescore, store } = kit

test('a wallet never seen has no profile, and a network without data has none either', async () => {
  expect(await profiles().profile('ETH', [alice], NOW)).toEqual([undefined])
  expect(await profiles().profile('SOLANA', ['So11111111111111111111111111111111111111112'], NOW)).toEqual([undefined])
})

test('a busy wallet: protocols, domains, engagement and what it may do next, as counted by hand', async () => {
  await insertRows(store(), rowsOfSteps(busy))
  const audit = behaviourBody.parse(JSON.parse((await profileOf(alice)).audit))
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

const factoryOf = (kind: DexFactory['kind']): string =>
  [...registryOf('ETH').dexFactories.values()].find((factory) => factory.kind === kind)?.address ?? ''
/** Pools whose makers choose what a swap costs, each with a swap at an absurd price. */
const exotic: Step[] = (
  [
    ['curve', ''],
    ['balancer-v2', ''],
    ['balancer-v3', ''],
    ['v4', named('hook')],
  ] as const
).flatMap(([kind, hooks], nth): Step[] => {
  const pool = named(`exotic${nth}`)
  const made = { pool, kind, hooks, factory: factoryOf(kind), token0: USDC, token1: WETH }
  return [{ day: 0.6 + nth / 100, from: trader, to: made.factory, pool: made }, swap(309.6, pool, 10n ** 15n, -ETH)]
})

/** Announcements of the pools there are by somebody else, with their coins the other way round, or others. */
const lies = (day: number): Step[] =>
  POOLS.flatMap(({ pool }, nth) =>
    pool
      ? [
          [pool.token1, pool.token0],
          ['0xffffffffffffffffffffffffffffffffffffffff', pool.token1],
        ].map(([token0 = '', token1 = ''], way): Step => {
          const told = { pool: pool.pool, factory: named('fake'), token0, token1 }
          return { day: day + nth / 100 + way / 1_000, from: trader, to: named('fake'), pool: told }
        })
      : [],
  )

test('the newest price is the median by value of recent swaps in pools of known factories, and names what has none', async () => {
  const steps: Step[] = [
    ...lies(0),
    ...POOLS,
    ...lies(305),
    {
      day: 0.5,
      from: trader,
      to: named('fake'),
      selector: '0xc9c65396',
      pool: { pool: named('fakepool'), factory: named('fake'), token0: USDC, token1: WETH },
    },
    ...exotic,
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
  await insertRows(store(), rowsOfSteps(steps))
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

test('a pool of Infinity without a hook sets a price, one with a hook none', async () => {
  const manager = [...registryOf('BNB').dexFactories.values()].find(({ kind }) => kind === 'infinity-cl')?.address ?? ''
  const facts = pricedAssetsOf('BNB')
  const dollar = [...facts.assets].find(([, { symbol }]) => symbol === 'USDT')?.[0] ?? ''
  const pools = ['', named('hook')].map((hooks, nth) => ({
    ...{ pool: `0x${`${nth}d`.repeat(32)}`, kind: 'infinity-cl' as const, hooks, factory: manager },
    ...{ token0: '', token1: dollar },
  }))
  const swaps = pools.map(({ pool }, nth) => swap(9 + nth / 10, pool, -ETH, BigInt(nth === 0 ? 600 : 9_000_000) * ETH))
  const steps: Step[] = [
    ...pools.map((pool, nth): Step => ({ day: nth / 10, from: trader, to: manager, pool })),
    ...swaps,
  ]
  await insertRows(store(), rowsOfSteps(steps, { network: 'BNB' }))
  const time = GENESIS + 10 * DAY
  expect((await createPrices(store())(facts, 4, time)).get('')).toBe(600)
})

test('a swap in a pool of Curve through a contract nobody knows is a trade on Curve', async () => {
  const factory = factoryOf('curve')
  const pool = named('twopool')
  const made = { pool, kind: 'curve' as const, factory, token0: USDC, token1: WETH }
  const steps: Step[] = [
    { day: 0, from: trader, to: factory, pool: made },
    { day: 0.5, from: trader, to: named('fake'), pool: { ...made, factory: `0x${'f'.repeat(40)}` } },
    fund(1, alice, 3n * ETH),
    { ...swap(300, pool, -2_000_000_000n, ETH), from: alice, to: named('bot') },
    { day: 301, from: named('miner'), to: named('bob'), value: 1n },
  ]
  await insertRows(store(), rowsOfSteps(steps))
  const audit = behaviourBody.parse(JSON.parse((await profileOf(alice)).audit))
  expect(audit.protocols).toEqual([{ Protocol: 'curve', Count: 1 }])
  expect(audit.categories).toEqual(expect.arrayContaining([{ Category: 'Decentralized Exchanges', Count: 1 }]))
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
  await insertRows(store(), rowsOfSteps(steps, { first: 100 }))
  const { balanceUsd, unknowns } = await profileOf(alice)
  expect(balanceUsd).toBe(5.25)
  expect(unknowns).toEqual(
    expect.arrayContaining([
      'history: blocks before 100 are not indexed',
      'price ETH: no recent trade against a dollar coin or the native coin',
      'balance LINK: outflows exceed the known inflows',
    ]),
  )
})

test('the same data gives the same bytes, apart from the clocks of the fraud record', async () => {
  await insertRows(store(), rowsOfSteps(busy))
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
  await insertRows(store(), rowsOfSteps(busy))
  const providers = createProfileProviders({ store: store(), profiles: profiles() }) satisfies Providers
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

  const [newer] = await rescore().rescore('ETH', [alice], audit!.version + 1_000)
  await saveRecords(store(), [newer!])
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
  await insertRows(store(), rowsOfSteps(steps))
  const before = await profileOf(alice)
  expect(before.unknowns).toContain('counterparties: fewer than five with a record of their own')
  const scored = await rescore().rescore('ETH', peers, NOW)
  await saveRecords(
    store(),
    scored.map((one) => ({ ...one, probability: 0 })),
  )
  const trusted = await profileOf(alice)
  await saveRecords(
    store(),
    scored.map((one) => ({ ...one, version: one.version + 1, probability: 1 })),
  )
  const shunned = await profileOf(alice)
  expect(trusted.unknowns).not.toContain('counterparties: fewer than five with a record of their own')
  expect(trusted.unknowns).toContain(
    'liquidations: not detectable, because liquidators act through contracts of their own',
  )
  // A quarter of the eight points rests on company: all trust against none is two ratings apart.
  expect(trusted.rating - shunned.rating).toBe(2)
  expect(JSON.parse(trusted.credit)).toEqual({ riskRating: trusted.rating })
})

test('a reputation is not bought with dust: cents of and for the trusted, monthly dust, and a token that names protocols', async () => {
  const famous = Array.from({ length: 6 }, (_, nth) => named(`famous${nth}`))
  const cent = ETH / 200_000n
  const protocols = [...protocolsOf('ETH').keys()].slice(0, 40)
  const life: Step[] = [
    ...POOLS,
    ...famous.map((one) => fund(1, one, 50n * ETH)),
    fund(330, alice, ETH),
    ...Array.from(
      { length: 30 },
      (_, nth): Step => ({ day: 331 + nth, from: alice, to: named(`shop${nth}`), value: cent }),
    ),
    ...market(699),
    { day: 699, from: named('miner'), to: named('bob'), value: 1n },
  ]
  const bought: Step[] = [
    ...famous.flatMap((one): Step[] => [
      { day: 500, from: alice, to: one, value: cent, fee: 0n },
      { day: 501, from: one, to: alice, value: cent, fee: 0n },
    ]),
    ...Array.from({ length: 13 }, (_, nth): Step => ({ day: 330 + nth * 28, from: trader, to: alice, value: cent })),
    {
      day: 510,
      from: alice,
      to: named('lie'),
      selector: '0x00000001',
      fee: 0n,
      moves: protocols.flatMap((from) => [
        { from, to: alice, asset: named('lie'), amount: ETH },
        { from, to: alice, asset: USDC, amount: 0n },
      ]),
    },
  ]
  const answers = []
  for (const steps of [life, [...life, ...bought]]) {
    await kit.truncate()
    await insertRows(store(), rowsOfSteps(steps))
    const scored = await rescore().rescore('ETH', famous, NOW)
    await saveRecords(
      store(),
      scored.map((one) => ({ ...one, probability: 0 })),
    )
    const { credit, audit } = await profileOf(alice)
    answers.push({ credit, ...behaviourBody.pick({ protocols: true, categories: true }).parse(JSON.parse(audit)) })
  }
  expect(answers[1]).toEqual({ ...answers[0], categories: [{ Category: 'Layer 1', Count: 36 }] })
})

test('ranks follow the reputation points densely, thin wallets have none, and a new refresh replaces the old', async () => {
  const row = (name: string, experience: number, probability: number, transaction_count = 50) =>
    `${JSON.stringify({ network: 'ETH', address: named(name), version: 1, audit: '', segment: '', credit: '', segment_letter: 'A', quality: 1, rating: 1, experience, risk_capability: 3, transaction_count, age_days: 10, balance_usd: 0, probability, unknowns: [], model_version: '', data_height: 1, computed_at: 1 })}\n`
  await insertRows(
    store(),
    rowsOfSteps([...busy, ...['best', 'twin', 'poor', 'thin'].map((name) => fund(2, named(name), 1n))]),
  )
  await store().insert(
    'profile_records',
    row('best', 9, 0.1) + row('twin', 9, 0.1) + row('poor', 9, 0.9) + row('thin', 10, 0, 3),
  )
  const ranks = async () => {
    const names = ['best', 'twin', 'poor', 'thin']
    const found = await profiles().profile('ETH', names.map(named), NOW)
    return found.map((one) => behaviourBody.parse(JSON.parse(one!.profile.audit)).userDetails.wallet_rank)
  }
  expect(await ranks()).toEqual([0, 0, 0, 0])
  let now = 1_000
  const clock = { ...systemClock, now: () => ++now }
  await refreshRanks({ store: store(), clock }, 'ETH')
  expect(await ranks()).toEqual([1, 1, 2, 0])
  await store().insert('profile_records', row('twin', 1, 0.95).replace('"version":1', '"version":2'))
  await refreshRanks({ store: store(), clock }, 'ETH')
  expect(await ranks()).toEqual([1, 3, 2, 0])
})
