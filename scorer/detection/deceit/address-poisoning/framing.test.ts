/** Acts of others towards a wallet, or in its name, neither convict an honest wallet nor clear a guilty one. */
import { expect, test } from 'vitest'
import {
  act,
  crowd,
  flagsKit,
  flagsOf,
  life,
  move,
  pay,
  token,
  USDC,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'
import type { Verdict } from '../../../scoring/verdict.ts'

const { clean, happened, verdicts } = flagsKit()
const DOLLAR = 10n ** 6n
/** The entry point of ERC-4337, version 0.7. */
const ENTRY_POINT = '0x0000000071727de22e5e9d8baf0edac6f37da032'
/** An address with the given first and last digits. */
const ends = (head: string, middle: string, tail: string): string =>
  `0x${head}${Buffer.from(middle).toString('hex')}`.padEnd(42 - tail.length, '7') + tail

test('an address that was imitated only after it existed and was paid is no look-alike', async () => {
  const honest = ends('ab1', 'honest', 'cd12')
  const ground = ends('ab1', 'ground', 'cd12')
  await happened(
    token('bank', 1, move('bank', honest, 900n * DOLLAR)),
    token('bank', 2, move('bank', 'puppet', 900n * DOLLAR)),
    // The framer's puppet pays a similar address, then the framer puts the honest one into the puppet's history.
    token('puppet', 10, move('puppet', ground, 100n * DOLLAR)),
    ...crowd('x', 3).map((_, n) => token('framer', 11 + n, move(honest, 'puppet', 0n))),
    token('puppet', 20, move('puppet', ground, 100n * DOLLAR)),
    // Later the puppet buys a coffee from it.
    token(honest, 30, move(honest, 'puppet', 3n * DOLLAR)),
  )
  await clean(honest)
})

test("a caller of somebody else's contract that poisons on the way is no poisoner", async () => {
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

test("acts of strangers clear no look-alike: zero transfers, lying tokens, and dust in its name or its victim's", async () => {
  const friend = ends('ab1', 'friend', 'cd12')
  const fake = ends('ab1', 'fake', 'cd12')
  const known = ends('ab1', 'known', 'cd12')
  const lies = (block: number, from: string, to: string) =>
    act('liar', 'lie', block, ...crowd('n', 30).map((_, n) => move(from, to, BigInt(n + 1), 'lie')))
  await happened(
    pay('early', friend, 1),
    token('bank', 1, move('bank', 'victim', 900n * DOLLAR)),
    // Before the poisoning: strangers put the look-alike into the victim's history.
    act('liar', '', 2, { do: 'create', contract: named('lie') }),
    token('stranger', 3, move('victim', fake, 0n), move(fake, 'victim', 0n)),
    token('victim', 10, move('victim', friend, 500n * DOLLAR)),
    lies(13, 'victim', fake),
    lies(14, fake, 'victim'),
    // The poisoning.
    token(fake, 20, move(fake, 'victim', DOLLAR / 100n)),
    // After the poisoning: strangers name it in many movements.
    ...crowd('x', 5).map((name, n) => token('stranger', 30 + n, move(name, fake, 0n), move(fake, name, 0n))),
    ...crowd('y', 9).map((name, n) => lies(40 + n, fake, name)),
    ...crowd('z', 9).map((name, n) => lies(50 + n, name, fake)),
    // None of this makes a look-alike of an address that had paid the victim before it sent cents.
    token(known, 5, move(known, 'victim', 70n * DOLLAR)),
    token(known, 25, move(known, 'victim', DOLLAR / 2n)),
  )
  const [guilty] = await verdicts(fake)
  expect(flagsOf(guilty)).toEqual({ phishing_activities: '1', data_source: 'address-poisoning' })
  await clean('victim', friend, known)
})

test('a look-alike that was generated before its victim first paid an old address is convicted', async () => {
  const shop = ends('ab1', 'shop', 'cd12')
  const fake = ends('ab1', 'fake', 'cd12')
  await happened(
    pay('early', shop, 1),
    // Announced by its maker, or used among accomplices, before anybody is poisoned.
    token('maker', 5, move('maker', fake, 0n)),
    token('bank', 6, move('bank', 'victim', 900n * DOLLAR)),
    token('victim', 10, move('victim', shop, 500n * DOLLAR)),
    token(fake, 20, move(fake, 'victim', DOLLAR / 100n)),
  )
  const [guilty] = await verdicts(fake)
  expect(flagsOf(guilty)).toEqual({ phishing_activities: '1', data_source: 'address-poisoning' })
  await clean('victim', shop, 'early')
})

test('a look-alike hidden behind hundreds of movements in its name is unknown, not clear', async () => {
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
  expect(hidden!.unknowns.join()).toContain('phishing_activities: too many movements in its name')
})

test('relayers, traders of a poisoning token and callers of a lying token are no poisoners; a signer of little else is', async () => {
  const pairs = crowd('p', 3).map((victim, n) => ({
    victim,
    friend: ends(`ab${n}`, 'friend', 'cd12'),
    fake: ends(`ab${n}`, 'fake', 'cd12'),
  }))
  const poison = (by: string, to: string, block: number) =>
    pairs.map(({ victim, fake }, n) => act(by, to, block + n, move(victim, fake, 0n)))
  const works = (who: string, to: string, block: number, times: number) =>
    Array.from({ length: times }, (_, n) => act(who, to, block + n, move(`u${n}`, `w${n}`, 2n * DOLLAR)))
  const own = (who: string, contract: string, block: number) =>
    act(who, '', block, { do: 'create', contract: named(contract) })
  await happened(
    pairs.map(({ victim }) => token('bank', 1, move('bank', victim, 900n * DOLLAR))),
    pairs.map(({ victim, friend }) => token(victim, 2, move(victim, friend, 500n * DOLLAR))),
    [own('poisoner', 'batch', 3), own('liar', 'lie', 3), own('searcher', 'trader', 3), own('keeper', 'tool', 3)],
    // A bundler and another relayer submit what they are paid for.
    works('bundler', ENTRY_POINT, 10, 20),
    poison('bundler', ENTRY_POINT, 40),
    works('relayer', 'forwarder', 10, 20),
    poison('relayer', 'forwarder', 40),
    // The contract of a searcher buys a token whose transfers poison.
    works('searcher', 'trader', 10, 20),
    poison('searcher', 'trader', 40).slice(0, 1),
    // A user revokes an approval of a token, which emits poisoning events.
    life('visitor', 4),
    pairs.map(({ victim, fake }, n) => act('visitor', 'lie', 40 + n, move(victim, fake, 0n, 'lie'))),
    // A facilitator relays transfers that others signed, one of them a look-alike.
    works('facilitator', USDC, 10, 2),
    { ...token('facilitator', 40, move(pairs[0]!.fake, 'p0', DOLLAR / 100n)), selector: '0xe3ee160e' },
    // Guilty: through another account's contract, through its own, and by moving the coin itself, once among many other acts.
    works('puller', 'shop', 10, 20),
    { ...token('puller', 50, move('p0', pairs[0]!.fake, 0n)), selector: '0x23b872dd' },
    life('sender', 4),
    poison('sender', 'batch', 50),
    poison('keeper', 'tool', 50).slice(0, 1),
  )
  for (const guilty of await verdicts('sender', 'keeper', 'puller'))
    expect(flagsOf(guilty)).toEqual({ phishing_activities: '1', data_source: 'address-poisoning' })
  await clean('bundler', 'relayer', 'searcher', 'visitor', 'facilitator')
  // A signer of mostly other transactions cannot be told from a relayer, so the answer is unknown, not clear.
  const [bundler, relayer] = await verdicts('bundler', 'relayer')
  const open = (one: Verdict | undefined) => one?.unknowns.filter((why) => why.includes('may be the work of others'))
  expect([open(bundler), open(relayer)]).toEqual([[], [expect.stringContaining('phishing_activities')]])
})
