/**
 * Sends spans to a collector as OTLP over HTTP in JSON. Nothing waits for it: spans queue up to a limit, a batch that the
 * collector does not accept in time is dropped, and drops are counted. Loaded only if a collector is configured.
 */
import type { Context } from '../context/context.ts'
import type { FinishedSpan, Sink, SpanKind } from './tracing.ts'

/** Where spans go, the service's name, and the size of the queue. */
export type ExporterOptions = {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  endpoint: string
  service: string
  version: string
  /** Share of traces that are recorded, 0 to 1. */
  ratio: number
  /** Maximum number of queued spans. @default 2048 */
  maxQueued?: number
  /** Spans sent at once. @default 512 */
  maxBatch?: number
  /** How long a span waits for others, ms. @default 1000 */
  waitMs?: number
  /** Time limit of one request, ms. @default 5000 */
  deadlineMs?: number
}

/** How long shutdown waits for the last spans, ms. */
const CLOSE_MS = 2_000
const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const ERROR = 2

const attributesOf = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value },
  }))

const nanos = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`

const encodeSpan = ({ traceId, spanId, parentSpanId, name, kind, start, end, ...span }: FinishedSpan) => ({
  traceId,
  spanId,
  ...(parentSpanId !== undefined && { parentSpanId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanos(start),
  endTimeUnixNano: nanos(end),
  attributes: attributesOf(span.attributes),
  links: span.links,
  ...(span.error !== undefined && { status: { code: ERROR, message: span.error } }),
})

/** A sink for `traceTo`. At shutdown the lifecycle flushes the queue. */
export const createExporter = (
  { metrics, lifecycle, clock, log }: Context,
  { maxQueued = 2_048, maxBatch = 512, waitMs = 1_000, deadlineMs = 5_000, ...options }: ExporterOptions,
): Sink => {
  const spans = metrics.counter('assay_trace_spans_total', 'Spans of traces, by outcome', ['outcome'])
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`
  const resource = {
    attributes: attributesOf({ 'service.name': options.service, 'service.version': options.version }),
  }
  let queue: FinishedSpan[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let failing = false
  const closing = new AbortController()

  const post = async (batch: readonly FinishedSpan[]): Promise<void> => {
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'assay' }, spans: batch.map(encodeSpan) }] }],
    })
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(deadlineMs), closing.signal]),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      failing = false
      spans.inc({ outcome: 'exported' }, batch.length)
    } catch (err) {
      spans.inc({ outcome: 'refused' }, batch.length)
      if (!failing) log.warn({ err }, 'the collector of traces does not accept spans')
      failing = true
    }
  }

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await post(batch)
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    sending ??= drain().finally(() => {
      sending = undefined
    })
    return sending
  }

  lifecycle.onClose('traces', async () => {
    const giveUp = setTimeout(() => closing.abort(), CLOSE_MS)
    await flush()
    clearTimeout(giveUp)
  })

  return {
    ratio: options.ratio,
    now: clock.now,
    take: (span) => {
      if (queue.length >= maxQueued) return spans.inc({ outcome: 'queue_full' })
      queue.push(span)
      if (sending) return
      if (queue.length >= maxBatch) void flush()
      else timer ??= setTimeout(() => void flush(), waitMs).unref()
    },
  }
}
