import { expect, test } from 'vitest'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import type { Store } from '../../../platform/store/store.ts'
import { contractRegistry } from '../subject/registry.ts'
import { createContractStream } from './stream.ts'

/** Runs a stream on an embedded store that stays at one block while postponed analyses become due. */
const play = async (ms: number, dueFrom: number) => {
  const lifecycle = createLifecycle()
  let now = 0
  const asked: { at: number; what: 'due' | 'round' }[] = []
  const store = {
    embedded: true,
    query: async (sql: string) => {
      const isDue = sql.includes('ORDER BY due_at')
      if (isDue) asked.push({ at: now, what: 'due' })
      if (sql.includes('AS canonical')) asked.push({ at: now, what: 'round' })
      if (sql.includes('block_hash AS hash')) return [{ hash: '0x1' }]
      return isDue && now >= dueFrom ? [{ address: '0xa', attempts: 1, reason: '' }] : []
    },
    insert: async () => undefined,
  } as unknown as Store
  const clock = {
    now: () => now,
    sleep: async (pause: number) => {
      await new Promise<void>((resolve) => setImmediate(resolve))
      now += pause
      if (now > ms) void lifecycle.close()
    },
  }
  const registry = contractRegistry('ETH')
  if (!registry) throw new Error('ETH has contracts')
  const context = { clock, lifecycle, log: createLog('silent'), metrics: createMetrics() }
  const records = { make: async () => undefined, save: async () => undefined }
  // The sweep of old pools is not under test: it ends after the first rounds.
  const options = { startMs: 0, sweepMs: 3_600_000 }
  await createContractStream({ context, store, records, network: 'ETH', registry, changes: () => 0, options }).run()
  return asked
}

test('while nothing changes rounds are rare, and due analyses are not delayed', async () => {
  const asked = await play(1_200_000, 1_000_000)
  const quiet = asked.filter(({ at }) => at >= 600_000 && at < 1_000_000)
  const rounds = quiet.filter(({ what }) => what === 'round')
  expect(rounds.length).toBeGreaterThan(1)
  expect(rounds.length).toBeLessThan(6)
  // Rounds look for due analyses too.
  const looks = quiet.filter(({ what }) => what === 'due').map(({ at }) => at)
  for (const [nth, at] of looks.entries()) expect(at - (looks[nth - 1] ?? 600_000)).toBeLessThanOrEqual(40_000)
  const next = asked.find(({ at, what }) => what === 'round' && at >= 1_000_000)
  expect((next?.at ?? Number.POSITIVE_INFINITY) - 1_000_000).toBeLessThanOrEqual(35_000)
})
