/**
 * The API under load, on one machine with its generator: cached, looked up in the store, recalculated. Each figure is
 * held against the same Fastify stack (transport rules, headers, metrics, body parsing) answering a constant buffer.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendAnswer } from '../../api/http/errors.ts'
import { createServer } from '../../api/http/server.ts'
import { createFraudLookup, createServeCounts } from '../../api/verdicts/store.ts'
import { migrate } from '../../platform/store/migrate.ts'
import { openStore } from '../../platform/store/open.ts'
import type { Store } from '../../platform/store/store.ts'
import { bodyOf, ENTERPRISE_KEY, startApi, testContext } from '../contract/api.kit.ts'
import type { LoadJob, LoadResult } from './load.child.ts'
import type { BenchResult } from './run.ts'

const address = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`

const bodiesOf = (from: number, count: number, calculate: boolean): string[] =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ network: 'ETH', walletAddress: address(from + index), calculate }),
  )

const LOAD = new URL('load.child.ts', import.meta.url)
const HEADERS = { 'content-type': 'application/json', 'x-api-key': ENTERPRISE_KEY }

const load = async (job: Omit<LoadJob, 'path' | 'headers'>): Promise<Omit<LoadResult, 'failures'>> => {
  const child = fork(fileURLToPath(LOAD), { execArgv: ['--import', 'tsx'] })
  child.send({ path: '/fraud/check', headers: HEADERS, ...job } satisfies LoadJob)
  const [{ failures, ...result }] = (await once(child, 'message')) as [LoadResult]
  if (failures > 0) throw new Error(`${failures} requests were not answered with 200`)
  return result
}

const fill = async (store: Store, wallets: number) => {
  const body = bodyOf('fraud_check', 'ETH')
  const time = '2026-05-04 12:00:00'
  for (let from = 0; from < wallets; from += 20_000) {
    const rows = Array.from({ length: Math.min(20_000, wallets - from) }, (_, index) =>
      JSON.stringify({
        network: 'ETH',
        address: address(from + index),
        version: 1,
        status: 'Not Fraud',
        probability: 0.04,
        body,
        reasons: '[]',
        unknowns: [],
        model_version: 'bench',
        data_height: 1,
        created_at: time,
        computed_at: time,
      }),
    )
    await store.insert('wallet_records', rows.join('\n'))
  }
}

const constant = async (body: Buffer, options: { seconds: number; connections: number }) => {
  const context = testContext()
  const app = await createServer(context, {
    readiness: () => ({ ready: true, reasons: [] }),
    tlsReloadMs: 5_000,
    maxEventLoopDelayMs: 0,
  })
  app.post('/fraud/check', (_, reply) => sendAnswer(reply, { status: 200, body, outcome: 'memory' }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    await load({ url, bodies: bodiesOf(0, 500, false), ...options, seconds: 2 })
    return await load({ url, bodies: bodiesOf(0, 500, false), ...options })
  } finally {
    await app.close()
  }
}

const numberOf = (args: readonly string[], name: string, otherwise: number): number => {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.split('=')[1])
}

/** Arguments: `--seconds=8 --connections=50 --wallets=100000`. Latencies in the details are milliseconds. */
export const run = async (args: readonly string[] = []): Promise<BenchResult[]> => {
  const seconds = numberOf(args, 'seconds', 8)
  const connections = numberOf(args, 'connections', 50)
  const wallets = numberOf(args, 'wallets', 100_000)
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-api-'))
  const context = testContext()
  const store = await openStore({ path: join(folder, 'chdb'), metrics: context.metrics, log: context.log })
  try {
    await migrate({ store, log: context.log })
    await fill(store, wallets)
    const stored = createFraudLookup(store)
    const { api } = await startApi(
      {
        providers: {
          fraud_check: { lookup: stored, compute: async (subject, signal) => (await stored([subject], signal))[0] },
        },
        serveCounts: createServeCounts(store),
      },
      context,
    )
    const [url = ''] = await api.start()
    const hot = bodiesOf(0, 500, false)
    const ceiling = await constant(Buffer.from(bodyOf('fraud_check', 'ETH')), { seconds, connections })
    const against = (what: string, { perSecond, ...latency }: Omit<LoadResult, 'failures'>): BenchResult => ({
      what,
      figure: perSecond,
      ceiling: ceiling.perSecond,
      ratio: Number((perSecond / ceiling.perSecond).toFixed(3)),
      unit: 'req/s',
      ...latency,
    })
    await load({ url, bodies: hot, seconds: 2, connections })
    const cached = await load({ url, bodies: hot, seconds, connections })
    const paced = await load({ url, bodies: hot, seconds, connections, rate: 5_000 })
    // Every address once, so that none is in memory.
    const cold = bodiesOf(1_000, Math.min(30_000, wallets - 1_000), false)
    const lookup = await load({ url, bodies: cold, seconds, connections, amount: cold.length })
    const calculate = await load({ url, bodies: bodiesOf(0, 500, true), seconds, connections: 4 })
    return [
      against('cached', cached),
      against('cached, paced at 5,000 req/s', paced),
      against('looked up in the store', lookup),
      against('calculate, one store query standing for the scorer', calculate),
    ]
  } finally {
    await context.lifecycle.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
