import { expect, test } from 'vitest'
import {
  act,
  crowd,
  ETH,
  evidenceOf,
  flagsKit,
  flagsOf,
  life,
  MILLION,
  move,
  pay,
  token,
  USDC,
  WETH,
  wrap,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, score } = flagsKit()

/** Gas arrives and the token leaves, within one block each. */
const swept = (name: string, sink: string, block: number): Tx[] => [
  pay(sink, name, block, ETH / 1000n),
  token(name, block + 1, move(name, sink, MILLION)),
]
const spent = (name: string, block: number): Tx[] => [pay(name, `end-${name}`, block, (ETH * 8n) / 10n)]

const DAY = 144
const POOL = '0x910cbd523d972eb0a6f4cae4618ad62622b39dbf'
const SMALL_POOL = '0x12d66f87a04a9e220743712ce6d9bb1b5616b8fc'
const mixes = (who: string, block: number): Tx => ({
  ...pay(who, 'router', block, ETH),
  actions: [{ do: 'authority', authority: POOL, event: 'mixer_deposit', subject: named(who) }],
})
const unmixes = (who: string, block: number): Tx => ({
  ...act('relayer', 'router', block, {
    do: 'authority',
    authority: SMALL_POOL,
    event: 'mixer_withdraw',
    subject: named(who),
  }),
  actions: [
    { do: 'internal', from: SMALL_POOL, to: named(who), amount: ETH },
    { do: 'authority', authority: SMALL_POOL, event: 'mixer_withdraw', subject: named(who) },
  ],
})
/** Accounts with ordinary activity, created days apart, of unrelated people. */
const strangers = (prefix: string, count = 5, apart = DAY) => {
  const names = crowd(prefix, count)
  return { names, lives: names.flatMap((name, n) => [...life(name, 1 + n * apart), ...spent(name, 900)]) }
}

test('unrelated accounts emptied into one address that paid their gas convict it if it uses a mixer', async () => {
  const [one, two, late] = [strangers('v'), strangers('w'), strangers('l')]
  await happened(
    [one, two, late].flatMap(({ lives }) => lives),
    pay('pump', 'robber', 1999),
    one.names.flatMap((v) => swept(v, 'robber', 2000)),
    mixes('robber', 2100),
    unmixes('hidden', 1990),
    two.names.flatMap((v) => swept(v, 'hidden', 2000)),
    // It used a mixer a year later, which is unrelated.
    pay('pump', 'mover', 1999),
    late.names.flatMap((v) => swept(v, 'mover', 2000)),
    mixes('mover', 2000 + 365 * DAY),
  )
  const scored = await score(['robber', 'hidden', 'mover', ...one.names, ...two.names])
  expect(flagsOf(scored.get('robber'))).toEqual({ stealing_attack: '1', data_source: 'key-sweep' })
  expect(scored.get('robber')!.reasons.find(({ code }) => code === 'STEALING_ATTACK')!.evidence).toMatchObject({
    victims: 5,
    mixed: ['0x834-0'],
    accounts: expect.arrayContaining([
      expect.objectContaining({
        account: named('v0'),
        assets: [USDC],
        transactions: [expect.stringMatching(/^0x7d1-/)],
      }),
    ]),
  })
  expect(flagsOf(scored.get('hidden'))).toEqual({ stealing_attack: '1', data_source: 'key-sweep' })
  expect(flagsOf(scored.get('mover'))).toEqual({})
  for (const victim of [...one.names, ...two.names]) expect(flagsOf(scored.get(victim)), victim).toEqual({})
})

test('a custodian that moves used wallets of its users and pays the gas is only suspected', async () => {
  const users = strangers('u', 8)
  await happened(
    users.lives,
    pay('pump', 'vault', 1999),
    users.names.flatMap((u) => swept(u, 'vault', 2000)),
  )
  const vault = (await score(['vault'])).get('vault')
  expect(flagsOf(vault)).toEqual({})
  expect(vault!.probability).toBeLessThan(0.2)
  expect(vault!.reasons.find(({ code }) => code === 'ACCOUNTS_EMPTIED_TOGETHER')).toMatchObject({ contribution: 2 })
})

test('exchanges, gateways, owners and farmers of many wallets, and teams that keep something are not convicted, even with mixers', async () => {
  const deposits = crowd('e', 6)
  const mine = crowd('m', 6)
  const hoard = crowd('h', 6)
  const keepers = crowd('k', 6)
  const farm = strangers('f', 8, 1)
  const customers = strangers('c', 9)
  await happened(
    unmixes('farmer', 1),
    ['hot', 'me', 'hub', 'club', 'farmer', 'custody'].map((name) => mixes(name, 2100)),
    // Wallets made in series for airdrops, with activity as varied as a script can make it.
    farm.lives,
    farm.names.flatMap((f) => swept(f, 'farmer', 2000)),
    // Customers of a custodian with many more, whose first coins came from it.
    pay('pump', 'custody', 1999),
    crowd('other', 600).map((name) => pay('till', name, 0, 1n)),
    customers.names.flatMap((c, n) => (n < 5 ? [pay('till', c, n * DAY, ETH / 1000n)] : [])),
    customers.lives,
    customers.names.flatMap((c) => swept(c, 'custody', 2000)),
    pay('pump', 'hot', 1),
    pay('pump', 'me', 1),
    pay('pump', 'hub', 1),
    pay('pump', 'club', 1),
    // Deposit addresses, each paid by another customer.
    deposits.flatMap((e, n) => [token(`customer${n}`, 5, move(`customer${n}`, e, MILLION)), ...swept(e, 'hot', 2000)]),
    // Wallets of one owner: they share counterparties.
    mine.flatMap((m) => [
      token('bank-me', 5, move('bank-me', m, MILLION)),
      pay('card', m, 5, ETH),
      pay(m, 'app', 6, ETH / 2n),
      pay(m, 'game', 7, (ETH * 4n) / 10n),
      ...swept(m, 'me', 2000),
    ]),
    // Wallets with ordinary activity, all funded by one party.
    hoard.flatMap((h) => [pay('payroll', h, 1, ETH / 100n), ...life(h, 2), ...spent(h, 900), ...swept(h, 'hub', 2000)]),
    // Members who pay a part.
    keepers.flatMap((k) => [
      ...life(k, 1),
      ...spent(k, 900),
      pay('club', k, 2000, ETH / 1000n),
      token(k, 2001, move(k, 'club', MILLION / 2n)),
    ]),
  )
  const names = ['hot', 'me', 'hub', 'club', 'farmer', 'custody', ...deposits]
  const scored = await score(names)
  for (const name of names) expect(flagsOf(scored.get(name)).stealing_attack, name).toBeUndefined()
})

test('a faucet, a payroll and a provider of new wallets that use mixers, and an owner who leaves leaked keys, are not convicted', async () => {
  const [users, staff, movers, own] = [strangers('u', 6), strangers('s', 6), strangers('m', 6), strangers('o', 6)]
  await happened(
    [users, staff, movers, own].flatMap(({ lives }) => lives),
    ['faucet', 'boss', 'provider', 'refuge'].map((name) => pay('pump', name, 1_999)),
    ['faucet', 'boss', 'provider'].map((name) => mixes(name, 2_100)),
    // Coins for a trial, which come back.
    users.names.flatMap((name) => [pay('faucet', name, 2_000, ETH / 100n), pay(name, 'faucet', 2_001, ETH / 100n)]),
    // Wages, of which some is paid for the canteen.
    staff.names.flatMap((name) => [
      pay('boss', name, 2_000, ETH),
      token(name, 2_001, move(name, 'boss', 50n * 10n ** 6n)),
    ]),
    // Gas, with which everybody moves to a wallet of his own.
    movers.names.flatMap((name) => [
      pay('provider', name, 2_000, ETH / 1_000n),
      token(name, 2_001, move(name, `new ${name}`, MILLION)),
      pay(name, 'provider', 2_001, ETH / 10_000n),
    ]),
    own.names.flatMap((name) => swept(name, 'refuge', 2_000)),
  )
  const scored = await score(['faucet', 'boss', 'provider', 'refuge'])
  for (const [name, verdict] of scored) {
    expect(flagsOf(verdict).stealing_attack, name).toBeUndefined()
    expect(verdict.probability, name).toBeLessThan(0.5)
  }
})

test('wrapped coins of the accounts must be gone too', async () => {
  const [robbed, left] = [strangers('v'), strangers('w')]
  const wrapped = (names: readonly string[]): Tx[] => names.map((name) => wrap(name, 901, ETH / 20n))
  await happened(
    [robbed, left].flatMap(({ lives, names }) => [...lives, ...wrapped(names)]),
    ['robber', 'mover'].flatMap((who) => [pay('pump', who, 1999), mixes(who, 2100)]),
    robbed.names.flatMap((v) => [
      pay('robber', v, 2000, ETH / 1000n),
      act(v, WETH, 2001, move(v, 'robber', ETH / 20n, WETH)),
      token(v, 2001, move(v, 'robber', MILLION)),
    ]),
    left.names.flatMap((w) => swept(w, 'mover', 2000)),
  )
  const scored = await score(['robber', 'mover'])
  expect(evidenceOf(scored.get('robber'), 'STEALING_ATTACK')).toMatchObject({
    accounts: expect.arrayContaining([expect.objectContaining({ assets: expect.arrayContaining([WETH]) })]),
  })
  expect(flagsOf(scored.get('mover'))).toEqual({})
})

test('strangers clear no thief: zero transfers before and after, dust for his victims, and thousands named in his history', async () => {
  const robbed = strangers('v')
  const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f'
  const lies = crowd('n', 5_001).map((name) => move(name, 'robber', 1n, 'lie'))
  await happened(
    robbed.lives,
    // Before the theft: they are named together, and receive cents that the thief leaves.
    token('stranger', 950, ...robbed.names.map((v) => move(v, 'robber', 0n))),
    act('stranger', DAI, 951, ...robbed.names.map((v) => move('stranger', v, ETH, DAI))),
    pay('pump', 'robber', 1999),
    robbed.names.flatMap((v) => swept(v, 'robber', 2000)),
    mixes('robber', 2100),
    // After the theft: again, and in the events of a token that anybody can make.
    token('stranger', 3000, ...robbed.names.map((v) => move('robber', v, 0n))),
    act('liar', '', 3000, { do: 'create', contract: named('lie') }),
    act('liar', 'lie', 3001, ...lies, ...robbed.names.map((v) => move(v, 'robber', ETH, 'lie'))),
  )
  const scored = await score(['robber', ...robbed.names])
  expect(flagsOf(scored.get('robber'))).toEqual({ stealing_attack: '1', data_source: 'key-sweep' })
  for (const victim of robbed.names) expect(flagsOf(scored.get(victim)), victim).toEqual({})
})

test("a thief's own emptied accounts clear him of nothing: earlier and more, among his victims, or as payers of their payees", async () => {
  const thieves = ['decoyed', 'drowned', 'joined', 'copied'] as const
  const robbed = new Map(thieves.map((thief) => [thief, strangers(`${thief}-v`)]))
  const puppets = (thief: string, count: number, block: number): Tx[] =>
    crowd(`${thief}-p`, count).flatMap((name) => [pay(`${thief}-f`, name, 1, ETH), ...swept(name, thief, block)])
  const [payees] = [robbed.get('copied')!.names.flatMap((v) => [`pal-${v}`, `shop-${v}`, `end-${v}`])]
  await happened(
    [...robbed.values()].flatMap(({ lives }) => lives),
    thieves.map((thief) => pay('pump', thief, 1799)),
    thieves.flatMap((thief) => robbed.get(thief)!.names.flatMap((v) => swept(v, thief, 2000))),
    thieves.map((thief) => mixes(thief, 2100)),
    puppets('decoyed', 10, 1800),
    crowd('drowned-p', 220).flatMap((name) => [
      pay('drowned', name, 1800, ETH / 1_000n),
      pay(name, 'drowned', 1800, 1n),
    ]),
    puppets('joined', 10, 2000),
    puppets('copied', 3, 2000),
    crowd('copied-p', 3).flatMap((name) => payees.map((payee) => pay(name, payee, 500, 1n))),
  )
  const scored = await score([...thieves, ...[...robbed.values()].flatMap(({ names }) => names)])
  for (const thief of thieves)
    expect.soft(flagsOf(scored.get(thief)), thief).toEqual({ stealing_attack: '1', data_source: 'key-sweep' })
  for (const { names } of robbed.values()) for (const v of names) expect(flagsOf(scored.get(v)), v).toEqual({})
})
