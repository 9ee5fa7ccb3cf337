/** Honest businesses that take a wallet's whole balance: none of them is theft. */
import { expect, test } from 'vitest'
import { DEX_ROUTERS } from '../../../../schema/registry/contracts.ts'
import {
  act,
  acts,
  approve,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  life,
  MILLION,
  move,
  pay,
  token,
  USDC,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, score } = flagsKit()
const ZERO = `0x${'0'.repeat(40)}`
const grants = (owner: string, spender: string, asset = USDC): Action => ({
  do: 'approve',
  owner: named(owner),
  spender: named(spender),
  asset,
  amount: 2n ** 255n,
})
const paid = (who: string, block: number, amount = MILLION): Tx =>
  token(`payer-${who}`, block, move(`payer-${who}`, who, amount))

test('exchanges and gateways that empty deposit addresses by permit or gas station are not convicted', async () => {
  await happened(
    // Signed off chain and submitted by a relayer: the addresses never hold coins.
    crowd('p', 5).flatMap((p, n) => [
      paid(p, 1 + n),
      token('relayer', 10 + n, grants(p, 'relayer'), move(p, 'vaulted', MILLION)),
    ]),
    // Gas comes from a gas station, or with the first deposit; the approval is all that they ever sign.
    crowd('g', 5).flatMap((g, n) => [
      n % 2 ? pay('station', g, 1 + n, ETH / 100n) : pay(`user${n}`, g, 1 + n, ETH),
      paid(g, 10 + n),
      token(g, 20 + n, grants(g, 'collector')),
      token('collector', 30 + n, move(g, 'hot', MILLION)),
    ]),
    // Addresses swept of coins before paid the hot wallet of that time, all the same one.
    crowd('h', 5).flatMap((h, n) => [
      pay(`user${n}`, h, 1 + n, ETH),
      pay(h, 'oldhot', 5 + n, (ETH * 9n) / 10n),
      paid(h, 10 + n),
      token(h, 20 + n, grants(h, 'gather')),
      pay('gather', h, 25 + n, ETH / 1000n),
      pay('gather', h, 26 + n, ETH / 1000n),
      token('gather', 30 + n, move(h, 'hot', MILLION)),
    ]),
  )
  await clean('relayer', 'vaulted', 'collector', 'station', 'hot', 'gather', 'oldhot')
})

test('movements of smart accounts whose wrapped coins came without an event are not forged', async () => {
  const accounts = crowd('a', 6)
  await happened(
    act(
      'wrapper',
      '',
      1,
      { do: 'create', contract: named('wcoin') },
      { do: 'token-name', token: named('wcoin'), symbol: 'WXYZ', name: 'Wrapped Xyz' },
    ),
    accounts.flatMap((account, n) => [
      act('bundler', 'factory', 2, { do: 'create', contract: named(account) }),
      act('bundler', 'entry', 10 + n, move(account, 'pair', 100n, named('wcoin'))),
    ]),
  )
  await clean('wrapper', 'wcoin')
})

test('an owner who gathers tokens or mints of wallets that he created in series is not convicted', async () => {
  const clients = crowd('client', 600).map((name) => pay('exchange', name, 0, ETH / 100n))
  const [ROUTER = ''] = DEX_ROUTERS.ETH.keys()
  // Each trades on an exchange that everybody uses, as people do.
  const trades = (name: string, block: number): Tx => ({
    ...{ ...pay(name, ROUTER, block, ETH / 20n), call: true },
    actions: [move('pool', name, MILLION)],
  })
  const made = (name: string, block: number): Tx[] => [
    pay('exchange', name, block, ETH / 10n),
    trades(name, block + 12),
  ]
  const [farm, mint, robbed] = [crowd('f', 12), crowd('m', 12), crowd('v', 6)]
  const [slow, decoys] = [crowd('s', 6), crowd('d', 2)]
  await happened(
    clients,
    ['farmer', 'minter', 'robber', 'gardener'].map((name) => pay('exchange', name, 9, ETH)),
    [...farm, ...mint].flatMap((name, n) => made(name, 10 + n)),
    // Permits that the main wallet carries.
    token('farmer', 1300, ...farm.flatMap((f) => [grants(f, 'farmer'), move(f, 'farmer', MILLION)])),
    act('artist', '', 40, { do: 'create', contract: named('art') }),
    mint.flatMap((m, n) => [
      act(m, 'art', 41, { do: 'nft', from: ZERO, to: named(m), asset: named('art'), id: BigInt(n) }),
      act(m, 'art', 50, { ...grants(m, 'minter', named('art')), kind: 'all' } as Action),
    ]),
    act(
      'minter',
      'art',
      60,
      ...mint.map(
        (m, n): Action => ({
          ...{ do: 'nft', from: named(m), to: named('minter') },
          ...{ asset: named('art'), id: BigInt(n) },
        }),
      ),
    ),
    // One wallet a day, each of which does nothing but trade.
    slow.flatMap((s, n) => made(s, 20 + 150 * n)),
    token('gardener', 1300, ...slow.flatMap((s) => [grants(s, 'gardener'), move(s, 'gardener', MILLION)])),
    // Customers of the same exchange on six days, one of whom has a friend.
    robbed.flatMap((v, n) => made(v, 20 + 150 * n)),
    pay('v0', 'friend', 60, ETH / 100n),
    // The thief's own accounts, which pay that friend as well, hide nothing while they are fewer than those he robs.
    decoys.flatMap((d, n) => [...made(d, 25 + 150 * n), pay(d, 'friend', 400, 1n)]),
    token('robber', 1300, ...[...robbed, ...decoys].flatMap((v) => [grants(v, 'robber'), move(v, 'robber', MILLION)])),
  )
  await clean('farmer', 'minter', 'gardener')
  expect(flagsOf((await score(['robber'])).get('robber'))).toMatchObject({ stealing_attack: '1' })
})

test("a keeper that moves holdings of its own protocol's vaults is not convicted", async () => {
  await happened(
    act('protocol', '', 1, { do: 'create', contract: named('allocator') }),
    crowd('vault', 3).flatMap((vault, n) => [
      act('protocol', '', 2, { do: 'create', contract: named(vault) }),
      act('protocol', vault, 3, grants(vault, 'allocator')),
      paid(vault, 4 + n),
      act('keeper', 'allocator', 10 + n, move(vault, 'allocator', MILLION), move('allocator', 'lender', MILLION)),
    ]),
  )
  await clean('protocol', 'allocator', 'keeper', 'vault0')
})

test('a bridge that takes deposits by permit, keeps them and later pays many is not convicted', async () => {
  const users = crowd('u', 5)
  await happened(
    act('builder', '', 1, { do: 'create', contract: named('bridge') }),
    users.flatMap((u, n) => [
      ...life(u, 2),
      act('validator', 'bridge', 20 + n, grants(u, 'bridge'), move(u, 'bridge', MILLION)),
    ]),
    crowd('w', 12).map((w, n) => act('validator', 'bridge', 40 + n, move('bridge', w, MILLION / 4n))),
  )
  await clean('builder', 'bridge', 'validator')
})

test('a migration that burns approved tokens and a desk that pays the next day are not convicted', async () => {
  const holders = crowd('m', 4)
  const sellers = crowd('s', 4)
  await happened(
    act('team', '', 1, { do: 'create', contract: named('migrator') }),
    holders.flatMap((m, n) => [
      ...acts(m, 2),
      act('mint', 'old', 3, move('mint', m, 500n, 'old')),
      approve(m, 'migrator', 10 + n, 'old'),
      act('team', 'migrator', 20 + n, move(m, ZERO, 500n, 'old')),
    ]),
    sellers.flatMap((s, n) => [
      ...life(s, 2),
      approve(s, 'desk', 10 + n),
      token('desk', 20 + n, move(s, 'desk', MILLION)),
      pay('desk', s, 160 + n, 400n * ETH),
    ]),
  )
  await clean('team', 'migrator', 'desk')
})

test('payers by approval who hold no more than the price do not make a drainer', async () => {
  const customers = crowd('c', 12)
  await happened(
    customers.flatMap((c, n) => [
      ...acts(c, 2),
      paid(c, 4, n < 4 ? 50n : 5_000n),
      approve(c, 'biller', 10 + n),
      token('biller', 30 + n, move(c, 'merchant', 50n)),
    ]),
    // The same, shared between a shop and its platform.
    crowd('k', 12).flatMap((k, n) => [
      ...acts(k, 2),
      paid(k, 4, n < 4 ? MILLION : 9n * MILLION),
      token(
        'till',
        50 + n,
        grants(k, 'till'),
        move(k, 'platform', MILLION / 10n),
        move(k, `shop${n % 3}`, (MILLION * 9n) / 10n),
      ),
    ]),
  )
  await clean('biller', 'merchant', 'till', 'platform', 'shop0', 'shop1', 'shop2')
})
