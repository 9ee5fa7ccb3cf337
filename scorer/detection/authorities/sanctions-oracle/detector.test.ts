import { expect, test } from 'vitest'
import { SANCTIONS_ORACLES } from '../../../../schema/registry/authorities.ts'
import { act, ETH, flagsKit, flagsOf, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, score, store } = flagsKit()
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
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
