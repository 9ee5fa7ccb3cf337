/**
 * Whatever comes in, nothing breaks: no 5xx, no status and no header that the document does not have, and no memory that is never given
 * back. A million requests nightly, in parts of which each has a seed of its own.
 *
 * ASSAY_FUZZ_REQUESTS=1000000 npx vitest run --project contract test/contract/api/documents/fuzz.test.ts
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import { mcpRoutes } from '../../../../api/mcp/routes.ts'
import type { Payment } from '../../../../api/x402/ledger.ts'
import { OPERATION_LIST } from '../../../../schema/records/operations.ts'
import { bodyOf, startApi, testContext } from '../kit.ts'
import { agreeing, gateOf, memoryLedger, RECEIVER } from '../payments/payments.kit.ts'
import { heapInUse, runFuzz } from './fuzz.run.ts'

const REQUESTS = Number(process.env.ASSAY_FUZZ_REQUESTS ?? 1_000)
const MANY = REQUESTS > 10_000
const PART = MANY ? Math.min(25_000, Math.ceil(REQUESTS / 2)) : REQUESTS
const PARTS = Array.from({ length: Math.ceil(REQUESTS / PART) }, (_, index) => index)
/** One in so many answers is held against its schema where there are many. */
const CHECKED = MANY ? 20 : 1
const SEED = Number(process.env.ASSAY_TEST_SEED ?? (MANY ? Date.now() % 1_000_000 : 1))
/** Bytes of heap that may be left over after the first part: caches are full by then. */
const MOST_GROWTH = 32 * 1024 * 1024

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

let before = 0
test.each(PARTS)(
  `of ${REQUESTS} requests of every kind each is answered as documented, and leaves nothing behind (part %i, seeds from ${SEED})`,
  async (part) => {
    const requests = Math.min(PART, REQUESTS - part * PART)
    const cpu = process.cpuUsage()
    const statuses = await runFuzz({ app: started.app, port, requests, seed: SEED + part, checked: CHECKED })
    const { user, system } = process.cpuUsage(cpu)
    const heap = heapInUse()
    if (part === 0) before = heap
    // The figures are what a night is for.
    if (MANY) {
      const counted = Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b))
      console.log(
        JSON.stringify({
          part,
          seed: SEED + part,
          requests,
          cpuSeconds: Math.round((user + system) / 1e6),
          heap,
          counted,
        }),
      )
      expect(heap - before).toBeLessThan(MOST_GROWTH)
    }
    // Every kind of answer is among them: requests that all fail in the same way try nothing.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 402, 403, 404]))
  },
  3_600_000,
)
