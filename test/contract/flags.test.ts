import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { Network } from '../../schema/networks.ts'
import { fraudBody } from '../../schema/records/fraud.ts'
import { SANCTIONS_ORACLES } from '../../schema/registry/authorities.ts'
import { MIXER_POOLS } from '../../schema/registry/mixers.ts'
import { writeLabels } from '../../scorer/labels/write.ts'
import { createWalletModel } from '../../scorer/model/wallet-model.ts'
import { createRescore, type Rescore, type ScoredWallet } from '../../scorer/rescore.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from './scoring.world.ts'

let kit: TestStore
let scoring: Rescore
beforeAll(async () => {
  kit = await openTestStore()
  const context = { metrics: createMetrics(), clock: systemClock }
  scoring = createRescore({ context, store: kit.store, model: createWalletModel() })
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const NOW = Date.UTC(2026, 0, 1)
const ETH = 10n ** 18n
const USD = named('usd')
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
const POOL_1 = [...MIXER_POOLS.ETH.values()].find(
  (pool) => pool.asset === '' && pool.symbol === 'ETH' && pool.denomination === String(ETH),
)!.address
const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7'

const pay = (from: string, to: string, block: number, value = ETH): Tx => ({ from, to, block, value })
const act = (from: string, to: string, block: number, ...actions: Action[]): Tx => ({
  from,
  to,
  block,
  call: true,
  actions,
})
const many = (count: number, make: (n: number) => Tx): Tx[] => Array.from({ length: count }, (_, n) => make(n))

const score = async (names: readonly string[], network: Network = 'ETH'): Promise<Map<string, ScoredWallet>> => {
  const scored = await scoring.rescore(network, names.map(named), NOW)
  return new Map(names.map((name, index) => [name, scored[index]!]))
}
const flagsOf = (scored: ScoredWallet | undefined) => {
  const { forensic_details } = fraudBody.parse(JSON.parse(scored!.body))
  return Object.fromEntries(Object.entries(forensic_details).filter(([, value]) => value !== '0' && value !== ''))
}
const authority = (
  event: 'sanction_add' | 'sanction_remove' | 'freeze' | 'unfreeze',
  subject: string,
  block: number,
): Tx =>
  act(named('boss'), event.startsWith('sanction') ? ORACLE : TETHER, block, {
    do: 'authority',
    authority: event.startsWith('sanction') ? ORACLE : TETHER,
    event,
    subject: named(subject),
  })

test('listed is sanctioned, with the listing as evidence; delisted and exposed are not', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      pay(named('src'), named('pal'), 0, 19n * ETH),
      pay(named('bad'), named('pal'), 1),
      authority('sanction_add', 'bad', 2),
      authority('sanction_add', 'out', 2),
      authority('sanction_remove', 'out', 5),
      ...many(12, (n) => pay(named('pal'), named('shop'), 10 + n)),
    ]),
  )
  const scored = await score(['bad', 'out', 'pal'])
  expect(scored.get('bad')).toMatchObject({ status: 'Fraud', probability: 1, unknowns: expect.any(Array) })
  expect(flagsOf(scored.get('bad'))).toEqual({ sanctioned: '1', data_source: 'sanctions-oracle' })
  const body = JSON.parse(scored.get('bad')!.body)
  expect(body).toMatchObject({
    probabilityFraud: '1.00',
    sanctionData: [{ category: 'sanctions', isSanctioned: true, createdAt: '2023-11-14T22:33:20.000Z' }],
  })
  expect(scored.get('bad')!.reasons[0]).toMatchObject({
    code: 'SANCTIONED',
    contribution: null,
    evidence: { authority: ORACLE, transaction: '0x2-0' },
  })
  expect(flagsOf(scored.get('out'))).toEqual({})
  expect(JSON.parse(scored.get('out')!.body).sanctionData).toMatchObject([
    { category: null, isSanctioned: false },
    { category: 'sanctions', isSanctioned: false, description: expect.stringContaining('removed in tx 0x5-0') },
  ])
  expect(flagsOf(scored.get('pal'))).toEqual({})
  expect(scored.get('pal')).toMatchObject({ status: 'Not Fraud' })
  expect(scored.get('pal')!.reasons.map((reason) => reason.code)).toContain('FLAGGED_INFLOW')
})

test('a listing follows an account to the networks that share its key, not a contract', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      authority('sanction_add', 'bad', 2),
      authority('sanction_add', 'code', 2),
      act(named('maker'), '', 3, { do: 'create', contract: named('code') }),
    ]),
  )
  await insertRows(kit.store, rowsOf([pay(named('bad'), named('code'), 1)], { network: 'BASE' }))
  const scored = await score(['bad', 'code'], 'BASE')
  expect(flagsOf(scored.get('bad'))).toEqual({ sanctioned: '1', data_source: 'sanctions-oracle' })
  expect(flagsOf(scored.get('code'))).toEqual({})
})

test('frozen is blacklisted until released', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      pay(named('ice'), named('x'), 1),
      pay(named('thaw'), named('x'), 1),
      authority('freeze', 'ice', 2),
      authority('freeze', 'thaw', 2),
      authority('unfreeze', 'thaw', 9),
    ]),
  )
  const scored = await score(['ice', 'thaw'])
  expect(flagsOf(scored.get('ice'))).toEqual({ blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(flagsOf(scored.get('thaw'))).toEqual({})
  expect(scored.get('thaw')!.status).toBe('New Address')
})

const deposit = (who: string, block: number): Tx => ({
  ...pay(named(who), POOL_1, block),
  call: true,
  actions: [{ do: 'authority', authority: POOL_1, event: 'mixer_deposit', subject: named(who) }],
})
const withdrawal = (who: string, block: number): Tx =>
  act(
    named('relayer'),
    POOL_1,
    block,
    { do: 'internal', from: POOL_1, to: named(who), amount: ETH },
    {
      do: 'authority',
      authority: POOL_1,
      event: 'mixer_withdraw',
      subject: named(who),
    },
  )

test('a habit is a mixer flag; being dusted, one deposit, or a small part of a long life is not', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      pay(named('src'), named('habit'), 1, 5n * ETH),
      ...many(3, (n) => deposit('habit', 2 + n)),
      withdrawal('dusted', 5),
      withdrawal('dusted', 6),
      withdrawal('dusted', 7),
      ...many(12, (n) => pay(named('dusted'), named('shop'), 8 + n)),
      pay(named('src'), named('once'), 1, 2n * ETH),
      deposit('once', 4),
      pay(named('src'), named('rich'), 1, 500n * ETH),
      deposit('rich', 4),
      deposit('rich', 5),
      pay(named('rich'), named('shop'), 6, 400n * ETH),
    ]),
  )
  const scored = await score(['habit', 'dusted', 'once', 'rich'])
  expect(flagsOf(scored.get('habit'))).toEqual({ mixer: '1', data_source: 'mixer-habit' })
  expect(scored.get('habit')!.reasons[0]).toMatchObject({
    evidence: { ownEvents: 3, flowShare: 0.375, transactions: ['0x2-0', '0x3-0', '0x4-0'] },
  })
  for (const name of ['dusted', 'once', 'rich']) expect(flagsOf(scored.get(name)), name).toEqual({})
  const [pool] = await scoring.rescore('ETH', [POOL_1], NOW)
  expect(flagsOf(pool)).toEqual({ mixer: '1', data_source: 'mixer-registry' })
})

test('who empties three approvers is a thief and a phisher; its victims, a router and a payroll puller are not', async () => {
  const victims = ['v1', 'v2', 'v3']
  const approve = (owner: string, spender: string, block: number): Tx =>
    act(named(owner), USD, block, {
      do: 'approve',
      owner: named(owner),
      spender: named(spender),
      asset: USD,
      amount: 10n ** 30n,
    })
  const give = (to: string, block: number, amount = 1000n): Tx =>
    act(named('bank'), USD, block, { do: 'token', from: named('bank'), to: named(to), asset: USD, amount })
  const take = (by: string, from: string, to: string, block: number, amount: bigint, back?: Action): Tx =>
    act(
      named(by),
      USD,
      block,
      { do: 'token', from: named(from), to: named(to), asset: USD, amount },
      ...(back ? [back] : []),
    )
  const shops = ['s1', 's2', 's3', 's4']
  await insertRows(
    kit.store,
    rowsOf([
      ...victims.flatMap((v, n) => [
        give(v, 1 + n),
        approve(v, 'thief', 10 + n),
        take('thief', v, 'sink', 20 + n, 1000n),
      ]),
      // A subscription takes a small part from many.
      ...shops.flatMap((s, n) => [
        give(s, 1 + n),
        approve(s, 'biller', 10 + n),
        take('biller', s, 'sink', 20 + n, 50n),
      ]),
      // A settler takes everything and gives something back in the same transaction.
      ...['t1', 't2', 't3'].flatMap((t, n) => [
        give(t, 1 + n),
        approve(t, 'settler', 10 + n),
        take('settler', t, 'market', 20 + n, 1000n, {
          do: 'token',
          from: named('market'),
          to: named(t),
          asset: named('eur'),
          amount: 900n,
        }),
      ]),
      // A contract that drains, called by its creator.
      act(named('crook'), '', 5, { do: 'create', contract: named('claim') }),
      ...['w1', 'w2', 'w3'].flatMap((w, n) => [
        give(w, 1 + n),
        approve(w, 'claim', 30 + n),
        act(named('crook'), named('claim'), 40 + n, {
          do: 'token',
          from: named(w),
          to: named('crook'),
          asset: USD,
          amount: 1000n,
        }),
      ]),
      // Two victims are suspicion, not proof.
      ...['u1', 'u2'].flatMap((u, n) => [
        give(u, 1 + n),
        approve(u, 'maybe', 10 + n),
        take('maybe', u, 'sink', 20 + n, 1000n),
      ]),
    ]),
  )
  const scored = await score(['thief', ...victims, 'biller', 'settler', 'crook', 'claim', 'maybe', 'bank'])
  const theft = { cybercrime: '1', phishing_activities: '1', stealing_attack: '1', data_source: 'approval-drain' }
  expect(flagsOf(scored.get('thief'))).toEqual(theft)
  expect(flagsOf(scored.get('claim'))).toEqual(theft)
  expect(flagsOf(scored.get('crook'))).toEqual({ ...theft, number_of_malicious_contracts_created: '1' })
  expect(scored.get('thief')!.reasons.slice(0, 2)).toMatchObject([
    { code: 'CYBERCRIME', evidence: { attacks: [{ flag: 'phishing_activities' }, { flag: 'stealing_attack' }] } },
    {
      code: 'PHISHING_ACTIVITIES',
      evidence: { confidence: 0.9, victims: 3, drains: [{ victim: named('v1'), amount: '1000' }, {}, {}] },
    },
  ])
  for (const name of [...victims, 'biller', 'settler', 'maybe', 'bank'])
    expect(flagsOf(scored.get(name)), name).toEqual({})
  expect(scored.get('maybe')!.reasons.map((reason) => reason.code)).toContain('DRAIN_VICTIMS')
})

const WETH = named('weth')
const launch = (maker: string, token: string, block: number): Tx[] => [
  act(named(maker), '', block, { do: 'create', contract: named(token) }),
  act(
    named(maker),
    named('factory'),
    block + 1,
    { do: 'pool', pool: named(`${token}-p`), token0: named(token), token1: WETH },
    { do: 'liquidity', pool: named(`${token}-p`), event: 'add', amount0: 1_000_000n, amount1: 100n * ETH },
  ),
]
const buy = (who: string, token: string, block: number): Tx =>
  act(named(who), named('router'), block, { do: 'swap', pool: named(`${token}-p`), amount0: -1000n, amount1: ETH })
const sell = (who: string, token: string, block: number): Tx =>
  act(named(who), named('router'), block, { do: 'swap', pool: named(`${token}-p`), amount0: 1000n, amount1: -ETH })
const pull = (who: string, token: string, block: number, base: bigint): Tx =>
  act(named(who), named('router'), block, {
    do: 'liquidity',
    pool: named(`${token}-p`),
    event: 'remove',
    amount0: 900_000n,
    amount1: base,
  })

test('a creator who takes the reserve from under buyers committed a rug; one who leaves an unused or old pool did not', async () => {
  const buyers = ['b1', 'b2', 'b3', 'b4']
  await insertRows(
    kit.store,
    rowsOf([
      ...launch('rugger', 'rug', 1),
      ...buyers.map((b, n) => buy(b, 'rug', 10 + n)),
      pull('rugger', 'rug', 50, 103n * ETH),
      // Nobody bought: the creator takes its own money back.
      ...launch('quitter', 'quit', 1),
      pull('quitter', 'quit', 50, 100n * ETH),
      // Others bought, the creator takes a part.
      ...launch('honest', 'fair', 1),
      ...buyers.map((b, n) => buy(b, 'fair', 10 + n)),
      pull('honest', 'fair', 50, 30n * ETH),
      // Long after launch.
      ...launch('old', 'aged', 1),
      ...buyers.map((b, n) => buy(b, 'aged', 10 + n)),
      pull('old', 'aged', 5000, 103n * ETH),
      // A provider who did not create the token.
      ...launch('maker', 'meme', 1),
      act(named('lp'), named('router'), 5, {
        do: 'liquidity',
        pool: named('meme-p'),
        event: 'add',
        amount0: 1n,
        amount1: 900n * ETH,
      }),
      ...buyers.map((b, n) => buy(b, 'meme', 10 + n)),
      pull('lp', 'meme', 50, 902n * ETH),
    ]),
  )
  const scored = await score(['rugger', 'quitter', 'honest', 'old', 'lp', 'maker', ...buyers])
  expect(flagsOf(scored.get('rugger'))).toEqual({
    financial_crime: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'rug-executed',
  })
  expect(scored.get('rugger')!.reasons[0]).toMatchObject({
    evidence: { buyers: 4, reserveShare: 0.9904, transactions: [expect.stringMatching(/^0x32-/)] },
  })
  for (const name of ['quitter', 'honest', 'old', 'lp', 'maker', ...buyers])
    expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('a token many buy and nobody can sell convicts its creator; one whose buyers merely wait does not', async () => {
  const buyers = Array.from({ length: 6 }, (_, n) => `b${n}`)
  const trySell = (who: string, token: string, block: number): Tx[] => [
    act(named(who), named(token), block, {
      do: 'approve',
      owner: named(who),
      spender: named('router'),
      asset: named(token),
      amount: 10n ** 30n,
    }),
    { ...act(named(who), named('router'), block + 1), failed: true },
  ]
  await insertRows(
    kit.store,
    rowsOf([
      ...launch('trapper', 'trap', 1),
      ...buyers.map((b, n) => buy(b, 'trap', 10 + n)),
      ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'trap', 20 + 2 * n)),
      ...launch('patient', 'hold', 1),
      ...buyers.map((b, n) => buy(b, 'hold', 30 + n)),
      ...launch('liquid', 'sold', 1),
      ...buyers.map((b, n) => buy(b, 'sold', 40 + n)),
      sell('b0', 'sold', 50),
      ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'sold', 60 + 2 * n)),
    ]),
  )
  const scored = await score(['trapper', 'patient', 'liquid', ...buyers])
  expect(flagsOf(scored.get('trapper'))).toEqual({
    honeypot_related_address: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'honeypot-history',
  })
  for (const name of ['patient', 'liquid', ...buyers]) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('contract labels count against the creator, until they are retracted; services are not flagged by detectors', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      act(named('maker'), '', 1, { do: 'create', contract: named('c1') }, { do: 'create', contract: named('c2') }),
      pay(named('hub'), named('x'), 2),
    ]),
  )
  const label = (address: string, name: string, over: object = {}) => ({
    network: 'ETH' as const,
    address: named(address),
    label: name,
    detector: 'trade-simulation',
    class: 'detected' as const,
    confidence: 0.97,
    detector_version: '1',
    evidence: { sell: 'reverted' },
    tx_hash: '',
    block_number: 1,
    foundAt: NOW,
    ...over,
  })
  await writeLabels(kit.store, [
    label('c1', 'honeypot'),
    label('c2', 'fake_token'),
    label('hub', 'service'),
    label('hub', 'phishing'),
  ])
  const before = await score(['maker', 'hub'])
  expect(flagsOf(before.get('maker'))).toEqual({
    number_of_malicious_contracts_created: '2',
    fake_token: '1',
    honeypot_related_address: '1',
    data_source: 'trade-simulation',
  })
  expect(flagsOf(before.get('hub'))).toEqual({})
  await writeLabels(kit.store, [
    label('c1', 'honeypot', { revoked: true, foundAt: NOW + 1 }),
    label('c2', 'fake_token', { revoked: true, foundAt: NOW + 1 }),
  ])
  expect(flagsOf((await score(['maker'])).get('maker'))).toEqual({})
})

test('what is not evaluated yet is named, and shown as 0', async () => {
  await insertRows(kit.store, rowsOf([pay(named('ann'), named('bob'), 1)]))
  const { unknowns, body } = (await score(['ann'])).get('ann')!
  expect(unknowns.map((text) => text.split(':')[0])).toEqual([
    'cybercrime',
    'money_laundering',
    'gas_abuse',
    'financial_crime',
    'darkweb_transactions',
    'fake_kyc',
    'fake_standard_interface',
    'stealing_attack',
    'blackmail_activities',
  ])
  expect(JSON.parse(body).forensic_details.cybercrime).toBe('0')
})
