/** Attempts to frame: what others do to, around or in the name of an honest wallet makes no criminal of it. */
import { test } from 'vitest'
import { named, type Tx } from '../kit/world/transactions.ts'
import { act, approve, coin, crowd, ETH, flagsKit, life, MILLION, move, pay, token } from './flags.kit.ts'

const { clean, happened } = flagsKit()
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

test('parts of a few dollars, however shared, make nobody an operator or an affiliate', async () => {
  const puppets = crowd('v', 4)
  const trifle = 10n * DOLLAR
  await happened(
    puppets.flatMap((v, n) => [
      token(`bank-${v}`, 1, move(`bank-${v}`, v, trifle)),
      pay(`pal-${v}`, v, 1, ETH),
      pay(v, `pal-${v}`, 2, ETH / 10n),
      token('framer', 20 + n, move(v, 'bystander', trifle / 5n), move(v, `friend${n % 2}`, (trifle * 4n) / 5n)),
    ]),
    // A true operator, beside whom a trifle makes no affiliate either.
    crowd('w', 3).flatMap((w, n) => [
      ...life(w, 30),
      token('runner', 40 + n, move(w, 'boss', MILLION / 5n), move(w, `aff${n % 2}`, (MILLION * 4n) / 5n)),
    ]),
    crowd('u', 3).flatMap((u, n) => [
      token(`bank-${u}`, 50, move(`bank-${u}`, u, trifle)),
      pay(`pal-${u}`, u, 50, ETH),
      pay(u, `pal-${u}`, 51, ETH / 10n),
      token('framer', 60 + n, move(u, 'boss', trifle / 5n), move(u, 'neighbour', (trifle * 4n) / 5n)),
    ]),
  )
  await clean('bystander', 'friend0', 'friend1', 'neighbour')
})

test('who is sent trifles by accounts that forward all they get sweeps nobody', async () => {
  const puppets = crowd('v', 22)
  const delegates = (name: string): Tx =>
    act('framer', name, 30, { do: 'delegate', authority: named(name), delegate: named('forward') })
  await happened(
    act('framer', '', 1, { do: 'create', contract: named('forward'), code_hash: '0xfeed' }),
    life('charity', 2),
    puppets.flatMap((v, n) => [
      ...life(v, 2),
      delegates(v),
      { ...pay('framer', v, 40 + n, ETH / 1000n), actions: [coin(v, 'charity', ETH / 1000n)] },
    ]),
  )
  await clean('charity')
})

test('the maker of a contract that others robbed its users through is a victim, not a thief', async () => {
  const users = crowd('u', 4)
  await happened(
    act('builder', '', 1, { do: 'create', contract: named('router') }),
    users.flatMap((u, n) => [
      ...life(u, 2),
      approve(u, 'router', 10 + n),
      // They use it themselves, and it serves them.
      act(u, 'router', 20 + n, move(u, 'pair', 1000n), coin('pair', u, ETH)),
      act('attacker', 'router', 40 + n, move(u, 'attacker', MILLION - 1000n)),
    ]),
  )
  await clean('builder', 'router')
})
