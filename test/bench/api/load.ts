/** Shared parts of the API benchmarks: wallets in a store, and load from a separate process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { JSON_TYPE } from '../../../api/http/errors.ts'
import { createServer } from '../../../api/http/server.ts'
import type { Store } from '../../../platform/store/store.ts'
import { bodyOf, ENTERPRISE_KEY, testContext } from '../../contract/api/kit.ts'
import type { LoadJob, LoadResult } from './load.child.ts'

export type Measured = Omit<LoadResult, 'failures'>

const CHILD = new URL('load.child.ts', import.meta.url)
const PER_INSERT = 20_000

export const address = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`

export const bodyFor = (index: number, calculate = false): string =>
  JSON.stringify({ network: 'ETH', walletAddress: address(index), calculate })

export const bodiesOf = (from: number, count: number, calculate = false): string[] =>
  Array.from({ length: count }, (_, index) => bodyFor(from + index, calculate))

/** Request for records in memory. */
export const HOT = bodiesOf(0, 500)

export const KEYED = { 'content-type': 'application/json', 'x-api-key': ENTERPRISE_KEY }

/**
 * Fraud checks with a key by default.
 * @throws if any answer is not 200, or the generator ends without a result
 */
export const load = async (
  job: Omit<LoadJob, 'path' | 'headers'> & Partial<Pick<LoadJob, 'path' | 'headers'>>,
): Promise<Measured> => {
  const child = fork(fileURLToPath(CHILD), { execArgv: ['--import', 'tsx'] })
  child.send({ path: '/fraud/check', headers: KEYED, ...job } satisfies LoadJob)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The load generator ended without a result, exit code ${code}`)
  })
  const [{ failures, ...result }] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult]
  if (Object.keys(failures).length > 0) throw new Error(`Not answered with 200: ${JSON.stringify(failures)}`)
  return result
}

/** Load on the same Fastify stack (transport rules, headers, metrics, body parsing) answering a constant buffer: the ceiling. */
export const loadConstant = async (options: { seconds: number; connections: number }): Promise<Measured> => {
  const body = Buffer.from(bodyOf('fraud_check', 'ETH'))
  const context = testContext()
  const app = createServer(context, {
    plainHttp: true,
    readiness: () => ({ ready: true, reasons: [] }),
    tlsReloadMs: 5_000,
  })
  app.post('/fraud/check', (_, reply) => {
    reply.outcome = 'memory'
    return reply.header('content-type', JSON_TYPE).send(body)
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    await load({ url, bodies: HOT, ...options, seconds: 2 })
    return await load({ url, bodies: HOT, ...options })
  } finally {
    await app.close()
  }
}

/** Stores a fraud record of every wallet from 0 on. */
export const fillRecords = async (store: Store, wallets: number): Promise<void> => {
  const body = bodyOf('fraud_check', 'ETH')
  const time = '2026-05-04 12:00:00'
  for (let from = 0; from < wallets; from += PER_INSERT) {
    const rows = Array.from({ length: Math.min(PER_INSERT, wallets - from) }, (_, index) =>
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

export const numberOf = (args: readonly string[], name: string, otherwise: number): number => {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.split('=')[1])
}
