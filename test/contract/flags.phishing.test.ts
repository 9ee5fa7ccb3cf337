import { expect, test } from 'vitest'
import { invites } from '../../scorer/detection/claims.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../kit/world/transactions.ts'
import { act, acts, evidenceOf, flagsKit, flagsOf } from './flags.kit.ts'

const { store, happened, score } = flagsKit()
const ETH = 10n ** 18n
const APES = named('apes')

const owners = (prefix: string, count = 3): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const allow = (owner: string, spender: string, block: number, amount = 1n): Tx[] => [
  ...acts(owner, 2),
  act(owner, 'apes', block, {
    do: 'approve',
    kind: 'all',
    owner: named(owner),
    spender: named(spender),
    asset: APES,
    amount,
  }),
]
const nft = (from: string, to: string, id: bigint): Action => ({
  do: 'nft',
  from: named(from),
  to: named(to),
  asset: APES,
  id,
})
const coin = (from: string, to: string, amount: bigint): Action => ({
  do: 'internal',
  from: named(from),
  to: named(to),
  amount,
})

test('who takes the NFTs of three approvers for nothing is a drainer', async () => {
  await happened(
    owners('v').flatMap((v, n) => [
      ...allow(v, 'thief', 10 + n),
      act('thief', 'apes', 20 + n, nft(v, 'thief', BigInt(n)), nft(v, 'thief', BigInt(n + 10))),
    ]),
    // By a contract of its own, into a wallet of its own.
    act('crook', '', 30, { do: 'create', contract: named('mint') }),
    owners('w').flatMap((w, n) => [
      ...allow(w, 'mint', 31 + n),
      act('crook', 'mint', 40 + n, nft(w, 'stash', BigInt(n + 20))),
    ]),
  )
  const scored = await score(['thief', 'crook', 'mint', 'stash', ...owners('v'), ...owners('w')])
  const theft = { phishing_activities: '1', stealing_attack: '1' }
  expect(flagsOf(scored.get('thief'))).toMatchObject({ ...theft, data_source: 'nft-drain' })
  expect(evidenceOf(scored.get('thief'), 'PHISHING_ACTIVITIES')).toMatchObject({
    victims: 3,
    drains: expect.arrayContaining([
      expect.objectContaining({ victim: named('v0'), asset: APES, taker: named('thief'), approvedIn: '0xa-0' }),
    ]),
  })
  expect(flagsOf(scored.get('crook'))).toMatchObject({ ...theft, number_of_malicious_contracts_created: '1' })
  expect(flagsOf(scored.get('mint'))).toMatchObject(theft)
  for (const victim of [...owners('v'), ...owners('w')]) expect(flagsOf(scored.get(victim)), victim).toEqual({})
})

test('sales, escrows, raffles, games that pay later and two victims are no NFT drains', async () => {
  await happened(
    act('founder', '', 1, { do: 'create', contract: named('market') }, { do: 'create', contract: named('vault') }),
    // A sale: the buyer calls, the seller is paid in the same transaction, from inside.
    owners('s').flatMap((s, n) => [
      ...allow(s, 'market', 10 + n),
      { ...act('buyer', 'market', 20 + n, nft(s, 'buyer', BigInt(n)), coin('market', s, ETH)), value: ETH },
    ]),
    // An escrow keeps what its operator moves in.
    owners('e').flatMap((e, n) => [
      ...allow(e, 'vault', 10 + n),
      act('operator', 'vault', 30 + n, nft(e, 'vault', BigInt(n + 10))),
    ]),
    // A raffle hands the prizes of many to many.
    owners('r').flatMap((r, n) => [
      ...allow(r, 'raffler', 10 + n),
      act('raffler', 'apes', 40 + n, nft(r, `winner${n}`, BigInt(n + 20))),
    ]),
    // A dealer pays the next day.
    owners('d').flatMap((d, n) => [
      ...allow(d, 'dealer', 10 + n),
      act('dealer', 'apes', 50 + n, nft(d, 'dealer', BigInt(n + 30))),
      { ...act('dealer', d, 200 + n), value: ETH },
    ]),
    // Suspicion, no proof; and one who was only allowed.
    owners('u', 2).flatMap((u, n) => [
      ...allow(u, 'maybe', 10 + n),
      act('maybe', 'apes', 60 + n, nft(u, 'maybe', BigInt(n + 40))),
    ]),
    owners('t').flatMap((t, n) => allow(t, 'idle', 10 + n)),
  )
  const names = [
    'founder',
    'market',
    'vault',
    'buyer',
    'operator',
    'raffler',
    'dealer',
    'maybe',
    'idle',
    ...owners('s'),
    ...owners('d'),
  ]
  const scored = await score(names)
  for (const name of names) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('a sale whose payment no trace shows is not taken for a drain', async () => {
  const rows = rowsOf([
    act('founder', '', 1, { do: 'create', contract: named('market') }),
    ...owners('s').flatMap((s, n) => [
      ...allow(s, 'market', 10 + n),
      { ...act('buyer', 'market', 20 + n, nft(s, 'buyer', BigInt(n))), value: ETH },
    ]),
  ])
  for (const block of rows.blocks) block.sees_traces = 0
  await insertRows(store(), rows)
  expect(flagsOf((await score(['market'])).get('market'))).toEqual({})
})

const CLAIM = '0x4e71d92d'
const claim = (payer: string, contract: string, block: number, ...actions: Action[]): Tx => ({
  ...act(payer, contract, block, ...actions),
  value: ETH,
  selector: CLAIM,
})

test('a fake claim convicts its contract and its maker; payers stay clear', async () => {
  await happened(
    act('faker', '', 1, { do: 'create', contract: named('trap') }),
    owners('p', 6).map((p, n) =>
      claim(p, 'trap', 10 + n, coin('trap', 'boss', ETH / 5n), coin('trap', 'helper', (ETH * 4n) / 5n)),
    ),
  )
  const scored = await score(['faker', 'trap', ...owners('p', 6)])
  const phish = { phishing_activities: '1', data_source: 'fake-claim' }
  expect(flagsOf(scored.get('faker'))).toEqual(phish)
  expect(flagsOf(scored.get('trap'))).toEqual(phish)
  expect(scored.get('faker')!.reasons[0]!.evidence).toMatchObject({
    contract: named('trap'),
    payers: 6,
    paid: String(6n * ETH),
    selectors: [CLAIM],
    takers: [named('helper'), named('boss')],
    transactions: expect.arrayContaining(['0xa-0']),
  })
  for (const payer of owners('p', 6)) expect(flagsOf(scored.get(payer)), payer).toEqual({})
})

test('who claims points by the day for cents is not cheated of them', async () => {
  const fans = owners('f', 8)
  await happened(
    act('dapp', '', 1, { do: 'create', contract: named('daily') }),
    fans.map((f, n) => ({ ...claim(f, 'daily', 10 + n, coin('daily', 'dapp', ETH / 10_000n)), value: ETH / 10_000n })),
  )
  const scored = await score(['dapp', 'daily'])
  for (const name of ['dapp', 'daily']) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('claims that give tokens, refund, keep the coins, are called otherwise or are old bait nobody', async () => {
  const contracts = ['airdrop', 'lottery', 'escrow', 'shop', 'elder', 'vesting']
  await happened(
    act('maker', '', 1, ...contracts.map((name): Action => ({ do: 'create', contract: named(name) }))),
    owners('p', 6).flatMap((p, n) => [
      claim(p, 'airdrop', 10 + n, coin('airdrop', 'maker', ETH), {
        do: 'token',
        from: named('airdrop'),
        to: named(p),
        asset: named('tok'),
        amount: 5n,
      }),
      claim(p, 'lottery', 20 + n, coin('lottery', p, ETH / 2n), coin('lottery', 'maker', ETH / 2n)),
      claim(p, 'escrow', 30 + n),
      { ...act(p, 'shop', 40 + n, coin('shop', 'maker', ETH)), value: ETH },
      claim(p, 'elder', 5000 + n, coin('elder', 'maker', ETH)),
      claim(p, 'vesting', 60 + n, coin('vesting', 'maker', ETH)),
      act('maker', 'tok', 90 + n, { do: 'token', from: named('maker'), to: named(p), asset: named('tok'), amount: 5n }),
    ]),
  )
  const scored = await score(['maker', ...contracts])
  for (const name of ['maker', ...contracts]) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('a token that invites many to a page is a lure; names of honest tokens are not', async () => {
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
