import { expect, test } from 'vitest'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import { evidenceOf, flagsKit, flagsOf, NOW } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, type Tx, timeOf } from '../../../../test/kit/world/transactions.ts'

const kit = flagsKit()

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const TRX = 1_000_000n
const DOLLAR = 1_000_000n
const DAY = 144

const at = (name: string): string => (name === USDT ? USDT : tronFromEvm(named(name)))
const pay = (from: string, to: string, block: number, value = 20n * TRX): Tx => ({
  from: at(from),
  to: at(to),
  block,
  value,
})
const act = (from: string, to: string, block: number, ...actions: Action[]): Tx => ({
  ...pay(from, to, block, 0n),
  call: true,
  actions,
})
const usdt = (from: string, to: string, block: number, amount: bigint): Tx =>
  act(from, USDT, block, { do: 'token', from: at(from), to: at(to), asset: USDT, amount })
/** A zero-value transfer between two others. */
const named0 = (by: string, from: string, to: string, block: number): Tx =>
  act(by, USDT, block, { do: 'token', from: at(from), to: at(to), asset: USDT, amount: 0n })
/** Events of the signer's own token that name an account and many others. */
const lies = (by: string, others: readonly string[], account: string, block: number): Tx =>
  act(
    by,
    'lie',
    block,
    ...others.map((name): Action => ({ do: 'token', from: at(name), to: at(account), asset: at('lie'), amount: 1n })),
  )
/** An update of the permissions of an account: its owner keys with their weights, and its active ones. */
const update = (
  account: string,
  block: number,
  owners: Record<string, number>,
  threshold = 1,
  active: Record<string, number> = owners,
): Tx => ({
  ...act(
    account,
    account,
    block,
    ...[
      { event: 'owner_change', kind: 'owner', keys: owners } as const,
      { event: 'role_grant', kind: 'active', keys: active } as const,
    ].flatMap(({ event, kind, keys }) =>
      Object.entries(keys).map(
        ([key, weight]): Action => ({
          do: 'authority',
          authority: at(account),
          event,
          subject: at(key),
          detail: `${kind} ${weight}/${threshold}`,
        }),
      ),
    ),
  ),
  fee: 100n * TRX,
})
/** Gets coins and dollars from parties of its own, and pays people. */
const life = (name: string, block: number, dollars = 3_000n): Tx[] => [
  pay(`pal-${name}`, name, block, 500n * TRX),
  usdt(`bank-${name}`, name, block + 1, dollars * DOLLAR),
  pay(name, `shop-${name}`, block + 2),
  pay(name, `club-${name}`, block + 3),
]
const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const lives = (who: readonly string[], apart = DAY): Tx[] => who.flatMap((name, n) => life(name, 1 + n * apart))

/** The thief sends what the update costs, makes itself the only owner, and takes the dollars. */
const robbed = (account: string, thief: string, block: number, dollars = 3_000n): Tx[] => [
  pay(thief, account, block, 100n * TRX),
  update(account, block + 1, { [thief]: 1 }),
  usdt(account, thief, block + 2, dollars * DOLLAR),
]

const happened = (...txs: (Tx | Tx[])[]) => insertRows(kit.store(), rowsOf(txs.flat(), { network: 'TRON' }))
const score = async (who: readonly string[]) => {
  const scored = await kit.judge().rescore('TRON', who.map(at), NOW)
  return new Map(who.map((name, n) => [name, scored[n]!]))
}

const LATER = 20 * DAY

test('a stranger who becomes the only owner of accounts and takes their assets is a thief; its victims are not', async () => {
  const victims = names('v', 3)
  await happened(
    lives(victims),
    // Strangers name the thief and its victims together long before, and in thousands afterwards.
    victims.flatMap((v) => [usdt('stranger', 'thief', 5 * DAY, 1n), named0('stranger', v, 'thief', 5 * DAY)]),
    pay('pump', 'thief', LATER - 1, 900n * TRX),
    victims.flatMap((v) => robbed(v, 'thief', LATER)),
    lies('liar', names('n', 5_001), 'thief', LATER + DAY),
  )
  const scored = await score(['thief', ...victims])
  expect(flagsOf(scored.get('thief'))).toEqual({ stealing_attack: '1', data_source: 'permission-takeover' })
  expect(evidenceOf(scored.get('thief'), 'STEALING_ATTACK')).toMatchObject({
    victims: 3,
    accounts: expect.arrayContaining([
      {
        account: at('v0'),
        time: timeOf(LATER + 1),
        update: `0x${(LATER + 1).toString(16)}-0`,
        emptiedAt: timeOf(LATER + 2),
        amounts: [expect.objectContaining({ amount: '3000', unit: 'USDT' })],
        transactions: [`0x${(LATER + 2).toString(16)}-0`],
      },
    ]),
  })
  for (const v of victims) expect(flagsOf(scored.get(v)), v).toEqual({})
})

const THEFT = 'nothing: this is a theft'
/** Cases that differ from a theft, each with its own accounts and one taker. */
const CASES: Record<string, (accounts: readonly string[], taker: string) => Tx[]> = {
  [THEFT]: (accounts, taker) => accounts.flatMap((v) => robbed(v, taker, LATER)),
  'two accounts are no proof': (accounts, taker) => accounts.slice(0, 2).flatMap((v) => robbed(v, taker, LATER)),
  'an owner moves its accounts to a key that they knew': (accounts, taker) => [
    ...accounts.map((v) => pay(v, taker, 10 * DAY)),
    ...accounts.flatMap((v) => robbed(v, taker, LATER)),
  ],
  'the account keeps a key': (accounts, taker) =>
    accounts.flatMap((v) =>
      robbed(v, taker, LATER).map((tx, n) => (n === 1 ? update(v, LATER + 1, { [v]: 1, [taker]: 1 }) : tx)),
    ),
  'one of two keys that are needed is that of the account': (accounts, taker) =>
    accounts.flatMap((v) =>
      robbed(v, taker, LATER).map((tx, n) => (n === 1 ? update(v, LATER + 1, { [v]: 1, [taker]: 1 }, 2) : tx)),
    ),
  'three signers of whom two are needed': (accounts, taker) =>
    accounts.flatMap((v) =>
      robbed(v, taker, LATER).map((tx, n) =>
        n === 1 ? update(v, LATER + 1, { [taker]: 1, [`b-${v}`]: 1, [`c-${v}`]: 1 }, 2) : tx,
      ),
    ),
  'two signers, each of whom may act alone': (accounts, taker) =>
    accounts.flatMap((v) => {
      const other = names(`z-${v}`, 50).find((name) => at(name) > at(taker)) ?? ''
      return robbed(v, taker, LATER).map((tx, n) => (n === 1 ? update(v, LATER + 1, { [taker]: 1, [other]: 1 }) : tx))
    }),
  'nothing leaves the accounts': (accounts, taker) => accounts.flatMap((v) => robbed(v, taker, LATER).slice(0, 2)),
  'what leaves goes to others': (accounts, taker) =>
    accounts.flatMap((v) => [...robbed(v, taker, LATER).slice(0, 2), usdt(v, `heir-${v}`, LATER + 2, 3_000n * DOLLAR)]),
  'a part leaves, as a fee': (accounts, taker) => accounts.flatMap((v) => robbed(v, taker, LATER, 300n)),
  'bought accounts, whose staked coins come free later': (accounts, taker) =>
    accounts.flatMap((v) => [
      usdt(v, `new-${v}`, LATER - 1, 3_000n * DOLLAR),
      ...robbed(v, taker, LATER).slice(0, 2),
      pay(`stake-${v}`, v, LATER - DAY, 5_000n * TRX),
      pay(v, taker, LATER + 15 * DAY, 5_440n * TRX),
    ]),
  'a desk that pays for what it took': (accounts, taker) => [
    ...accounts.flatMap((v) => robbed(v, taker, LATER)),
    ...accounts.map((v) => usdt(taker, v, LATER + 10 * DAY, 2_900n * DOLLAR)),
  ],
  'a framer hands accounts of his own to a wallet that did nothing': (accounts, taker) =>
    accounts.flatMap((v) => robbed(v, taker, LATER).slice(1)),
  'a framer whom the wallet paid keeps an active key, and hands over what is his': (accounts, taker) =>
    accounts.flatMap((v) =>
      robbed(v, taker, LATER).map((tx, n) => (n === 1 ? update(v, LATER + 1, { [taker]: 1 }, 1, { [v]: 1 }) : tx)),
    ),
  'a framer whom the wallet paid hands over what is his in the block of the update': (accounts, taker) =>
    accounts.flatMap((v) => {
      const [paid, updated, handed] = robbed(v, taker, LATER)
      return paid && updated && handed ? [paid, { ...handed, block: updated.block }, updated] : []
    }),
  'a framer whom the wallet paid has a spender of his hand over what is his': (accounts, taker) =>
    accounts.flatMap((v) => [
      ...robbed(v, taker, LATER).slice(0, 2),
      { ...usdt(v, taker, LATER + 2, 3_000n * DOLLAR), from: at(`spender-${v}`) },
    ]),
  trifles: (accounts, taker) => [
    ...accounts.map((v) => usdt(v, `rent-${v}`, LATER - 1, 2_950n * DOLLAR)),
    ...accounts.flatMap((v) => robbed(v, taker, LATER, 50n)),
  ],
}

test('owners, signers, buyers, desks and framed wallets are no thieves', async () => {
  const cases = Object.entries(CASES).map(([what, play], n) => ({
    what,
    play,
    accounts: names(`h${n}-`, 4),
    taker: `taker${n}`,
  }))
  const family = names('fam', 4)
  await happened(
    cases.flatMap(({ play, accounts, taker }) => [
      ...lives(accounts),
      pay('pump', taker, LATER - DAY, 2_000n * TRX),
      ...play(accounts, taker),
    ]),
    // One owner's accounts, all funded by one wallet of hers.
    family.map((one) => pay('mother', one, 0)),
    lives(family),
    pay('pump', 'ledger-key', LATER - 1, 900n * TRX),
    family.flatMap((one) => robbed(one, 'ledger-key', LATER)),
    // Accounts of a service, without activity of their own.
    names('dep', 4).flatMap((one) => [
      usdt(`cust-${one}`, one, 2, 3_000n * DOLLAR),
      pay(`pal-${one}`, one, 1),
      ...robbed(one, 'hot', LATER),
    ]),
    pay('pump', 'hot', LATER - 1, 900n * TRX),
  )
  const takers = [...cases.map(({ taker }) => taker), 'ledger-key', 'hot']
  const scored = await score(takers)
  const accused = takers.filter((taker) => Object.keys(flagsOf(scored.get(taker))).length > 0)
  expect(accused.map((taker) => cases.find((one) => one.taker === taker)?.what ?? taker)).toEqual([THEFT])
})

test('accounts made in series and owner changes of contracts are no takeovers', async () => {
  const [series, owned] = [names('s', 4), names('o', 4)]
  await happened(
    lives([...series], 1),
    lives(owned),
    ['maker', 'admin'].map((one) => pay('pump', one, LATER - 1, 900n * TRX)),
    series.flatMap((one) => robbed(one, 'maker', LATER)),
    // The OwnershipTransferred event of contracts names the previous owner.
    owned.flatMap((one) =>
      robbed(one, 'admin', LATER).map((tx, n) =>
        n === 1
          ? act(one, one, LATER + 1, {
              do: 'authority',
              authority: at(one),
              event: 'owner_change',
              subject: at('admin'),
              detail: at(one),
            })
          : tx,
      ),
    ),
  )
  const scored = await score(['maker', 'admin'])
  expect([...scored.values()].map(flagsOf)).toEqual([{}, {}])
})

test('a second update does not hide the first, and coins count like dollars', async () => {
  const victims = names('w', 3)
  await happened(
    lives(victims, 2 * DAY),
    pay('pump', 'thief2', LATER - 1, 900n * TRX),
    victims.flatMap((v) => [
      ...robbed(v, 'thief2', LATER).slice(0, 2),
      update(v, LATER + 1, { [`mule-${v}`]: 1 }),
      // All that is left after the updates: 500 + 100 - 20 - 20 - 200 TRX, with some reserve for the fee.
      pay(v, 'thief2', LATER + 3, 359n * TRX),
      usdt(v, 'thief2', LATER + 4, 3_000n * DOLLAR),
    ]),
  )
  const scored = await score(['thief2'])
  expect(flagsOf(scored.get('thief2'))).toEqual({ stealing_attack: '1', data_source: 'permission-takeover' })
})
