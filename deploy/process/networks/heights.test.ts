import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { topics } from '../../../schema/topics.ts'
import { testContext } from '../../../test/kit/context.ts'
import { createHeights } from './heights.ts'

const contexts: ReturnType<typeof testContext>[] = []
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.lifecycle.close()
})

/** A store and a bus that count what they are asked, and a clock that is set by hand. */
const world = () => {
  let now = 1_000_000
  const context = { ...testContext(), clock: { now: () => now, sleep: () => new Promise<void>(() => {}) } }
  contexts.push(context)
  const state = { hot: 7, final: 5, next: 10n, waits: 0n, busFails: false, storeFails: false }
  let asked = 0
  const query = async (_sql: string, _params: unknown, { route }: { route: string }) => {
    if (route === 'heights_of_all') asked += 1
    if (state.storeFails) throw new Error('no store')
    if (route === 'height') return [{ height: state.final, time: 1 }]
    return [
      { network: 'ETH', kind: 'first', height: 3, time: 0 },
      { network: 'ETH', kind: 'hot', height: state.hot, time: 1 },
    ]
  }
  const bus = {
    offsets: async (topic: string) => {
      if (state.busFails) throw new Error('no bus')
      return [{ partition: 0, first: 0n, next: topic === topics.head('ETH') ? state.next : 0n }]
    },
    lag: async () => state.waits,
  }
  const heights = createHeights(context, { query } as unknown as Store, ['ETH'], bus)
  /** What a glance shows two seconds later, and how often the store was asked for it. */
  const glance = async (afterMs = 2_000) => {
    now += afterMs
    const before = asked
    const { storeAnswers, heights: found } = await heights.glance()
    return { height: found.get('ETH')?.height, first: found.get('ETH')?.first, storeAnswers, asked: asked - before }
  }
  return { state, glance, heights, later: (ms: number) => (now += ms) }
}

test('reads the tables only after something may have been written to them', async () => {
  const { state, glance } = world()
  expect(await glance()).toEqual({ height: 7, first: { block: 3, time: 0 }, storeAnswers: true, asked: 1 })
  expect(await glance()).toMatchObject({ height: 7, asked: 0 })
  Object.assign(state, { next: 11n, waits: 1n })
  // The block is on the topic and not in the tables yet: nothing is known until it is.
  expect(await glance()).toMatchObject({ height: 7, asked: 1 })
  expect(await glance()).toMatchObject({ height: 7, asked: 1 })
  Object.assign(state, { hot: 8, waits: 0n })
  expect(await glance()).toMatchObject({ height: 8, asked: 1 })
  expect(await glance()).toMatchObject({ height: 8, asked: 0 })
})

test('counts final blocks above those of the hot tables', async () => {
  const { state, glance } = world()
  state.final = 9
  expect(await glance()).toMatchObject({ height: 9 })
  Object.assign(state, { final: 12, next: 11n })
  expect(await glance()).toMatchObject({ height: 12 })
})

test('reads the tables every 30 s without news, and for every request for the state of networks', async () => {
  const { state, glance, heights, later } = world()
  await glance()
  // Rows that came by no topic, as after a repair.
  state.hot = 9
  expect(await glance(29_000)).toMatchObject({ height: 7, asked: 0 })
  expect(await glance()).toMatchObject({ height: 9, asked: 1 })
  state.hot = 10
  later(2_000)
  expect((await heights.read()).heights.get('ETH')?.height).toBe(10)
})

test('keeps reading the tables after failures of bus or store', async () => {
  const { state, glance } = world()
  await glance()
  state.busFails = true
  expect(await glance()).toMatchObject({ asked: 1 })
  expect(await glance()).toMatchObject({ asked: 1 })
  Object.assign(state, { busFails: false, storeFails: true, next: 12n })
  expect(await glance()).toMatchObject({ storeAnswers: false, asked: 1 })
  state.storeFails = false
  expect(await glance()).toMatchObject({ storeAnswers: true, asked: 1 })
})

test('a clock set back hides neither new blocks nor a stalled height', async () => {
  const { state, glance, heights, later } = world()
  await glance()
  later(-3_600_000)
  await heights.read()
  Object.assign(state, { hot: 8, next: 11n })
  expect(await glance()).toMatchObject({ height: 8 })
  later(-3_600_000)
  expect((await heights.read()).heights.get('ETH')).toMatchObject({ height: 8, stalled: false })
  later(600_000)
  expect((await heights.read()).heights.get('ETH')?.stalled).toBe(true)
})

test('reports a stalled height after a time without any message', async () => {
  const { glance, heights, later } = world()
  await glance()
  later(3_600_000)
  expect((await heights.glance()).heights.get('ETH')?.stalled).toBe(true)
})
