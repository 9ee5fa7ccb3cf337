import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flagsKit, flagsOf } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, insertRows, named, rowsOf, settle, type Tx } from '../../../../test/kit/world/transactions.ts'
import type { Verdict } from '../../../scoring/verdict.ts'
import { looksLike, sharedEnds } from './address-similarity.ts'

const LABELS = new URL('../../../../../shared/data/labels/poisoning_transfers.csv', import.meta.url)
const absent = !existsSync(LABELS)

test.skipIf(absent)(
  `97 % of the labelled pairs look alike${absent ? ' (skipped: no labelled transfers at hand)' : ''}`,
  () => {
    const [header = '', ...lines] = readFileSync(LABELS, 'utf8').trim().split('\n')
    const columns = header.split(',')
    const of = (line: string, name: string): string => line.split(',')[columns.indexOf(name)] ?? ''
    const found = lines.filter((line) => looksLike('ETH', of(line, 'attacker'), of(line, 'similar_norm')))
    expect(lines.length).toBeGreaterThan(50)
    expect(found.length / lines.length).toBeGreaterThanOrEqual(0.97)
    // No address of this file resembles an address of another case.
    const strangers = lines.flatMap((line, index) =>
      lines
        .filter((_, other) => other !== index)
        .filter((other) => looksLike('ETH', of(line, 'attacker'), of(other, 'victim'))),
    )
    expect(strangers).toEqual([])
  },
)

test('similarity counts both ends, without vanity runs and family prefixes', () => {
  const at = (head: string, tail: string) => `0x${head.padEnd(40 - tail.length, '5')}${tail}`
  const like = (a: [string, string], b: [string, string]) => looksLike('ETH', at(a[0], a[1]), at(b[0], b[1]))
  expect(like(['abc1', '2345'], ['abcd', '1345'])).toBe(false)
  expect(like(['abc1', '2345'], ['abcd', '2345'])).toBe(true)
  expect(like(['1bc1', '7654321'], ['abcd', '7654321'])).toBe(true)
  expect(like(['00000000aaaa', '12'], ['00000000bbbb', '13'])).toBe(false)
  expect(looksLike('ETH', at('abc', 'def1'), at('abc', 'def1'))).toBe(false)
  expect(sharedEnds('TRON', 'TXabc111111111111111111111111111zQ', 'TXabd222222222222222222222222222zQ')).toBe(5)
  expect(looksLike('TON', `0:${'a'.repeat(64)}`, `0:${'a'.repeat(60)}bbbb`)).toBe(false)
})

const { store, score: scoreNamed } = flagsKit()

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const FAKE = named('fake-usdc')
const DOLLAR = 10n ** 6n

/** An address with the given first and last digits. */
const ends = (head: string, middle: string, tail: string): string =>
  `0x${head}${Buffer.from(middle).toString('hex')}`.padEnd(42 - tail.length, '7') + tail

const token = (by: string, from: string, to: string, block: number, amount: bigint, asset = USDC): Tx => ({
  from: by,
  to: asset,
  block,
  call: true,
  actions: [{ do: 'token', from, to, asset, amount }],
})
const act = (from: string, to: string, block: number, ...actions: Action[]): Tx => ({
  from,
  to,
  block,
  call: true,
  actions,
})

const score = async (...addresses: string[]): Promise<Verdict[]> => [...(await scoreNamed(addresses)).values()]
const POISON = { phishing_activities: '1', data_source: 'address-poisoning' }

const victims = ['v1', 'v2', 'v3'].map(named)
const friends = ['f1', 'f2', 'f3'].map((name, n) => ends(`ab${n}`, name, 'cd12'))
const fakes = ['x1', 'x2', 'x3'].map((name, n) => ends(`ab${n}`, name, 'cd12'))
const sender = named('sender')
const batcher = named('batcher')
const paid = (n: number): Tx => token(victims[n]!, victims[n]!, friends[n]!, 5 + n, 500n * DOLLAR)

test('zero-value poisoning convicts look-alikes and their senders; victims and their friends stay clear', async () => {
  await insertRows(
    store(),
    rowsOf([
      ...victims.map((_, n) => paid(n)),
      act(sender, '', 8, { do: 'create', contract: batcher }),
      act(
        sender,
        batcher,
        9,
        ...victims.map((v, n): Action => ({ do: 'token', from: v, to: fakes[n]!, asset: USDC, amount: 0n })),
      ),
      // One victim falls for it; later its friend returns a small amount.
      token(victims[0]!, victims[0]!, fakes[0]!, 20, 900n * DOLLAR),
      token(friends[0]!, friends[0]!, victims[0]!, 30, 2n * DOLLAR),
    ]),
  )
  const [bySender, ...others] = await score(sender, ...fakes, ...victims, ...friends)
  expect(flagsOf(bySender!)).toEqual(POISON)
  expect(bySender!.reasons[0]).toMatchObject({
    code: 'PHISHING_ACTIVITIES',
    evidence: {
      role: 'sender',
      confidence: 0.97,
      victims: 3,
      pairs: [
        { mode: 'zero', lookalike: fakes[0], imitated: friends[0], victim: victims[0], transaction: '0x9-0' },
        {},
        {},
      ],
    },
  })
  for (const fake of others.slice(0, 3)) expect(flagsOf(fake), fake.address).toEqual(POISON)
  for (const honest of others.slice(3)) expect(flagsOf(honest), honest.address).toEqual({})
})

test('dust and counterfeits poison too, also above the watermark; the maker of the counterfeit is convicted', async () => {
  await insertRows(
    store(),
    rowsOf([
      ...victims.map((_, n) => paid(n)),
      act(
        sender,
        '',
        8,
        { do: 'create', contract: FAKE },
        { do: 'token-name', token: FAKE, symbol: 'USDС', name: 'USD Coin' },
      ),
    ]),
  )
  await settle(store(), 'ETH', 8)
  await insertRows(
    store(),
    rowsOf(
      [
        token(fakes[0]!, fakes[0]!, victims[0]!, 9, DOLLAR / 100n),
        act(sender, batcher, 10, { do: 'token', from: victims[1]!, to: fakes[1]!, asset: FAKE, amount: 500n * DOLLAR }),
        { from: fakes[2]!, to: victims[2]!, value: 10n ** 12n, block: 11 },
      ],
      { from: 9 },
    ),
    'hot',
  )
  const [one, two, three, ...honest] = await score(...fakes, ...victims, ...friends)
  expect(one!.reasons[0]).toMatchObject({
    evidence: { role: 'lookalike', pairs: [{ mode: 'dust', amount: { amount: '0.01', unit: 'USDC', usd: '0.01' } }] },
  })
  expect(two!.reasons[0]).toMatchObject({
    evidence: { pairs: [{ mode: 'counterfeit', asset: FAKE, imitated: friends[1] }] },
  })
  expect(three!.reasons[0]).toMatchObject({ evidence: { pairs: [{ mode: 'dust', asset: '', victim: victims[2] }] } })
  for (const scored of [one, two, three]) expect(flagsOf(scored!)).toEqual(POISON)
  for (const scored of honest) expect(flagsOf(scored), scored.address).toEqual({})
})

test('the maker of a counterfeit that carries look-alikes is convicted', async () => {
  await insertRows(
    store(),
    rowsOf([
      paid(0),
      act(
        sender,
        '',
        8,
        { do: 'create', contract: FAKE },
        { do: 'token-name', token: FAKE, symbol: 'USDC', name: 'USD Coin' },
      ),
      act(named('runner'), batcher, 10, {
        do: 'token',
        from: victims[0]!,
        to: fakes[0]!,
        asset: FAKE,
        amount: 500n * DOLLAR,
      }),
    ]),
  )
  const [maker] = await score(sender)
  expect(flagsOf(maker!)).toMatchObject({ phishing_activities: '1' })
  expect(maker!.reasons.map((reason) => reason.evidence)).toContainEqual(
    expect.objectContaining({ role: 'token-maker', pairs: [expect.objectContaining({ imitated: friends[0] })] }),
  )
})

const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f'
const begin = (by: string, whom: string, block: number, asset = USDC): Tx[] => [
  { from: by, to: whom, value: 3n * 10n ** 15n, block },
  token(by, by, whom, block + 1, asset === DAI ? 10n ** 14n : 100n, asset),
]

test('dust of a coin with 18 decimals poisons too, and a supplier of several look-alikes with coins and dust is convicted', async () => {
  await insertRows(
    store(),
    rowsOf([
      ...victims.map((_, n) => paid(n)),
      ...fakes.flatMap((fake, n) => begin(sender, fake, 20 + n * 5, n === 0 ? DAI : USDC)),
      token(fakes[0]!, fakes[0]!, victims[0]!, 40, 10n ** 14n, DAI),
      ...[1, 2].map((n) => token(fakes[n]!, fakes[n]!, victims[n]!, 40 + n, 100n)),
    ]),
  )
  const [bySender, ...others] = await score(sender, ...fakes, ...victims, ...friends)
  expect(flagsOf(bySender!)).toEqual(POISON)
  expect(bySender!.reasons[0]).toMatchObject({
    evidence: { role: 'supplier', victims: 3, pairs: [{ mode: 'dust', lookalike: fakes[0], asset: DAI }, {}, {}] },
  })
  for (const fake of others.slice(0, 3)) expect(flagsOf(fake), fake.address).toEqual(POISON)
  for (const honest of others.slice(3)) expect(flagsOf(honest), honest.address).toEqual({})
})

test('services that welcome users, helpers of friends, and payers of existing accounts are no suppliers', async () => {
  const [welcomer, helper, payer] = ['welcomer', 'helper', 'payer'].map(named) as [string, string, string]
  const [first, second] = ['y1', 'y2'].map((name, n) => ends(`ab${n}`, name, 'cd12')) as [string, string]
  await insertRows(
    store(),
    rowsOf([
      ...victims.map((_, n) => paid(n)),
      // Coins and a few cents for everybody: two of the five receivers are poisoners.
      ...[fakes[0]!, fakes[1]!, named('u1'), named('u2'), named('u3')].flatMap((user, n) =>
        begin(welcomer, user, 20 + 3 * n),
      ),
      // One look-alike, and one ordinary account.
      ...[fakes[2]!, named('daughter')].flatMap((whom, n) => begin(helper, whom, 20 + 3 * n)),
      // Cents for two look-alikes that somebody else funded first.
      ...[first, second].flatMap((whom, n): Tx[] => [
        { from: named('exchange'), to: whom, value: 10n ** 16n, block: 10 + n },
        ...begin(payer, whom, 20 + 3 * n),
      ]),
      ...[...fakes, first, second].map((fake, n) => token(fake, fake, victims[n % 3]!, 40 + n, 100n)),
    ]),
  )
  const [bad, ...honest] = await score(fakes[0]!, welcomer, helper, payer, named('exchange'))
  expect(flagsOf(bad!)).toEqual(POISON)
  for (const scored of honest) expect(flagsOf(scored), scored.address).toEqual({})
})

test('faucets, vanity pairs, refunds, relayed dust and two addresses of one owner are no poisoning', async () => {
  const faucet = named('faucet')
  const vanity = ends('00000000', 'mine', '11')
  const oldVanity = ends('00000000', 'olds', '22')
  const second = ends('ab1', 'second', 'cd12')
  const refunder = ends('ab2', 'refund', 'cd12')
  const relayer = named('relayer')
  await insertRows(
    store(),
    rowsOf([
      ...victims.map((_, n) => paid(n)),
      // Dust to everyone.
      ...victims.map((v, n) => token(faucet, faucet, v, 30 + n, DOLLAR / 10n)),
      // Two vanity addresses with the same run of zeros.
      token(victims[0]!, victims[0]!, oldVanity, 6, 50n * DOLLAR),
      token(vanity, vanity, victims[0]!, 40, DOLLAR),
      // A friend's other address, paid by the friend, sends dust.
      token(friends[1]!, friends[1]!, second, 41, 100n * DOLLAR),
      token(second, second, victims[1]!, 42, DOLLAR),
      // A look-alike of a friend that paid the victim real money before.
      token(refunder, refunder, victims[2]!, 3, 70n * DOLLAR),
      token(refunder, refunder, victims[2]!, 43, DOLLAR),
      // A relayer carries a gasless payment of a few dollars.
      act(relayer, USDC, 44, { do: 'token', from: named('ann'), to: victims[0]!, asset: USDC, amount: 3n * DOLLAR }),
    ]),
  )
  for (const scored of await score(
    faucet,
    vanity,
    oldVanity,
    second,
    refunder,
    relayer,
    named('ann'),
    ...victims,
    ...friends,
  ))
    expect(flagsOf(scored), scored.address).toEqual({})
})
