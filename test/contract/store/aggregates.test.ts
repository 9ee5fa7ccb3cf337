/** Every view over both tiers shows the same whether rows are final, hot, or some of each; dust bounds are those of networks. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NETWORK_CODES, type Network, networkInfo } from '../../../schema/networks.ts'
import { FINAL_OF } from '../../../schema/tables/index.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { insertRows, named, rowsOf, settle, type Tx } from '../../kit/world/transactions.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const [ann, bob, cat, tok, usd, mix] = ['ann', 'bob', 'cat', 'tok', 'usd', 'mix'].map(named) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const COIN = 10n ** 18n

/** Something of every kind, some of it twice over different blocks. */
const WORLD: Tx[] = [
  { from: cat, to: '', block: 1, call: true, actions: [{ do: 'create', contract: tok, code_hash: '0x01' }] },
  {
    from: cat,
    to: tok,
    block: 1,
    call: true,
    actions: [{ do: 'token-name', token: tok, symbol: 'TOK', name: 'Token' }],
  },
  { from: cat, to: mix, block: 2, call: true, actions: [{ do: 'pool', pool: mix, token0: tok, token1: usd }] },
  {
    from: cat,
    to: mix,
    block: 2,
    call: true,
    actions: [{ do: 'liquidity', pool: mix, event: 'add', amount0: 9n, amount1: 8n }],
  },
  { from: bob, to: ann, block: 3, value: COIN, message: 'A message in calldata' },
  { from: bob, to: tok, block: 4, call: true, failed: true },
  { from: ann, to: tok, block: 5, call: true, actions: [{ do: 'token', from: ann, to: bob, asset: tok, amount: 7n }] },
  { from: cat, to: tok, block: 6, call: true, actions: [{ do: 'token', from: ann, to: bob, asset: tok, amount: 0n }] },
  {
    from: ann,
    to: tok,
    block: 7,
    call: true,
    actions: [{ do: 'approve', owner: ann, spender: bob, asset: tok, amount: 7n }],
  },
  {
    from: bob,
    to: tok,
    block: 8,
    call: true,
    actions: [{ do: 'approve', owner: cat, spender: bob, asset: tok, amount: 7n }],
  },
  { from: bob, to: mix, block: 9, call: true, actions: [{ do: 'swap', pool: mix, amount0: 5n, amount1: -4n }] },
  {
    from: cat,
    to: mix,
    block: 10,
    call: true,
    actions: [{ do: 'liquidity', pool: mix, event: 'remove', amount0: -3n, amount1: -2n }],
  },
  { from: bob, to: tok, block: 11, actions: [{ do: 'authority', authority: usd, event: 'freeze', subject: ann }] },
  { from: bob, to: tok, block: 12, actions: [{ do: 'authority', authority: usd, event: 'seize', subject: ann }] },
  { from: bob, to: tok, block: 13, actions: [{ do: 'authority', authority: usd, event: 'pause', subject: cat }] },
  {
    from: ann,
    to: mix,
    block: 14,
    actions: [{ do: 'authority', authority: mix, event: 'mixer_deposit', subject: ann, amount: COIN }],
  },
  {
    from: bob,
    to: mix,
    block: 15,
    actions: [{ do: 'authority', authority: mix, event: 'mixer_withdraw', subject: bob, amount: COIN }],
  },
  { from: ann, to: tok, block: 16, actions: [{ do: 'delegate', authority: ann, delegate: tok }] },
  { from: cat, to: tok, block: 17, actions: [{ do: 'nft', from: cat, to: ann, asset: tok, id: 3n }] },
  { from: cat, to: tok, block: 18, actions: [{ do: 'internal', from: tok, to: ann, amount: COIN }] },
  {
    from: ann,
    to: tok,
    block: 19,
    call: true,
    actions: [{ do: 'approve', owner: ann, spender: bob, asset: tok, amount: 0n }],
  },
]
const HEAD = 20

const shown = async (names: Iterable<string>) => {
  const rows: Record<string, object[]> = {}
  for (const name of names) rows[name] = await kit.store.query(`SELECT * FROM ${name} ORDER BY ALL`)
  return rows
}
const early = WORLD.filter(({ block }) => block <= 10)
const late = WORLD.filter(({ block }) => block > 10)

test('every view over both tiers gives the same result in either tier', async () => {
  await insertRows(kit.store, rowsOf(WORLD, { head: HEAD }))
  await settle(kit.store, 'ETH', HEAD)
  const final = await shown(FINAL_OF.keys())
  expect(Object.entries(final).filter(([, rows]) => rows.length === 0)).toEqual([])
  const ofFinal = await shown(FINAL_OF.values())
  const columns = (row: object | undefined) => Object.keys(row ?? {})
  for (const [all, tier] of FINAL_OF) {
    if (columns(ofFinal[tier]?.[0]).length === columns(final[all]?.[0]).length)
      expect(ofFinal[tier]).toEqual(final[all])
  }

  await kit.truncate()
  await settle(kit.store, 'ETH', 0)
  await insertRows(kit.store, rowsOf(WORLD, { from: 1, head: HEAD }), 'hot')
  const genesis = rowsOf([], { head: 0 })
  await insertRows(kit.store, genesis)
  expect(await shown(FINAL_OF.keys())).toEqual(final)

  await kit.truncate()
  await settle(kit.store, 'ETH', 10)
  await insertRows(kit.store, rowsOf(early, { head: 10 }))
  await insertRows(kit.store, rowsOf(late, { from: 11, head: HEAD }), 'hot')
  expect(await shown(FINAL_OF.keys())).toEqual(final)
})

test('rows a reorg took away are not counted', async () => {
  await insertRows(kit.store, rowsOf(early, { head: 10 }))
  const without = await shown(FINAL_OF.keys())
  await settle(kit.store, 'ETH', 10)
  const gone = rowsOf(late, { from: 11, head: HEAD })
  await insertRows(kit.store, gone, 'hot')
  for (const [table, rows] of Object.entries(gone)) {
    await kit.store.insert(
      `${table}_hot`,
      rows.map((row) => `${JSON.stringify({ ...row, version: 2, is_deleted: 1 })}\n`).join(''),
    )
  }
  const facts = 'INSERT INTO facts_hot SELECT * REPLACE (2 AS version, 1 AS is_deleted) FROM facts_hot'
  await kit.store.command(facts)
  expect(await shown(FINAL_OF.keys())).toEqual(without)
})

test('counts owners that signed approvals of an asset, and collects labelled and listed addresses', async () => {
  await insertRows(kit.store, rowsOf(WORLD))
  expect(await kit.store.query('SELECT asset, toUInt32(signers) AS signers FROM asset_approvals_all')).toEqual([
    { asset: tok, signers: 1 },
  ])
  const label = { network: 'TRON', address: bob, label: 'phishing', detector: 'list', class: 'reported', confidence: 1 }
  const rest = { detector_version: '1', evidence: '{}', found_at: 1_700_000_000, version: 1 }
  await kit.store.insert('address_labels', JSON.stringify({ ...label, ...rest }))
  expect(
    await kit.store.query('SELECT network, address, listed FROM labelled_addresses FINAL ORDER BY network'),
  ).toEqual([
    { network: 'ETH', address: ann, listed: 1 },
    { network: 'TRON', address: bob, listed: 0 },
  ])
})

test('separates payments from dust by the bounds of each network, in both tiers', async () => {
  const counts = (network: string) =>
    kit.store.query(
      `SELECT address, toUInt32(paid) AS paid, funder, toUInt32(token_dust_out) AS dust, toUInt32(third_party_dust) AS relayed
      FROM wallet_features_all WHERE network = {network:String} AND address IN {addresses:Array(String)} ORDER BY address`,
      { network, addresses: [ann, bob, cat] },
    )
  const expected = [
    { address: ann, paid: 0, funder: '', dust: 1, relayed: 0 },
    { address: bob, paid: 1, funder: ann, dust: 0, relayed: 0 },
    { address: cat, paid: 0, funder: '', dust: 0, relayed: 1 },
  ]
  const worldOf = (network: Network): Tx[] => {
    const { nativeCoin, tokenDust } = networkInfo(network)
    const token = (amount: bigint, block: number): Tx => ({
      from: cat,
      to: tok,
      block,
      actions: [{ do: 'token', from: ann, to: bob, asset: tok, amount }],
    })
    return [
      { from: cat, to: bob, block: 1, value: nativeCoin.dust - 1n },
      { from: ann, to: bob, block: 2, value: nativeCoin.dust },
      token(tokenDust, 3),
      token(tokenDust + 1n, 4),
    ]
  }
  for (const tier of ['final', 'hot'] as const) {
    await kit.truncate()
    for (const network of NETWORK_CODES) {
      if (tier === 'hot') await settle(kit.store, network, 0)
      await insertRows(kit.store, rowsOf(worldOf(network), { network, from: 1, head: 5 }), tier)
      expect(await counts(network), `${network} ${tier}`).toEqual(expected)
    }
    expect(
      await kit.store.query('SELECT network, count() AS n FROM third_party_dust_all GROUP BY network ORDER BY network'),
    ).toEqual(NETWORK_CODES.toSorted().map((network) => ({ network, n: '1' })))
  }
})
