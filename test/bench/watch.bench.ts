/**
 * A million records pass a process that watches a hundred thousand addresses: of unwatched addresses, and with a watched one among
 * ten. The ceiling is the same messages read by a loop that does nothing.
 */
import { createAlerts } from '../../api/monitoring/alerts/alerts.ts'
import { createCompare } from '../../api/monitoring/lead/compare.ts'
import { createFollow } from '../../api/monitoring/lead/follow.ts'
import { createPositions } from '../../api/monitoring/lead/position.ts'
import { createWatchList } from '../../api/monitoring/watch/list.ts'
import { createVerdicts } from '../../api/monitoring/watch/verdicts.ts'
import { createDeliveries } from '../../api/monitoring/webhooks/deliveries.ts'
import type { Bus, Message } from '../../platform/bus/bus.ts'
import { topics } from '../../schema/topics.ts'
import { testContext } from '../contract/api/kit.ts'
import { recordOf } from '../contract/api/monitoring/webhooks.kit.ts'
import { openTestStore } from '../kit/store/store.ts'
import type { BenchResult } from './run.ts'

const WATCHED = 100_000
const RECORDS = 1_000_000
const ROWS = 10_000

const address = (n: number) => `0x${(BigInt(n + 1) * 0x9e3779b97f4a7c15n).toString(16).padStart(40, '0').slice(-40)}`

/** A topic whose messages are generated as they are read: about one watched address in `every`, or about none. */
const topicOf = (every: number): Pick<Bus, 'offsets' | 'read'> & { fill: () => void } => {
  const { address: _, ...record } = recordOf('')
  let end = 0n
  return {
    fill: () => {
      end = BigInt(RECORDS)
    },
    offsets: async () => [{ partition: 0, first: 0n, next: end }],
    read: async function* (topic, partition, from): AsyncGenerator<Message> {
      for (let offset = from; offset < end; offset++) {
        const n = Number(offset)
        const isWatched = every > 0 && n % every === 0
        const of = address(isWatched ? (n / every) % WATCHED : WATCHED + n)
        const value = isWatched ? Buffer.from(JSON.stringify({ ...record, address: of })) : Buffer.alloc(0)
        yield { topic, partition, offset, key: `ETH:${of}`, value, headers: {}, timestamp: 0 }
      }
    },
  }
}

const seconds = (since: number) => (performance.now() - since) / 1_000

export const run = async (): Promise<BenchResult[]> => {
  const { store, close } = await openTestStore()
  const list = createWatchList(store)
  const subjects = Array.from({ length: WATCHED }, (_, n) => ({ network: 'ETH' as const, address: address(n) }))
  for (let at = 0; at < WATCHED; at += ROWS) await list.write('key', subjects.slice(at, at + ROWS), true)
  const results: BenchResult[] = []
  for (const [name, every] of [
    ['nobody watches', 0],
    ['one of ten is watched', 10],
  ] as const) {
    const context = testContext()
    const bus = topicOf(every)
    const verdicts = createVerdicts(store)
    const deliveries = createDeliveries(store)
    const compare = createCompare({
      context,
      list,
      verdicts,
      alerts: createAlerts(store),
      deliveries,
      catchingUp: () => undefined,
      callerOf: () => undefined,
      endpointsOf: () => [],
    })
    const positions = createPositions(store)
    await store.command('TRUNCATE TABLE monitor_positions')
    const follow = createFollow({
      context,
      bus,
      list,
      verdicts,
      positions,
      compare,
      catchingUp: () => undefined,
      onMade: () => undefined,
    })
    const loading = performance.now()
    await follow.takeOver()
    const loadSeconds = seconds(loading)
    bus.fill()
    const reading = performance.now()
    for await (const _ of bus.read(topics.records, 0, 0n));
    const ceiling = RECORDS / seconds(reading)
    const heapBefore = process.memoryUsage().heapUsed
    const begun = performance.now()
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    while (await follow.advance());
    const figure = RECORDS / seconds(begun)
    clearInterval(timer)
    results.push({
      figure: Math.round(figure),
      ceiling: Math.round(ceiling),
      ratio: figure / ceiling,
      unit: 'records/s',
      name,
      loadSeconds,
      longestTurnMs: Math.round(longest),
      heapGrowthMb: Math.round((process.memoryUsage().heapUsed - heapBefore) / 1e6),
    })
  }
  await close()
  return results
}
