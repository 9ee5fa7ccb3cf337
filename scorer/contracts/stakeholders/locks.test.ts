import { encodeAbiParameters, parseAbiParameters } from 'viem/utils'
import { expect, test } from 'vitest'
import type { ChainReader } from '../chain/chain.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import { lockedOf, readTokenLocks } from './locks.ts'

const LOCKER = `0x${'1c'.repeat(20)}`
const LP = `0x${'1b'.repeat(20)}`
const NOW = 1_700_000_000
const [SOON, LATE] = [NOW + 10 * 86_400, NOW + 400 * 86_400]

/** A UNCX locker that holds `held` of the supply and lists these locks, with `burned` burned. */
const read = async (
  held: bigint,
  listed: [amount: bigint, unlock: number | undefined][],
  burned = 0n,
  supply = 1_000n,
) => {
  const chain = {
    time: NOW,
    words: async () => [supply, 0n, burned, held],
    call: async ({ data }: { data: string }) => {
      // The second call, about one lock, has its index as second argument.
      if (data.length === 2 + 8 + 64) return encodeAbiParameters(parseAbiParameters('uint256'), [BigInt(listed.length)])
      const [amount, unlock] = listed[Number(`0x${data.slice(-64)}`)] ?? [0n, 0]
      if (unlock === undefined) return undefined
      const words = parseAbiParameters('uint256, uint256, uint256, uint256, uint256, address')
      return encodeAbiParameters(words, [1n, amount, amount, BigInt(unlock), 1n, LP as `0x${string}`])
    },
  } as unknown as ChainReader
  const registry = { lockers: [{ address: LOCKER, name: 'UNCX', kind: 'v2' }] } as unknown as ContractRegistry
  const facts = await readTokenLocks(chain, registry, LP, async () => [])
  const { free, locked } = facts
  return { share: lockedOf(facts).lockedShare, free, locks: locked.find(({ address }) => address === LOCKER)?.locks }
}

test('locks that run beyond the horizon count as far as the locker holds what it lists', async () => {
  expect(await read(900n, [[900n, LATE]])).toEqual({ share: 0.9, free: 100n, locks: [{ share: 0.9, unlock: LATE }] })
  const both = [
    { share: 0.4, unlock: SOON },
    { share: 0.5, unlock: LATE },
  ]
  const listed: [bigint, number][] = [
    [500n, LATE],
    [400n, SOON],
  ]
  expect(await read(900n, listed)).toEqual({ share: 0.5, free: 500n, locks: both })
  // A lock that expired is not locked, even if the liquidity is still there.
  expect(await read(900n, [[900n, NOW - 1]])).toEqual({ share: 0, free: 1_000n, locks: null })
})

test.each<[string, bigint, [bigint, number][]]>([
  ['beyond the horizon', 900n, [[901n, LATE]]],
  [
    'with a part beyond the horizon that it does hold',
    900n,
    [
      [600n, LATE],
      [600n, SOON],
    ],
  ],
])('what a locker that lists more than it holds, %s, has locked is unknown', async (_, held, listed) => {
  expect(await read(held, listed)).toEqual({ share: undefined, free: 1_000n, locks: null })
})

test('tiny unknown amounts leave the rest known', async () => {
  const crumbs = await read(1n, [[900n, LATE]], 9_500n, 10_000n)
  expect(crumbs).toEqual({ share: 0.95, free: 500n, locks: null })
})

test.each<[string, bigint, [bigint, number | undefined][], number | undefined]>([
  ['nothing of all it holds', 900n, [], undefined],
  ['a part of it alone', 900n, [[500n, LATE]], undefined],
  ['a lock that cannot be read', 900n, [[900n, undefined]], undefined],
  [
    'enough, and one that cannot be read',
    900n,
    [
      [850n, LATE],
      [50n, undefined],
    ],
    0.85,
  ],
  ['nothing of what would not be enough', 700n, [], 0],
])('when a locker lists %s, undated liquidity is neither locked nor free', async (_, held, listed, share) => {
  expect((await read(held, listed)).share).toBe(share)
})
