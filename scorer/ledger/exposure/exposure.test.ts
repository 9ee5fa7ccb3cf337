import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FLAGGED } from './attribution.ts'
import { DEFAULT_LIMITS, exposureOf, type Graph } from './exposure.ts'
import { flowsOf, type Movement } from './movements.ts'

type Transfer = { from: string; to: string; usd: number; time: number }
type World = { transfers: Transfer[]; categories?: Record<string, string>; services?: string[] }

/** A graph from a plain list of transfers. */
const graphOf = ({ transfers, categories = {}, services = [] }: World, expanded: string[] = []): Graph => {
  const ordered = [...transfers].sort((a, b) => a.time - b.time)
  const movementsOf = (address: string) =>
    ordered.flatMap(({ from, to, usd, time }, position): Movement[] =>
      from === to || (from !== address && to !== address)
        ? []
        : [
            {
              counterparty: to === address ? from : to,
              direction: to === address ? 1 : -1,
              asset: '',
              usd,
              time,
              position,
              tx: `t${position}`,
              own: from === address,
            },
          ],
    )
  return {
    expand: async (addresses) => void expanded.push(...addresses),
    about: (address) => ({
      service: services.includes(address),
      ...(categories[address] && { category: categories[address] }),
    }),
    flows: (address, direction, until) =>
      flowsOf(movementsOf(address), direction, { until, leastUsd: 1, isService: (party) => services.includes(party) }),
  }
}

const sum = (shares: Record<string, number>) => Object.values(shares).reduce((a, b) => a + b, 0)

test('value is split by amount and stops at labels, services and the end of what is known', async () => {
  const world: World = {
    transfers: [
      { from: 'thief', to: 'mule', usd: 6_000, time: 1 },
      { from: 'friend', to: 'mule', usd: 4_000, time: 1 },
      { from: 'mule', to: 'w', usd: 5_000, time: 2 },
      { from: 'exchange', to: 'w', usd: 5_000, time: 3 },
      { from: 'thief', to: 'exchange', usd: 100_000, time: 1 },
    ],
    categories: { thief: 'stolen' },
    services: ['exchange'],
  }
  expect(await exposureOf('w', graphOf(world))).toEqual({
    shares: { stolen: 0.3, service: 0.5, unknown: 0.2, depth_limit: 0 },
    reached: new Map([
      ['exchange:1', { category: 'service', share: 0.5, hops: 1, path: ['exchange'], transfers: 1 }],
      ['thief:2', { category: 'stolen', share: 0.3, hops: 2, path: ['mule', 'thief'], transfers: 1 }],
    ]),
    total: 10_000,
    dust: { usd: 0, transfers: 0 },
    swapped: 0,
  })
})

test('funds that a payer received after a payment do not taint the payment', async () => {
  const transfers = [
    { from: 'honest', to: 'mule', usd: 10, time: 1 },
    { from: 'mule', to: 'w', usd: 10, time: 2 },
    { from: 'thief', to: 'mule', usd: 1_000, time: 3 },
  ]
  const { shares } = await exposureOf('w', graphOf({ transfers, categories: { thief: 'stolen' } }))
  expect(shares).toEqual({ unknown: 1, depth_limit: 0 })
})

test('a long chain ends at the depth limit, and value that returns in a ring is the wallet’s own', async () => {
  const chain = Array.from({ length: 12 }, (_, i) => ({
    from: `n${i + 1}`,
    to: i === 0 ? 'w' : `n${i}`,
    usd: 100,
    time: 12 - i,
  }))
  expect((await exposureOf('w', graphOf({ transfers: chain }))).shares.depth_limit).toBe(1)
  const ring = [
    { from: 'w', to: 'a', usd: 100, time: 1 },
    { from: 'a', to: 'b', usd: 100, time: 2 },
    { from: 'b', to: 'w', usd: 100, time: 3 },
  ]
  expect((await exposureOf('w', graphOf({ transfers: ring }))).shares).toMatchObject({ own: 1 })
})

test('two hops of fresh wallets hide nothing, and the path is reported', async () => {
  const transfers = [
    { from: 'thief', to: 'fresh1', usd: 50_000, time: 1 },
    { from: 'fresh1', to: 'fresh2', usd: 49_000, time: 2 },
    { from: 'fresh2', to: 'w', usd: 48_000, time: 3 },
  ]
  const { shares, reached } = await exposureOf('w', graphOf({ transfers, categories: { thief: 'stolen' } }))
  expect(shares.stolen).toBe(1)
  expect(reached.get('thief:3')?.path).toEqual(['fresh2', 'fresh1', 'thief'])
})

test('a wallet without income has no shares and no total', async () => {
  const { shares, reached, total } = await exposureOf('w', graphOf({ transfers: [] }))
  expect([shares, [...reached], total]).toEqual([{ unknown: 0, depth_limit: 0 }, [], 0])
})

const node = fc.integer({ min: 0, max: 9 }).map((n) => (n === 0 ? 'w' : `n${n}`))
const transfer = fc.record({
  from: node,
  to: node,
  usd: fc.integer({ min: 1, max: 100_000 }),
  time: fc.nat(50),
})
const worlds = fc
  .record({
    transfers: fc.array(transfer, { maxLength: 60 }),
    services: fc.subarray(['n1', 'n2', 'n3']),
    bad: fc.subarray(['n4', 'n5', 'n6']),
  })
  .map(
    ({ bad, ...given }): World => ({ ...given, categories: Object.fromEntries(bad.map((name) => [name, 'stolen'])) }),
  )
const SHARP = { ...DEFAULT_LIMITS, minMass: 0 }

test('shares add up to one whenever there was a flow', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.constantFrom('incoming' as const, 'outgoing' as const), async (world, direction) => {
      const { shares, total } = await exposureOf('w', graphOf(world), DEFAULT_LIMITS, direction)
      expect(sum(shares)).toBeCloseTo(total > 0 ? 1 : 0, 9)
    }),
  )
})

test('more income from a flagged payer never lowers the flagged share', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.integer({ min: 1, max: 500_000 }), async (given, usd) => {
      const world = { ...given, categories: { ...given.categories, thief: 'stolen' } }
      const limits = { ...SHARP, dustShare: 0 }
      const before = await exposureOf('w', graphOf(world), limits)
      const more = { ...world, transfers: [...world.transfers, { from: 'thief', to: 'w', usd, time: 100 }] }
      const after = await exposureOf('w', graphOf(more), limits)
      expect(after.shares.stolen ?? 0).toBeGreaterThanOrEqual((before.shares.stolen ?? 0) - 1e-9)
    }),
  )
})

test('dust from a sanctioned wallet, below a dollar or beside larger income, never changes anything', async () => {
  await fc.assert(
    fc.asyncProperty(
      worlds,
      fc.array(fc.double({ min: 0.001, max: 9.99, noNaN: true }), { maxLength: 20 }),
      async (given, crumbs) => {
        const world = {
          ...given,
          categories: { ...given.categories, ...Object.fromEntries(crumbs.map((_, n) => [`ofac${n}`, 'sanctioned'])) },
          transfers: [...given.transfers, { from: 'employer', to: 'w', usd: 1_000, time: 1 }],
        }
        const dusted = {
          ...world,
          transfers: [...world.transfers, ...crumbs.map((usd, n) => ({ from: `ofac${n}`, to: 'w', usd, time: n }))],
        }
        const { dust: _, ...before } = await exposureOf('w', graphOf(world), SHARP)
        const { dust: __, ...after } = await exposureOf('w', graphOf(dusted), SHARP)
        expect(after).toEqual(before)
      },
    ),
  )
})

test('a payroll of hundreds is no dust, nor is a large sum beside a larger one', async () => {
  const payers = Array.from({ length: 299 }, (_, i) => ({ from: `s${i}`, to: 'w', usd: 10, time: 1 }))
  const categories = { s7: 'stolen', thief: 'stolen' }
  const payroll = await exposureOf('w', graphOf({ transfers: payers, categories }))
  expect(payroll.shares.stolen).toBeCloseTo(1 / 299, 9)
  const transfers = [
    { from: 'friend', to: 'w', usd: 1_000_000, time: 1 },
    { from: 'thief', to: 'w', usd: 2_000, time: 1 },
  ]
  const large = await exposureOf('w', graphOf({ transfers, categories }))
  expect(large.shares.stolen).toBeCloseTo(2_000 / 1_002_000, 9)
})

test('work is bounded: beyond the budget mass is reported as not followed', async () => {
  const transfers = Array.from({ length: 200 }, (_, i) => ({ from: `s${i}`, to: 'w', usd: 10, time: 1 }))
  const expanded: string[] = []
  const { shares } = await exposureOf('w', graphOf({ transfers }, expanded), { ...DEFAULT_LIMITS, addresses: 51 })
  expect(expanded.length).toBe(51)
  expect(shares.depth_limit).toBeCloseTo(150 / 200, 9)
})

/** Each wallet's flagged share of income, as verdicts count it: only the seeds are flagged, whatever is found about others. */
const flaggedParts = async (world: World): Promise<Map<string, number>> => {
  const everybody = [...new Set(world.transfers.flatMap(({ from, to }) => [from, to]))].sort()
  const parts = await Promise.all(
    everybody.map(async (one) => {
      const { reached } = await exposureOf(one, graphOf(world), SHARP)
      const flagged = [...reached.values()].filter(({ category }) => FLAGGED.has(category))
      return [one, flagged.reduce((all, { share }) => all + share, 0)] as const
    }),
  )
  return new Map(parts)
}

test('circular payments without a seed expose nobody', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { maxLength: 60 }), async (transfers) => {
      for (const part of (await flaggedParts({ transfers })).values()) expect(part).toBe(0)
    }),
  )
})

test('removing a seed clears everything that only it exposed, and every exposure has a path to a seed', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const seeds = Object.keys(world.categories ?? {})
      for (const one of new Set(world.transfers.map(({ to }) => to))) {
        const { reached } = await exposureOf(one, graphOf(world), SHARP)
        for (const { category, path } of reached.values())
          if (FLAGGED.has(category)) expect(seeds).toContain(path.at(-1))
      }
      const [seed] = seeds
      if (seed === undefined) return
      const without = { ...world, categories: {} }
      for (const part of (await flaggedParts(without)).values()) expect(part).toBe(0)
    }),
  )
})
