import { expect, test } from 'vitest'
import { act, acts, evidenceOf, flagsKit, flagsOf } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

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

test('a taker of NFTs from three approvers without payment is a drainer', async () => {
  await happened(
    owners('v').flatMap((v, n) => [
      ...allow(v, 'thief', 10 + n),
      act('thief', 'apes', 20 + n, nft(v, 'thief', BigInt(n)), nft(v, 'thief', BigInt(n + 10))),
    ]),
    // Through its own contract, into its own wallet.
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
      expect.objectContaining({
        victim: named('v0'),
        asset: APES,
        amount: { amount: '1', unit: 'NFT', usd: null },
        taker: named('thief'),
        approvedIn: '0xa-0',
      }),
    ]),
  })
  expect(flagsOf(scored.get('crook'))).toMatchObject({ ...theft, number_of_malicious_contracts_created: '1' })
  expect(flagsOf(scored.get('mint'))).toMatchObject(theft)
  for (const victim of [...owners('v'), ...owners('w')]) expect(flagsOf(scored.get(victim)), victim).toEqual({})
})

test('sales, escrows, raffles, games that pay later and two victims are no NFT drains', async () => {
  await happened(
    act('founder', '', 1, { do: 'create', contract: named('market') }, { do: 'create', contract: named('vault') }),
    // A sale: the buyer calls, and the seller is paid in the same transaction by an internal call.
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
    // A suspicion, no conviction; and an account that was only approved.
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

test('a sale whose payment no trace shows is not a drain', async () => {
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
