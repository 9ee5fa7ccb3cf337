import { expect, test } from 'vitest'
import { act, flagsKit, flagsOf } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named, type Tx } from '../../../../test/kit/world/transactions.ts'
import { invites } from './lures.ts'

const { happened, score } = flagsKit()

test('a token that invites many to a page is a lure; honest names are not', async () => {
  expect(invites('Visit uniclaim.org to claim rewards')).toBe(true)
  expect(invites('Visit gift.xyz')).toBe(true)
  expect(invites('usdc-claim.com USDC')).toBe(true)
  expect(invites('gift.xyz GIFT.XYZ')).toBe(false)
  for (const name of ['yearn.finance', 'Curve.fi DAI/USDC/USDT', 'Reward Token', 'Gitcoin', 'Stargate', 'Claimed BTC'])
    expect(invites(name), name).toBe(false)
  const strew = (token: string, many: number): Tx[] => [
    act(
      'strewer',
      token,
      5,
      ...Array.from(
        { length: many },
        (_, n): Action => ({
          do: 'token',
          from: named(token),
          to: named(`${token}${n}`),
          asset: named(token),
          amount: 1n,
        }),
      ),
    ),
  ]
  await happened(
    act(
      'strewer',
      '',
      1,
      { do: 'create', contract: named('lure') },
      { do: 'token-name', token: named('lure'), symbol: '$ usdgift.org', name: 'Claim at usdgift.org' },
    ),
    strew('lure', 60),
    act(
      'donor',
      '',
      1,
      { do: 'create', contract: named('fair') },
      { do: 'token-name', token: named('fair'), symbol: 'FAIR', name: 'Fair Reward' },
    ),
    strew('fair', 60),
    act(
      'shy',
      '',
      1,
      { do: 'create', contract: named('few') },
      { do: 'token-name', token: named('few'), symbol: 'claim.xyz', name: 'claim.xyz' },
    ),
    strew('few', 9),
  )
  const scored = await score(['strewer', 'lure', 'donor', 'fair', 'shy', 'lure1'])
  expect(flagsOf(scored.get('strewer'))).toEqual({ phishing_activities: '1', data_source: 'airdrop-phish' })
  expect(scored.get('lure')!.reasons[0]!.evidence).toMatchObject({ holders: 50, name: 'Claim at usdgift.org' })
  for (const name of ['donor', 'fair', 'shy', 'lure1']) expect(flagsOf(scored.get(name)), name).toEqual({})
})
