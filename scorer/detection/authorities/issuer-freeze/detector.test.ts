import { expect, test } from 'vitest'
import { SANCTIONS_ORACLES } from '../../../../schema/registry/authorities.ts'
import { act, flagsKit, flagsOf, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, score } = flagsKit()
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
