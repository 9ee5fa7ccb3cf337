/** Attempts to frame: what others do to, around or in the name of an honest wallet makes no criminal of it. */
import { test } from 'vitest'
import { act, crowd, flagsKit, life, move, token } from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'

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
