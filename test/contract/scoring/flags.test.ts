import { expect, test } from 'vitest'
import { TABLES } from '../../../schema/block.ts'
import { MIXER_ROUTERS } from '../../../schema/registry/contracts.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { insertRows, named, rowsOf, settle } from '../../kit/world/transactions.ts'
import { act, crowd, ETH, flagsKit, flagsOf, launch, listed, NOW, pay, write } from './flags.kit.ts'

const { clean, happened, score, store, verdicts } = flagsKit()
const ROUTER = [...MIXER_ROUTERS.ETH.keys()][0]!

test('contract labels count against the creator, until they are retracted; services are not flagged by detectors', async () => {
  await happened(
    act('maker', '', 1, { do: 'create', contract: named('c1') }, { do: 'create', contract: named('c2') }),
    pay('hub', 'x', 2),
  )
  const label = (name: string, what: string, over: object = {}) =>
    listed(name, what, {
      detector: 'trade-simulation',
      class: 'detected',
      confidence: 0.97,
      evidence: { sell: 'reverted' },
      block_number: 1,
      ...over,
    })
  await writeLabels(store(), [
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
  await writeLabels(store(), [
    label('c1', 'honeypot', { revoked: true, foundAt: NOW + 1 }),
    label('c2', 'fake_token', { revoked: true, foundAt: NOW + 1 }),
  ])
  expect(flagsOf((await score(['maker'])).get('maker'))).toEqual({})
})

test('what is not evaluated yet is named, and shown as 0', async () => {
  await happened(pay('ann', 'bob', 1))
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

test('what is not final yet counts as well, and no longer counts once it was undone', async () => {
  const threat = 'I will leak your files to your family. Send 2 ETH to this address within 48 hours.'
  await writeLabels(store(), [listed('thief', 'theft')])
  const early = [
    ...crowd('v', 2).map((who, n) => write('extorter', who, 1 + n, threat)),
    pay('thief', 'washer', 2, 5n * ETH),
  ]
  const late = [
    write('extorter', 'v2', 11, threat),
    { from: named('washer'), to: ROUTER, block: 12, value: 4n * ETH, call: true },
    ...launch('pairer', 'pair', 11),
    act('pairer', 'pair', 12, { do: 'token-name', token: named('pair'), symbol: 'USDT', name: 'Tether USD' }),
  ]
  await insertRows(store(), rowsOf(early, { head: 10 }))
  await settle(store(), 'ETH', 10)
  await insertRows(store(), rowsOf([], { from: 11, head: 12 }), 'hot')
  await clean('extorter', 'washer')
  await insertRows(store(), rowsOf(late, { from: 11, head: 12 }), 'hot')
  const flags = (await verdicts('extorter', 'washer', 'pairer')).map(flagsOf)
  expect(flags).toMatchObject([{ blackmail_activities: '1' }, { money_laundering: '1' }, { fake_token: '1' }])
  const gone = rowsOf(late, { from: 11, head: 12 })
  for (const table of TABLES) {
    const rows = gone[table].map((row) => `${JSON.stringify({ ...row, version: 2, is_deleted: 1 })}\n`)
    if (rows.length > 0) await store().insert(`${table}_hot`, rows.join(''))
  }
  await insertRows(store(), rowsOf([], { from: 11, head: 11 }), 'hot')
  await clean('extorter', 'washer')
})
