/**
 * Whatever comes in, nothing breaks: no 5xx, no status that the document does not have, and no memory that is never given back. A million
 * requests nightly.
 *
 * ASSAY_FUZZ_REQUESTS=1000000 npx vitest run --project contract test/contract/api/documents/fuzz.test.ts
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import { mcpRoutes } from '../../../../api/mcp/routes.ts'
import type { Payment } from '../../../../api/x402/ledger.ts'
import { OPERATION_LIST } from '../../../../schema/records/operations.ts'
import { bodyOf, startApi, testContext } from '../kit.ts'
import { agreeing, gateOf, memoryLedger, RECEIVER } from '../payments/payments.kit.ts'
import { createFuzz } from './fuzz.kit.ts'
import { documentedBy } from './openapi.kit.ts'

const REQUESTS = Number(process.env.ASSAY_FUZZ_REQUESTS ?? 1_000)
/** One in so many goes over a connection of its own, as bytes. */
const RAW = 50
/** One in so many answers is held against its schema where there are many. */
const CHECKED = REQUESTS > 10_000 ? 20 : 1
const SEED = Number(process.env.ASSAY_TEST_SEED ?? (REQUESTS > 10_000 ? Date.now() % 1_000_000 : 1))
/** Bytes of heap that may be left over after the first half of many requests: caches are full by then. */
const MOST_GROWTH = 32 * 1024 * 1024
const AT_ONCE = 16
/** What an operation answers that is not part of an installation; here those that need a store. */
const ABSENT = 'ANALYSIS_NOT_AVAILABLE'

let started: Awaited<ReturnType<typeof startApi>>
let port: number
beforeAll(async () => {
  const context = testContext()
  // A ledger that remembers the last payments, so that what grows is not the test.
  const rows = new Map<string, Payment>()
  const ledger = memoryLedger(rows)
  const payments = gateOf(
    agreeing().facilitator,
    {
      ...ledger,
      write: async (row) => {
        await ledger.write(row)
        const [oldest] = rows.keys()
        if (rows.size > 1_000 && oldest !== undefined) rows.delete(oldest)
      },
    },
    context,
  )
  const provider = (id: (typeof OPERATION_LIST)[number]['id']) => ({
    lookup: async (subjects: readonly unknown[]) => subjects.map(() => undefined),
    compute: async ({ network, address }: { network: 'ETH'; address: string }) =>
      address.endsWith('7') ? undefined : { body: bodyOf(id, network), version: 1_700_000_000_000 },
  })
  started = await startApi(
    {
      payments,
      providers: Object.fromEntries(OPERATION_LIST.map(({ id }) => [id, provider(id)])) as never,
      extensions: [agentRoutes({ receiver: RECEIVER }), mcpRoutes({ receiver: RECEIVER })],
      recalculationLimits: [],
      tuning: { keylessPerMinute: 0, memoryBytes: 4 * 1024 * 1024, maxSources: 1_000 },
    },
    context,
  )
  const [url] = await started.api.start()
  port = Number(new URL(url ?? '').port)
})
afterAll(() => started.close())

/** What a server answers to bytes. */
const sendBytes = async (bytes: Buffer): Promise<{ statuses: number[]; text: string }> => {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part)).on('error', () => undefined)
  socket.end(bytes)
  await once(socket, 'close').catch(() => undefined)
  const text = Buffer.concat(parts).toString('latin1')
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
  return { statuses, text }
}

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

test(`${REQUESTS} requests of every kind are answered as documented, and leave nothing behind (seed ${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  const documented = await documentedBy(started.app)
  const fuzz = await createFuzz(started.app, SEED)
  const statuses = new Map<number, number>()
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  let sent = 0
  let half = 0
  const sendOne = async () => {
    if (++sent % RAW === 0) {
      const bytes = fuzz.nextBytes()
      const { statuses: answered, text } = await sendBytes(bytes)
      if (answered.some((status) => status >= 500) && !text.includes(ABSENT)) {
        throw new Error(`${text} to ${JSON.stringify(bytes.toString('latin1'))}`)
      }
      answered.forEach(count)
      return
    }
    const { path, ...request } = fuzz.next()
    const response = await started.app.inject(request)
    const { statusCode: status, headers } = response
    count(status)
    const shown = () =>
      `${status} ${response.body.slice(0, 500)} to ${JSON.stringify({ ...request, payload: request.payload?.toString('latin1') })}`
    if (status >= 500 && !response.body.includes(ABSENT)) throw new Error(shown())
    const isJson = response.body !== '' && String(headers['content-type']).startsWith('application/json')
    // Parts that need a store are documented, and not there. Documents have no schemas.
    if (
      path === undefined ||
      !isJson ||
      request.method !== 'POST' ||
      sent % CHECKED !== 0 ||
      response.body.includes('UNKNOWN_ROUTE')
    )
      return
    try {
      documented(path, status, response.json())
    } catch (error) {
      throw new Error(`${shown()}: ${error instanceof Error ? error.message : ''}`)
    }
  }
  const worker = async () => {
    while (sent < REQUESTS) {
      await sendOne()
      if (half === 0 && sent >= REQUESTS / 2) half = heap()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const growth = heap() - half
  // The figures are what a night is for.
  if (REQUESTS > 10_000)
    console.log({ requests: sent, growth, statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)) })
  // Every kind of answer is among them: requests that all fail in the same way try nothing.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 402, 403, 404]))
  if (REQUESTS > 10_000) expect(growth).toBeLessThan(MOST_GROWTH)
})
