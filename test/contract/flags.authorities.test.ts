import { expect, test } from 'vitest'
import { SANCTIONS_ORACLES } from '../../schema/registry/authorities.ts'
import { MIXER_POOLS } from '../../schema/registry/mixers.ts'
import { insertRows, named, rowsOf, type Tx } from '../kit/world/transactions.ts'
import { act, coin, ETH, flagsKit, flagsOf, move, NOW, pay, USDC } from './flags.kit.ts'

const { clean, happened, judge, score, store, verdicts } = flagsKit()
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const POOL_1 = [...MIXER_POOLS.ETH.values()].find(
  (pool) => pool.asset === '' && pool.symbol === 'ETH' && pool.denomination === String(ETH),
)!.address

const authority = (
  event: 'sanction_add' | 'sanction_remove' | 'freeze' | 'unfreeze',
  subject: string,
  block: number,
): Tx =>
  act('boss', event.startsWith('sanction') ? ORACLE : TETHER, block, {
    do: 'authority',
    authority: event.startsWith('sanction') ? ORACLE : TETHER,
    event,
    subject: named(subject),
  })

test('listed is sanctioned, with the listing as evidence; delisted and exposed are not', async () => {
  await happened(
    pay('src', 'pal', 0, 19n * ETH),
    pay('bad', 'pal', 1),
    authority('sanction_add', 'bad', 2),
    authority('sanction_add', 'out', 2),
    authority('sanction_remove', 'out', 5),
    ...Array.from({ length: 12 }, (_, n) => pay('pal', 'shop', 10 + n)),
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
  await happened(
    authority('sanction_add', 'bad', 2),
    authority('sanction_add', 'code', 2),
    act('maker', '', 3, { do: 'create', contract: named('code') }),
  )
  await insertRows(store(), rowsOf([pay('bad', 'code', 1)], { network: 'BASE' }))
  const scored = await score(['bad', 'code'], 'BASE')
  expect(flagsOf(scored.get('bad'))).toEqual({ sanctioned: '1', data_source: 'sanctions-oracle' })
  expect(flagsOf(scored.get('code'))).toEqual({})
})

test('frozen is blacklisted until released', async () => {
  await happened(
    pay('ice', 'x', 1),
    pay('thaw', 'x', 1),
    authority('freeze', 'ice', 2),
    authority('freeze', 'thaw', 2),
    authority('unfreeze', 'thaw', 9),
  )
  const scored = await score(['ice', 'thaw'])
  expect(flagsOf(scored.get('ice'))).toEqual({ blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(flagsOf(scored.get('thaw'))).toEqual({})
  expect(scored.get('thaw')!.status).toBe('New Address')
})

const deposit = (who: string, block: number): Tx => ({
  ...pay(who, POOL_1, block),
  call: true,
  actions: [{ do: 'authority', authority: POOL_1, event: 'mixer_deposit', subject: named(who) }],
})
const withdrawal = (who: string, block: number): Tx =>
  act('relayer', POOL_1, block, coin(POOL_1, who, ETH), {
    do: 'authority',
    authority: POOL_1,
    event: 'mixer_withdraw',
    subject: named(who),
  })

test('a habit is a mixer flag; being dusted, one deposit, or a small part of a long life is not', async () => {
  await happened(
    pay('src', 'habit', 1, 5n * ETH),
    ...Array.from({ length: 3 }, (_, n) => deposit('habit', 2 + n)),
    withdrawal('dusted', 5),
    withdrawal('dusted', 6),
    withdrawal('dusted', 7),
    ...Array.from({ length: 12 }, (_, n) => pay('dusted', 'shop', 8 + n)),
    pay('src', 'once', 1, 2n * ETH),
    deposit('once', 4),
    pay('src', 'rich', 1, 500n * ETH),
    deposit('rich', 4),
    deposit('rich', 5),
    pay('rich', 'shop', 6, 400n * ETH),
    // Lives on dollars, and has few coins.
    pay('src', 'saver', 1, 3n * ETH),
    act('src', USDC, 1, move('src', 'saver', 10n ** 12n)),
    deposit('saver', 4),
    deposit('saver', 5),
  )
  const scored = await score(['habit', 'dusted', 'once', 'rich', 'saver'])
  expect(flagsOf(scored.get('habit'))).toEqual({ mixer: '1', data_source: 'mixer-habit' })
  expect(scored.get('habit')!.reasons[0]).toMatchObject({
    evidence: { ownEvents: 3, flowShare: 0.375, transactions: ['0x2-0', '0x3-0', '0x4-0'] },
  })
  for (const name of ['dusted', 'once', 'rich', 'saver']) expect(flagsOf(scored.get(name)), name).toEqual({})
  const [pool] = await verdicts(POOL_1)
  expect(flagsOf(pool)).toEqual({ mixer: '1', data_source: 'mixer-registry' })
})

test('the mixer flag follows the mode: strict wants a habit, interaction any own use, neither minds what others send', async () => {
  const loose = judge({ policy: { mixer: 'interaction' } })
  await happened(
    pay('src', 'once', 1, 100n * ETH),
    deposit('once', 4),
    act('relayer', POOL_1, 5, {
      do: 'authority',
      authority: POOL_1,
      event: 'mixer_withdraw',
      subject: named('dusted'),
    }),
    pay('dusted', 'shop', 6),
  )
  await clean('once', 'dusted')
  const [once, dusted] = await loose.rescore('ETH', [named('once'), named('dusted')], NOW)
  expect(flagsOf(once)).toEqual({ mixer: '1', data_source: 'mixer-interaction' })
  expect(once!.reasons[0]).toMatchObject({ evidence: { ownEvents: 1, transactions: ['0x4-0'] } })
  expect(flagsOf(dusted)).toEqual({})
})
