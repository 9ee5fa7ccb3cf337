/**
 * The API for minutes at a steady rate, from a separate process: most requests about few wallets, the rest about many
 * more than fit in memory, so that look-ups, evictions and served counts continue all the time. Growing memory, or one
 * answer that is not 200, is a fault.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createFraudLookup } from '../../api/answers/providers/fraud.ts'
import { createServeCounts } from '../../api/answers/served/bases.ts'
import { migrate } from '../../platform/store/migrate/migrate.ts'
import { openStore } from '../../platform/store/open.ts'
import { startApi, testContext } from '../contract/api/kit.ts'
import { bodiesOf, bodyFor, fillRecords, load, numberOf } from './api/load.ts'
import type { BenchResult } from './run.ts'

const HOT = 1_000
/** One request in this many is about any wallet. */
const RARE = 5
const SAMPLE_MS = 10_000
const MEGABYTE = 1024 * 1024

type Sample = { minutes: number; rss: number; heap: number }

/** Megabytes a minute, by least squares. */
const slopeOf = (samples: readonly Sample[], value: (sample: Sample) => number): number => {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(({ minutes }) => minutes), mean(value)]
  const above = samples.reduce((sum, sample) => sum + (sample.minutes - x) * (value(sample) - y), 0)
  const below = samples.reduce((sum, sample) => sum + (sample.minutes - x) ** 2, 0)
  return Number((above / below).toFixed(2))
}

/** A full garbage collection, so that only retained memory is measured. */
const collect = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

const watchMemory = () => {
  const samples: Sample[] = []
  const started = performance.now()
  const timer = setInterval(() => {
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    samples.push({
      minutes: (performance.now() - started) / 60_000,
      rss: rss / MEGABYTE,
      heap: heapUsed / MEGABYTE,
    })
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return samples
  }
}

/**
 * Arguments: `--minutes=3 --rate=2000 --connections=50 --wallets=50000`. Memory in megabytes, slopes in megabytes a minute
 * over the run (without the first tenth), each sample after a full garbage collection. Latencies in milliseconds from when a
 * request was due.
 */
export const run = async (args: readonly string[] = []): Promise<BenchResult[]> => {
  const minutes = numberOf(args, 'minutes', 3)
  const rate = numberOf(args, 'rate', 2_000)
  const connections = numberOf(args, 'connections', 50)
  const wallets = numberOf(args, 'wallets', 50_000)
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-soak-'))
  const context = testContext()
  const store = await openStore({ path: join(folder, 'chdb'), metrics: context.metrics, log: context.log })
  try {
    await migrate({ store, log: context.log })
    await fillRecords(store, wallets)
    const { api, close } = await startApi(
      {
        providers: { fraud_check: { lookup: createFraudLookup(store), compute: async () => undefined } },
        serveCounts: createServeCounts(store),
        sendServed: async ({ batch, counts }) => {
          const rows = counts.map(({ last, ...count }) => JSON.stringify({ ...count, last_served: last }))
          await store.insert('serve_counts', rows.join('\n'), { token: `serve_counts:${batch}` })
        },
        // A fifth of the wallets fit.
        tuning: { memoryBytes: wallets * 225 },
      },
      context,
    )
    const [url = ''] = await api.start()
    // Every wallet once, so that counters and the store's own caches exist before the measurement.
    await load({ url, bodies: bodiesOf(0, wallets), seconds: 0, connections, amount: wallets })
    const bodies = Array.from({ length: 100_000 }, (_, index) =>
      bodyFor(index % RARE === 0 ? Math.floor(Math.random() * wallets) : Math.floor(Math.random() * HOT)),
    )
    const stop = watchMemory()
    const { perSecond, ...latency } = await load({ url, bodies, seconds: minutes * 60, connections, rate })
    const samples = stop()
    const low = samples.slice(Math.floor(samples.length / 10))
    await close()
    return [
      {
        what: `${rate} req/s for ${minutes} min`,
        figure: perSecond,
        ceiling: rate,
        ratio: Number((perSecond / rate).toFixed(3)),
        unit: 'req/s',
        ...latency,
        failures: 0,
        rss: {
          first: Math.round(low[0]?.rss ?? 0),
          last: Math.round(low.at(-1)?.rss ?? 0),
          slope: slopeOf(low, ({ rss }) => rss),
        },
        heap: {
          first: Math.round(low[0]?.heap ?? 0),
          last: Math.round(low.at(-1)?.heap ?? 0),
          slope: slopeOf(low, ({ heap }) => heap),
        },
        load: Number((loadavg()[0] ?? 0).toFixed(1)),
      },
    ]
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
