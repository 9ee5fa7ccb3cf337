import { afterEach, beforeEach, expect, test } from 'vitest'
import { counted, testContext } from '../../test/kit/context.ts'
import { type Collector, startCollector } from '../../test/kit/otlp.ts'
import { until } from '../../test/kit/until.ts'
import type { Context } from '../context/context.ts'
import { createExporter, type ExporterOptions } from './otlp.ts'
import { attachTrace, isTracing, startSpan, traced, traceHeaders, traceOf, tracesOf, traceTo } from './tracing.ts'

let collector: Collector
let context: Context
beforeEach(async () => {
  collector = await startCollector()
  context = testContext()
})
afterEach(async () => {
  traceTo(undefined)
  await context.lifecycle.close()
  await collector.stop()
})

const on = (options: Partial<ExporterOptions> = {}) => {
  const settings = { endpoint: `${collector.url}/`, service: 'assay-test', version: '1', ratio: 1, waitMs: 1 }
  traceTo(createExporter(context, { ...settings, ...options }))
}
const outcome = (name: string) => counted(context, 'assay_trace_spans_total', { outcome: name })
const arrived = (count: number) => until('spans arrive', async () => collector.spans.length >= count)

test('creates no spans while tracing is off', async () => {
  expect(isTracing()).toBe(false)
  expect(startSpan('work')).toBeUndefined()
  expect(await traced('work', {}, async (trace) => traceHeaders(trace))).toEqual({})
  expect(tracesOf([{ headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } }])).toEqual([])
})

test('a collector accepts the spans: one trace across a message, with parent, links and failure', async () => {
  on()
  const block = {}
  const other = startSpan('other')
  await traced('fetch', { kind: 'client', attributes: { 'assay.block': 7 } }, async (trace) =>
    attachTrace(block, trace),
  )
  const [header] = tracesOf([{ headers: traceHeaders(traceOf(block)) }])
  await expect(
    traced('ingest', { parents: [undefined, 'rubbish', header, other?.traceparent] }, async () => {
      throw new Error('the store is away')
    }),
  ).rejects.toThrow('away')
  await arrived(2)
  expect(collector.wrong).toEqual([])
  const [fetch, ingest] = collector.spans
  expect(fetch).toMatchObject({ name: 'fetch', kind: 3, service: 'assay-test' })
  expect(fetch?.attributes).toEqual([{ key: 'assay.block', value: { intValue: '7' } }])
  expect(ingest).toMatchObject({ traceId: fetch?.traceId, parentSpanId: fetch?.spanId })
  expect(ingest?.links).toEqual([
    { traceId: other?.traceparent.slice(3, 35), spanId: other?.traceparent.slice(36, 52) },
  ])
  expect(ingest?.status).toEqual({ code: 2, message: 'the store is away' })
  await until('both are counted', async () => (await outcome('exported')) === 2)
})

test.each([
  'rubbish',
  `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01\n`,
])('an invalid header starts a new trace: %j', (header) => {
  on()
  expect(startSpan('work', { parents: [header] })?.traceparent).not.toContain('aaaa')
})

test('a trace that is not sampled at its start is not recorded downstream', async () => {
  on({ ratio: 0 })
  const first = startSpan('first')
  first?.end()
  expect(first?.traceparent).toMatch(/-00$/)
  // Another process may record all that begins there.
  on({ ratio: 1 })
  startSpan('second', { parents: [first?.traceparent] })?.end()
  startSpan('third')?.end()
  await arrived(1)
  expect(collector.spans.map(({ name }) => name)).toEqual(['third'])
})

test.each([
  // Node refuses to ask this port.
  ['is away', 'http://127.0.0.1:1', 200],
  ['refuses', undefined, 503],
  ['never answers', undefined, 'silent'],
] as const)('a collector that %s does no harm: spans are dropped within bounds and counted', async (_, url, how) => {
  collector.setAnswer(how)
  on({ ...(url && { endpoint: url }), maxQueued: 8, maxBatch: 4, deadlineMs: 100 })
  for (let i = 0; i < 100; i++) await traced('work', {}, async () => undefined)
  await until('all are counted', async () => (await outcome('refused')) + (await outcome('queue_full')) === 100)
  if (!url) expect(await outcome('queue_full')).toBeGreaterThan(80)
  expect(await outcome('exported')).toBe(0)
})

test('a collector that recovers receives later spans', async () => {
  collector.setAnswer(503)
  on()
  startSpan('lost')?.end()
  await until('it is refused', async () => (await outcome('refused')) === 1)
  collector.setAnswer(200)
  startSpan('kept')?.end()
  await arrived(1)
  expect(collector.spans.map(({ name }) => name)).toEqual(['kept'])
})

test('shutdown sends queued spans, and does not wait for a silent collector', async () => {
  on({ waitMs: 600_000 })
  startSpan('last')?.end()
  await context.lifecycle.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['last'])
  collector.setAnswer('silent')
  context = testContext()
  on({ waitMs: 600_000, deadlineMs: 600_000 })
  startSpan('never')?.end()
  expect(await context.lifecycle.close()).toEqual({ failed: [], late: [] })
  expect(await outcome('refused')).toBe(1)
})
