import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS, exposureOf, type LoadNeighbours } from './exposure.ts'

type Transfer = { from: string; to: string; value: number; time: number }
type World = { transfers: Transfer[]; categories?: Record<string, string>; services?: string[] }

/** Loads from a plain list of transfers, looking back in time. */
const backwards =
  ({ transfers, categories = {}, services = [] }: World): LoadNeighbours =>
  async (asked) =>
    new Map(
      asked.map(({ address, until = Infinity }) => {
        const category = categories[address]
        const incoming = transfers.filter((t) => t.to === address && t.time <= until)
        const flows = incoming.map((t) => ({ counterparty: t.from, value: t.value, time: t.time }))
        return [address, { flows, service: services.includes(address), ...(category ? { category } : {}) }]
      }),
    )

const sum = (shares: Record<string, number>) => Object.values(shares).reduce((a, b) => a + b, 0)

test('value is split by amount and stops at labels, services and the end of what is known', async () => {
  const world: World = {
    transfers: [
      { from: 'thief', to: 'mule', value: 60, time: 1 },
      { from: 'friend', to: 'mule', value: 40, time: 1 },
      { from: 'mule', to: 'w', value: 50, time: 2 },
      { from: 'exchange', to: 'w', value: 50, time: 3 },
      { from: 'thief', to: 'exchange', value: 1_000, time: 1 },
    ],
    categories: { thief: 'stolen' },
    services: ['exchange'],
  }
  const exposure = await exposureOf('w', backwards(world))
  expect(exposure).toEqual({
    shares: { stolen: 0.3, service: 0.5, unknown: 0.2, dust: 0, depth_limit: 0 },
    nearest: { stolen: 2 },
    reached: new Map([
      ['exchange', { category: 'service', share: 0.5, hops: 1 }],
      ['thief', { category: 'stolen', share: 0.3, hops: 2 }],
    ]),
    total: 100,
  })
})

test('what a sender received after it sent does not taint what it sent', async () => {
  const transfers = [
    { from: 'honest', to: 'mule', value: 10, time: 1 },
    { from: 'mule', to: 'w', value: 10, time: 2 },
    { from: 'thief', to: 'mule', value: 1_000, time: 3 },
  ]
  const exposure = await exposureOf('w', backwards({ transfers, categories: { thief: 'stolen' } }))
  expect(exposure.shares).toEqual({ unknown: 1, dust: 0, depth_limit: 0 })
})

test('a cycle and a long chain end at the depth limit', async () => {
  const transfers = Array.from({ length: 12 }, (_, i) => ({
    from: `n${i + 1}`,
    to: i === 0 ? 'w' : `n${i}`,
    value: 1,
    time: 1,
  }))
  expect((await exposureOf('w', backwards({ transfers }))).shares.depth_limit).toBe(1)
  const ring = [
    { from: 'a', to: 'w', value: 1, time: 1 },
    { from: 'w', to: 'a', value: 1, time: 1 },
  ]
  expect(sum((await exposureOf('w', backwards({ transfers: ring }))).shares)).toBeCloseTo(1, 12)
})

test('a wallet without inflow has no shares and no total', async () => {
  expect(await exposureOf('w', backwards({ transfers: [] }))).toEqual({
    shares: { unknown: 0, dust: 0, depth_limit: 0 },
    nearest: {},
    reached: new Map(),
    total: 0,
  })
})

const node = fc.integer({ min: 0, max: 9 }).map((n) => (n === 0 ? 'w' : `n${n}`))
const worlds = fc.record({
  transfers: fc.array(
    fc.record({ from: node, to: node, value: fc.integer({ min: 1, max: 1_000 }), time: fc.nat(50) }),
    { maxLength: 60 },
  ),
  services: fc.subarray(['n1', 'n2', 'n3']),
  bad: fc.subarray(['n4', 'n5', 'n6']),
})
const worldOf = (given: { transfers: Transfer[]; services: string[]; bad: string[] }): World => ({
  ...given,
  categories: Object.fromEntries(given.bad.map((name) => [name, 'bad'])),
})

test('shares add up to one whenever there was a flow', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (given) => {
      const { shares, total } = await exposureOf('w', backwards(worldOf(given)))
      expect(sum(shares)).toBeCloseTo(total > 0 ? 1 : 0, 9)
    }),
  )
})

test('more inflow from a bad sender never lowers the bad share', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.integer({ min: 1, max: 500 }), async (given, value) => {
      const world = worldOf({ ...given, bad: [...given.bad, 'thief'] })
      const limits = { ...DEFAULT_LIMITS, dustShare: 0, minMass: 0 }
      const before = await exposureOf('w', backwards(world), limits)
      const more = { ...world, transfers: [...world.transfers, { from: 'thief', to: 'w', value, time: 100 }] }
      const after = await exposureOf('w', backwards(more), limits)
      expect(after.shares.bad ?? 0).toBeGreaterThanOrEqual((before.shares.bad ?? 0) - 1e-9)
    }),
  )
})

test('being sent dust by a bad address taints nobody', async () => {
  const transfers = [
    { from: 'friend', to: 'w', value: 1_000, time: 1 },
    ...Array.from({ length: 20 }, (_, i) => ({ from: `thief${i}`, to: 'w', value: 0.5, time: 2 })),
  ]
  const categories = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`thief${i}`, 'stolen']))
  const { shares } = await exposureOf('w', backwards({ transfers, categories }))
  expect(shares.stolen).toBeUndefined()
  expect(shares.dust).toBeCloseTo(10 / 1_010, 9)
})

test('a payroll of hundreds is no dust, nor is a large sum beside a larger one', async () => {
  const payers = Array.from({ length: 300 }, (_, i) => ({ from: `s${i}`, to: 'w', value: 10, time: 1 }))
  const categories = { s7: 'stolen', thief: 'stolen' }
  const payroll = await exposureOf('w', backwards({ transfers: payers, categories }))
  expect(payroll.shares.stolen).toBeCloseTo(1 / 300, 9)
  const transfers = [
    { from: 'friend', to: 'w', value: 1_000_000, time: 1 },
    { from: 'thief', to: 'w', value: 2_000, time: 1 },
  ]
  const large = await exposureOf('w', backwards({ transfers, categories }), { ...DEFAULT_LIMITS, dustCeiling: 1_000 })
  expect(large.shares.stolen).toBeCloseTo(2_000 / 1_002_000, 9)
})

test('work is bounded: beyond the budget mass is reported as not followed', async () => {
  const transfers = Array.from({ length: 200 }, (_, i) => ({ from: `s${i}`, to: 'w', value: 1, time: 1 }))
  let loaded = 0
  const load = backwards({ transfers })
  const counting: LoadNeighbours = (asked, need) => {
    loaded += asked.length
    return load(asked, need)
  }
  const { shares } = await exposureOf('w', counting, { ...DEFAULT_LIMITS, dustShare: 0, addresses: 51 })
  expect(loaded).toBe(51)
  expect(shares.depth_limit).toBeCloseTo(150 / 200, 9)
})
