/** Ends the trace of a published record when it is first served. Does nothing while tracing is off. */
import { LRUCache } from 'lru-cache'
import { startSpan, TRACE_HEADER } from '../../../platform/tracing/tracing.ts'

const MAX_WAITING = 10_000
/** Traces of received records that were not served since, by record key. */
const waiting = new LRUCache<string, string>({ max: MAX_WAITING })

/** Call when a record arrives on the bus, with the trace of the blocks that led to it. */
export const tookOver = (key: string, headers: Readonly<Record<string, string>>): void => {
  const span = startSpan('take over record', { kind: 'consumer', parents: [headers[TRACE_HEADER]] })
  if (!span) return
  span.end()
  waiting.set(key, span.traceparent)
}

/** Call when the record is served. */
export const served = (key: string): void => {
  if (waiting.size === 0) return
  const parent = waiting.get(key)
  if (parent === undefined) return
  waiting.delete(key)
  startSpan('first answer', { parents: [parent] })?.end()
}
