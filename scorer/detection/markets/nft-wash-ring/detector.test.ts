/** Wallets that sell each other the same NFT repeatedly, and honest wallets with similar trades. */
import { expect, test } from 'vitest'
import {
  act,
  at,
  coin,
  crowd,
  ETH,
  evidenceOf,
  flagsKit,
  flagsOf,
  lies,
  move,
  pay,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, settle, type Tx } from '../../../../test/kit/world/transactions.ts'

const { store, happened, score, clean } = flagsKit()
const RING = ['ring0', 'ring1', 'ring2']
const WASHED = { financial_crime: '1', data_source: 'nft-wash-ring' }

const nft = (from: string, to: string, id = 7n): Action => ({
  do: 'nft',
  from: at(from),
  to: at(to),
  asset: at('art'),
  id,
})
/** A listing that the buyer accepts; the market keeps 2 %. */
const sale = (seller: string, buyer: string, block: number, price = ETH, id = 7n): Tx => ({
  ...act(buyer, 'market', block, coin('market', seller, (price * 98n) / 100n), nft(seller, buyer, id)),
  value: price,
})
/** A bid in wrapped coins that the seller accepts. */
const bid = (seller: string, buyer: string, block: number, price = ETH): Tx =>
  act(seller, 'market', block, move(buyer, seller, price, WETH), nft(seller, buyer))
/** The NFT is sold from each wallet to the next, in a circle. */
const rounds = (wallets: readonly string[], times: number, block: number, sell = sale): Tx[] =>
  Array.from({ length: times * wallets.length }, (_, n) =>
    sell(wallets[n % wallets.length]!, wallets[(n + 1) % wallets.length]!, block + n),
  )
const apart = (wallets: readonly string[]): Tx[] => wallets.map((one, n) => pay(`pal-${one}`, one, n, 20n * ETH))
const from = (purse: string, wallets: readonly string[]): Tx[] => wallets.map((one) => pay(purse, one, 5, 20n * ETH))

test('wallets with one funder that sell an NFT in circles are a ring; the funder, the marketplace and later buyers are not in it', async () => {
  const trades = rounds(RING, 3, 20)
  // A stranger's token states that the funding wallet pays hundreds, which does not make it an exchange.
  await happened(apart(['boss', 'fan']), from('boss', RING), trades, sale('ring0', 'fan', 60), lies('boss', 200, 70))
  const scored = await score(RING)
  for (const one of RING) expect(flagsOf(scored.get(one)), one).toEqual(WASHED)
  expect(evidenceOf(scored.get('ring1'), 'FINANCIAL_CRIME')).toMatchObject({
    collection: named('art'),
    token: '7',
    members: RING.map(named).sort(),
    share: 0.9,
    volume: { amount: '17640.00', unit: 'USD', usd: '17640.00' },
    trades: 9,
    transactions: trades.map(({ block }) => `0x${block.toString(16)}-0`),
  })
  await clean('boss', 'market', 'fan')
})

test('a pair is a ring if one funded the other, also with bids', async () => {
  await happened(apart(['ring0']), pay('ring0', 'ring1', 9, 5n * ETH), rounds(['ring0', 'ring1'], 3, 20, bid))
  const scored = await score(['ring0', 'ring1'])
  for (const one of ['ring0', 'ring1']) expect(flagsOf(scored.get(one)), one).toEqual(WASHED)
})

test('eight wallets with one funder are a ring like three; eight strangers, a team that mostly sells to the public, and changes of mind are not', async () => {
  const [large, strangers, team, club] = ['large', 'other', 'team', 'club'].map((name) => crowd(name, 8)) as string[][]
  await happened(
    apart(['boss', 'chief', 'host', ...strangers!, 'buyer']),
    [...from('boss', large!), ...from('chief', team!), ...from('host', club!)],
    rounds(large!, 3, 20),
    rounds(strangers!, 3, 50),
    rounds(team!, 3, 80),
    team!.flatMap((one, n) =>
      Array.from({ length: 6 }, (_, time) => sale(one, 'buyer', 110 + 6 * n + time, ETH, BigInt(100 + 6 * n + time))),
    ),
    // Pairs that sell the same NFT back and forth only twice.
    [0, 2, 4, 6].flatMap((n) =>
      rounds([club![n]!, club![n + 1]!], 2, 160 + 4 * n, (a, b, block) => sale(a, b, block, 2n * ETH, BigInt(200 + n))),
    ),
  )
  const scored = await score(large!)
  for (const one of large!) expect(flagsOf(scored.get(one)), one).toEqual(WASHED)
  expect(evidenceOf(scored.get('large0'), 'FINANCIAL_CRIME')).toMatchObject({ members: large!.map(named), trades: 24 })
  await clean('boss', 'chief', 'host', 'buyer', ...strangers!, ...team!, ...club!)
})

test('buying back from strangers, or from customers of one exchange, makes no ring', async () => {
  const people = ['ring0', 'ring1']
  const customers = ['user0', 'user1']
  await happened(
    apart([...people, 'exchange']),
    crowd('client', 60).map((one) => pay('exchange', one, 4)),
    from('exchange', customers),
    rounds(people, 4, 20),
    rounds(customers, 4, 40, (a, b, block) => sale(a, b, block)),
  )
  await clean(...people, ...customers)
})

test('loans against an NFT, games, small sales and traders with the public are no rings', async () => {
  const loans = (escrow: string, borrower: string, block: number, signer = borrower): Tx[] =>
    Array.from({ length: 4 }, (_, n) => [
      act(signer, escrow, block + 2 * n, nft(borrower, escrow), coin(escrow, borrower, 3n * ETH)),
      { ...act(borrower, escrow, block + 2 * n + 1, nft(escrow, borrower)), value: 3n * ETH },
    ]).flat()
  const gift = (a: string, b: string, block: number): Tx => act(a, 'art', block, nft(a, b))
  const cheap = (a: string, b: string, block: number): Tx => sale(a, b, block, ETH / 10n)
  await happened(
    apart(['borrower', 'debtor', 'player', 'poor', 'trader', 'buyer', 'lender']),
    act('lender', '', 8, { do: 'create', contract: named('escrow') }),
    // A contract older than the first indexed block, with its first coins from the borrower.
    pay('debtor', 'vault', 9),
    [...from('player', ['avatar']), ...from('poor', ['poorer']), ...from('trader', ['second'])],
    loans('escrow', 'borrower', 20, 'lender'),
    loans('vault', 'debtor', 40),
    rounds(['player', 'avatar'], 5, 60, gift),
    rounds(['poor', 'poorer'], 5, 80, cheap),
    rounds(['trader', 'second'], 3, 100),
    Array.from({ length: 3 }, (_, n) => sale('trader', 'buyer', 120 + n, 2n * ETH, BigInt(n))),
  )
  await clean('borrower', 'debtor', 'player', 'avatar', 'poor', 'poorer', 'trader', 'second', 'lender', 'buyer')
})

test('events of the token in transactions of others make no ring', async () => {
  const told = rounds(['ring0', 'ring1'], 4, 20, bid).map((tx) => ({ ...tx, from: named('forger') }))
  await happened(apart(['ring0']), pay('ring0', 'ring1', 9, 5n * ETH), pay('ring1', 'shop', 10), told)
  await clean('ring0', 'ring1')
})

test('a ring counts before it is final', async () => {
  const [early, late] = [[...apart(['boss']), ...from('boss', RING)], rounds(RING, 3, 20)]
  await insertRows(store(), rowsOf(early, { head: 10 }))
  await settle(store(), 'ETH', 10)
  await insertRows(store(), rowsOf(late, { from: 11, head: 60 }), 'hot')
  const scored = await score(RING)
  for (const one of RING) expect(flagsOf(scored.get(one)), one).toEqual(WASHED)
})

test('thousands of transfers of tokens without payment hide no ring', async () => {
  const noise = crowd('n', 25).flatMap((_, n) =>
    Array.from(
      { length: 12 },
      (_, time): Action => ({
        do: 'nft',
        from: at(RING[time % 3]!),
        to: at(RING[(time + 1) % 3]!),
        asset: at('noise'),
        id: BigInt(n),
      }),
    ),
  )
  await happened(apart(['boss']), from('boss', RING), rounds(RING, 3, 20), act('ring0', 'noise', 60, ...noise))
  const scored = await score(RING)
  for (const one of RING) expect(flagsOf(scored.get(one)), one).toEqual(WASHED)
})
