/** Messages of TON as rows: what moved, from whom, and what is believed of contracts. */
import { beginCell, Cell } from '@ton/core'
import { afterEach, expect, test } from 'vitest'
import { txPositionsOf } from '../../../../indexer/source/ton/decode/index.ts'
import { createTonSource } from '../../../../indexer/source/ton/index.ts'
import { parseAddress } from '../../../../schema/address/index.ts'
import type { Block } from '../../../../schema/block.ts'
import { createTonChain } from '../../../kit/chain/ton/chain.ts'
import { startTonNode } from '../../../kit/chain/ton/node.ts'
import {
  burnNotification,
  deploy,
  internalTransfer,
  jettonTransfer,
  nftTransfer,
  notification,
  ownershipAssigned,
  pay,
  sign,
  TON,
  type TonTx,
} from '../../../kit/chain/ton/transactions.ts'
import { account, createWorld, type World } from '../../../kit/chain/ton/wallets.ts'
import { testContext } from '../../../kit/context.ts'

const parsed = parseAddress('TON', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')
const USDT = parsed.ok ? parsed.canonical : ''
const [ann, bob, cat, eve, master] = ['ann', 'bob', 'cat', 'eve', 'master'].map(account) as [
  string,
  string,
  string,
  string,
  string,
]

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const blockOf = async (txs: readonly TonTx[], world: World = createWorld()): Promise<Block> => {
  const chain = createTonChain()
  chain.mine([], txs)
  const node = await startTonNode(chain, { contracts: world.contracts })
  open.push(node.stop)
  const source = createTonSource({ context: testContext(), network: 'TON', urls: [node.url] })
  return (await source.block({ number: 2 }))!
}

const movesOf = ({ rows }: Block) =>
  rows.ledger
    .filter(({ direction }) => direction === -1)
    .map(({ address: from, counterparty: to, kind, asset, token_id: id, amount, initiator }) => ({
      from,
      to,
      kind,
      amount,
      ...(asset !== '' && { asset }),
      ...(id !== '0' && { id }),
      ...(initiator !== from && { initiator }),
    }))
const tokensIn = (block: Block) => movesOf(block).filter(({ kind }) => kind !== 'native')

/** A message that a contract takes with some coins for its work. */
const tell = (from: string, to: string, body: TonTx['body'], more: Partial<TonTx> = {}): TonTx => ({
  from,
  account: to,
  value: TON / 10n,
  body: body!,
  ...more,
})

test('coins move with a delivered message, also to an account without code or with failing code', async () => {
  const block = await blockOf([
    sign(ann),
    pay(ann, bob, 3n * TON, 'rent'),
    { from: ann, account: cat, value: TON, result: 'stopped' },
  ])
  expect(movesOf(block)).toEqual([
    { from: ann, to: bob, kind: 'native', amount: '3000000000' },
    { from: ann, to: cat, kind: 'native', amount: '1000000000' },
  ])
  const rows = block.rows.transactions.filter(({ receiver }) => receiver.startsWith('0:'))
  expect(
    rows.map(({ sender, receiver, value, status, selector }) => [sender, receiver, value, status, selector]),
  ).toEqual([
    [ann, ann, '0', 1, ''],
    [ann, bob, '3000000000', 1, '0x00000000'],
    [ann, cat, '1000000000', 0, ''],
  ])
  expect(block.rows.blocks).toMatchObject([{ transaction_count: 4, sees_traces: 1 }])
})

test('a bounced message moves nothing in either direction', async () => {
  const block = await blockOf([
    { from: ann, account: bob, value: 3n * TON, result: 'refused' },
    { from: bob, account: ann, value: 3n * TON - 5_000n, bounced: true },
  ])
  expect(block.rows.ledger).toEqual([])
  expect(block.rows.transactions.filter(({ receiver }) => receiver === ann || receiver === bob)).toMatchObject([
    { sender: ann, receiver: bob, status: 0, value: '3000000000' },
    { sender: bob, receiver: ann, status: 1, value: '0' },
  ])
})

test('jettons are transferred, minted and burned, with their on-chain name', async () => {
  const world = createWorld()
  const of = world.jetton({ master, name: 'Fish & Chips', symbol: 'FISH', decimals: 6 })
  const block = await blockOf(
    [
      tell(master, of(ann), internalTransfer({ from: '', amount: 900n })),
      tell(ann, of(ann), jettonTransfer({ to: bob, amount: 70n, comment: 'for the fish' })),
      tell(of(ann), of(bob), internalTransfer({ from: ann, amount: 70n })),
      tell(of(bob), bob, notification({ from: ann, amount: 70n })),
      tell(of(bob), master, burnNotification({ from: bob, amount: 9n })),
    ],
    world,
  )
  expect(tokensIn(block)).toEqual([
    { from: '', to: ann, kind: 'fungible', asset: master, amount: '900', initiator: master },
    { from: ann, to: bob, kind: 'fungible', asset: master, amount: '70', initiator: of(ann) },
    { from: bob, to: '', kind: 'fungible', asset: master, amount: '9', initiator: of(bob) },
  ])
  expect(block.rows.tokens).toMatchObject([{ token: master, name: 'Fish & Chips', symbol: 'FISH', decimals: 6 }])
})

test('truncates a jetton name before a partial UTF-8 character, which the store would refuse', async () => {
  const world = createWorld()
  const of = world.jetton({ master, name: `${'a'.repeat(127)}\u{1f600}`, symbol: 'FISH', decimals: 6 })
  const block = await blockOf([tell(master, of(ann), internalTransfer({ from: '', amount: 900n }))], world)
  expect(block.rows.tokens).toMatchObject([{ name: 'a'.repeat(127) }])
})

test('transfers of well-known jettons are by their owner', async () => {
  const world = createWorld()
  const of = world.jetton({ master: USDT, page: 'https://tether.to/usdt-ton.json' })
  const block = await blockOf([tell(of(ann), of(bob), internalTransfer({ from: ann, amount: 5_000_000n }))], world)
  expect(tokensIn(block)).toEqual([{ from: ann, to: bob, kind: 'fungible', asset: USDT, amount: '5000000' }])
  expect(block.rows.tokens).toMatchObject([{ token: USDT, name: '', symbol: '', decimals: -1 }])
})

test('a jetton wallet unknown to its master moves nothing, whatever master it claims', async () => {
  const world = createWorld()
  world.jetton({ master: USDT })
  const fake = account('wallet that anybody deployed')
  world.pretend(fake, { owner: bob, master: USDT })
  const deaf = account('contract that answers nothing')
  const block = await blockOf(
    [
      tell(eve, fake, internalTransfer({ from: ann, amount: 10n ** 12n })),
      tell(eve, deaf, internalTransfer({ from: ann, amount: 10n ** 12n })),
      tell(fake, USDT, burnNotification({ from: bob, amount: 10n ** 12n })),
    ],
    world,
  )
  expect(tokensIn(block)).toEqual([])
  expect(block.rows.tokens).toEqual([])
})

test('a jetton notification alone proves no transfer', async () => {
  const world = createWorld()
  const of = world.jetton({ master: USDT })
  const block = await blockOf(
    [
      tell(eve, bob, notification({ from: ann, amount: 10n ** 12n })),
      tell(of(eve), bob, notification({ from: ann, amount: 10n ** 12n })),
    ],
    world,
  )
  expect(tokensIn(block)).toEqual([])
})

test('jettons that the wallet of the receiver refuses stay with the sender', async () => {
  const world = createWorld()
  const of = world.jetton({ master: USDT })
  const forged = internalTransfer({ from: ann, amount: 10n ** 12n })
  const block = await blockOf(
    [
      tell(eve, of(bob), forged, { result: 'refused' }),
      tell(eve, of(bob), forged, { result: 'stopped' }),
      tell(of(bob), eve, forged, { bounced: true }),
    ],
    world,
  )
  expect(tokensIn(block)).toEqual([])
})

test('a burn must come from the own wallet of the owner', async () => {
  const world = createWorld()
  const of = world.jetton({ master: USDT })
  const block = await blockOf([tell(of(eve), USDT, burnNotification({ from: ann, amount: 5n }))], world)
  expect(tokensIn(block)).toEqual([])
})

test('an NFT moves from the sender of the message, and only if its collection knows it', async () => {
  const world = createWorld()
  const collection = account('collection')
  const item = world.collection(collection, 3)
  const copy = account('copy of an item')
  world.pretendItem(copy, { collection, index: 2 })
  const lone = account('item without a collection')
  world.pretendItem(lone, { collection: '', index: 0 })
  const block = await blockOf(
    [
      tell(ann, item(2), nftTransfer(bob)),
      tell(eve, copy, nftTransfer(bob)),
      tell(ann, item(1), nftTransfer(bob), { result: 'refused' }),
      tell(cat, lone, nftTransfer(bob)),
    ],
    world,
  )
  expect(tokensIn(block)).toEqual([
    { from: ann, to: bob, kind: 'nft', asset: collection, id: '2', amount: '1' },
    { from: cat, to: bob, kind: 'nft', asset: lone, amount: '1' },
  ])
})

test('keeps comments of 20 or more characters; no exchange memos, encrypted texts or bounced messages', async () => {
  const memo = pay(ann, bob, TON, '1048576213')
  const letter = 'Dear Bob, this is what I owe you for the tickets. Ann'
  const long = `${'Snakes go on from cell to cell, '.repeat(12)}and end.`
  const block = await blockOf([
    memo,
    pay(ann, bob, TON, letter),
    pay(ann, cat, TON, long),
    { ...pay(bob, ann, TON, letter), bounced: true },
    tell(ann, eve, jettonTransfer({ to: bob, amount: 1n, comment: letter })),
    tell(eve, bob, notification({ from: ann, amount: 1n, comment: letter })),
    tell(eve, bob, ownershipAssigned(ann, letter)),
    tell(eve, bob, beginCell().storeUint(0x2167da4b, 32).storeStringTail(letter).endCell()),
  ])
  const rows = block.rows.transactions.filter(({ receiver }) => receiver.startsWith('0:'))
  expect(rows.map(({ message }) => message)).toEqual(['', letter, long, '', letter, letter, letter, ''])
  // A notice that was made up is the text of who made it up, not of whom it names.
  expect(rows.slice(5, 7).map(({ sender }) => sender)).toEqual([eve, eve])
})

test('a contract deployed by another is its creation; jetton wallets and signing wallets are not', async () => {
  const world = createWorld()
  const of = world.jetton({ master })
  const shop = account('shop')
  const block = await blockOf(
    [
      deploy(ann, shop),
      deploy(ann, shop),
      deploy(of(ann), of(bob), internalTransfer({ from: ann, amount: 5n })),
      { ...sign(cat), init: deploy(ann, cat).init! },
      // Whoever pays its debts brings it back, and did not make it.
      { ...deploy(bob, account('frozen shop')), unfrozen: true },
    ],
    world,
  )
  expect(block.rows.creations).toMatchObject([{ contract: shop, creator: ann, root_creator: ann, event: 'create' }])
  expect(block.rows.creations[0]!.code_hash).toMatch(/^[0-9a-f]{64}$/)
})

test('a wallet that somebody else deploys is no contract, and not made by who paid for it', async () => {
  // Version 1, whose code is one cell, and version 5 by a reference to the library.
  const simple =
    'ff0020dda4f260810200d71820d70b1fed44d0d31fd3ffd15112baf2a122f901541044f910f2a2f80001d31f3120d74a96d307d402fb00ded1a4c8cb1fcbffc9ed54'
  const library = 'b5ee9c720101010100230008420220834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f'
  const codes = [
    beginCell().storeBuffer(Buffer.from(simple, 'hex')).endCell(),
    Cell.fromBoc(Buffer.from(library, 'hex'))[0]!,
  ]
  const customers = ['customer 1', 'customer 2'].map(account)
  const block = await blockOf([
    ...codes.map((code, n) => ({ ...deploy(ann, customers[n]!), init: { code, data: beginCell().endCell() } })),
    deploy(ann, account('shop')),
  ])
  expect(block.rows.creations).toMatchObject([{ contract: account('shop'), creator: ann }])
})

test('keeps the order of more transactions than positions can number', () => {
  const at = [0, 1, 32_766, 32_767, 32_768, 90_000].flatMap((index) => [
    BigInt(txPositionsOf(7, index)(0)),
    BigInt(txPositionsOf(7, index)(2 ** 18)),
  ])
  expect(at).toEqual([...at].sort((a, b) => (a < b ? -1 : 1)))
  expect(new Set(at).size).toBe(at.length)
})
