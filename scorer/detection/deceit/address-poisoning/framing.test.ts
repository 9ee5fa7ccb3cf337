/** What others do to, around or in the name of a wallet makes no criminal of an honest one, and clears no guilty one. */
import { expect, test } from 'vitest'
import { act, crowd, flagsKit, flagsOf, life, move, pay, token } from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, verdicts } = flagsKit()
const DOLLAR = 10n ** 6n
/** An address with given ends. */
const ends = (head: string, middle: string, tail: string): string =>
  `0x${head}${Buffer.from(middle).toString('hex')}`.padEnd(42 - tail.length, '7') + tail

test('whose look is ground after it was there, and then paid, is no look-alike', async () => {
  const honest = ends('ab1', 'honest', 'cd12')
  const ground = ends('ab1', 'ground', 'cd12')
  await happened(
    token('bank', 1, move('bank', honest, 900n * DOLLAR)),
    token('bank', 2, move('bank', 'puppet', 900n * DOLLAR)),
    // The framer pays an address made to look like it, then puts it into the history of his puppet.
    token('puppet', 10, move('puppet', ground, 100n * DOLLAR)),
    ...crowd('x', 3).map((_, n) => token('framer', 11 + n, move(honest, 'puppet', 0n))),
    token('puppet', 20, move('puppet', ground, 100n * DOLLAR)),
    // And buys a coffee from it later.
    token(honest, 30, move(honest, 'puppet', 3n * DOLLAR)),
  )
  await clean(honest)
})

test('who calls a contract of somebody else that poisons on the way is no poisoner', async () => {
  const friend = ends('ab1', 'friend', 'cd12')
  const fake = ends('ab1', 'fake', 'cd12')
  await happened(
    token('bank', 1, move('bank', 'victim', 900n * DOLLAR)),
    token('victim', 2, move('victim', friend, 500n * DOLLAR)),
    act('poisoner', '', 3, { do: 'create', contract: named('mint') }),
    life('minter', 4),
    act('minter', 'mint', 10, move('victim', fake, 0n), {
      do: 'nft',
      from: '0x0000000000000000000000000000000000000000',
      to: named('minter'),
      asset: named('art'),
      id: 1n,
    }),
  )
  await clean('minter')
})

test('what strangers sign clears no look-alike: transfers of nothing, lying tokens and dust in its name and its victim\u2019s', async () => {
  const friend = ends('ab1', 'friend', 'cd12')
  const fake = ends('ab1', 'fake', 'cd12')
  const known = ends('ab1', 'known', 'cd12')
  const lies = (block: number, from: string, to: string) =>
    act('liar', 'lie', block, ...crowd('n', 30).map((_, n) => move(from, to, BigInt(n + 1), 'lie')))
  await happened(
    pay('early', friend, 1),
    token('bank', 1, move('bank', 'victim', 900n * DOLLAR)),
    // Before: strangers put the look-alike into the victim's history.
    act('liar', '', 2, { do: 'create', contract: named('lie') }),
    token('stranger', 3, move('victim', fake, 0n), move(fake, 'victim', 0n)),
    token('victim', 10, move('victim', friend, 500n * DOLLAR)),
    lies(13, 'victim', fake),
    lies(14, fake, 'victim'),
    // The poison.
    token(fake, 20, move(fake, 'victim', DOLLAR / 100n)),
    // After: they name it in as many movements as they like.
    ...crowd('x', 5).map((name, n) => token('stranger', 30 + n, move(name, fake, 0n), move(fake, name, 0n))),
    ...crowd('y', 9).map((name, n) => lies(40 + n, fake, name)),
    ...crowd('z', 9).map((name, n) => lies(50 + n, name, fake)),
    // Of somebody that the victim was paid by before, and that then sends cents, none of it makes a look-alike.
    token(known, 5, move(known, 'victim', 70n * DOLLAR)),
    token(known, 25, move(known, 'victim', DOLLAR / 2n)),
  )
  const [guilty] = await verdicts(fake)
  expect(flagsOf(guilty)).toEqual({ phishing_activities: '1', data_source: 'address-poisoning' })
  await clean('victim', friend, known)
})

test('a look-alike that was ground before its victim first paid an old address is one', async () => {
  const shop = ends('ab1', 'shop', 'cd12')
  const fake = ends('ab1', 'fake', 'cd12')
  await happened(
    pay('early', shop, 1),
    // Named by its maker, or used among its own, before anybody is poisoned.
    token('maker', 5, move('maker', fake, 0n)),
    token('bank', 6, move('bank', 'victim', 900n * DOLLAR)),
    token('victim', 10, move('victim', shop, 500n * DOLLAR)),
    token(fake, 20, move(fake, 'victim', DOLLAR / 100n)),
  )
  const [guilty] = await verdicts(fake)
  expect(flagsOf(guilty)).toEqual({ phishing_activities: '1', data_source: 'address-poisoning' })
  await clean('victim', shop, 'early')
})

test('a look-alike hidden behind hundreds of movements in its name is unknown, and not called clear', async () => {
  const friend = ends('ab1', 'friend', 'cd12')
  const fake = ends('ab1', 'fake', 'cd12')
  await happened(
    act('liar', '', 2, { do: 'create', contract: named('lie') }),
    act('liar', 'lie', 3, ...crowd('n', 500).map((name) => move(name, fake, 1n, 'lie'))),
    token('bank', 4, move('bank', 'victim', 900n * DOLLAR)),
    token('victim', 10, move('victim', friend, 500n * DOLLAR)),
    token('runner', 20, move('victim', fake, 0n)),
  )
  const [hidden] = await verdicts(fake)
  expect(flagsOf(hidden)).toEqual({})
  expect(hidden!.unknowns.join()).toContain('phishing_activities: which of the movements in its name')
})
