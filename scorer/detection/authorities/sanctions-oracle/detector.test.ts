import { expect, test } from 'vitest'
import { SANCTIONS_ORACLES } from '../../../../schema/registry/authorities.ts'
import { registryOf } from '../../../../schema/registry/index.ts'
import { act, ETH, flagsKit, flagsOf, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, score, store } = flagsKit()
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
const [FACTORY = ''] = registryOf('ETH').dexFactories.keys()
const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7'

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

test('a listed address is sanctioned, with the listing as evidence; delisted and exposed addresses are not', async () => {
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

test("a listing applies on networks that share the account's key, but not to contracts; a self-announced pool is no contract", async () => {
  const asPool = (factory: string, pool: string): Tx =>
    act('maker', '', 3, { do: 'pool', pool: named(pool), factory, token0: named('t0'), token1: named('t1') })
  await happened(
    ...['bad', 'code', 'pair', 'liar'].map((subject) => authority('sanction_add', subject, 2)),
    act('maker', '', 3, { do: 'create', contract: named('code') }),
    asPool(FACTORY, 'pair'),
    asPool(named('liar'), 'liar'),
  )
  const elsewhere = [pay('bad', 'code', 1), pay('liar', 'pair', 1), act('liar', '', 2)]
  await insertRows(store(), rowsOf([...elsewhere, asPool(named('liar'), 'liar')], { network: 'BASE' }))
  const scored = await score(['bad', 'code', 'pair', 'liar'], 'BASE')
  const sanctioned = { sanctioned: '1', data_source: 'sanctions-oracle' }
  expect(['bad', 'liar', 'code', 'pair'].map((name) => flagsOf(scored.get(name)))).toEqual([
    sanctioned,
    sanctioned,
    {},
    {},
  ])
})
