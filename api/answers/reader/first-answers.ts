/** Ends the trace of a record where it is served for the first time. Does nothing while tracing is off. */
import { LRUCache } from 'lru-cache'
import { startSpan, TRACE_HEADER } from '../../../platform/tracing/tracing.ts'

/** Records that were taken over and not served since. */
const WAITING = 10_000
const waiting = new LRUCache<string, string>({ max: WAITING })

/** A record came by the bus, with the trace of the blocks that led to it. */
export const tookOver = (key: string, headers: Readonly<Record<string, string>>): void => {
  const span = startSpan('take over record', { kind: 'consumer', parents: [headers[TRACE_HEADER]] })
  if (!span) return
  span.end()
  waiting.set(key, span.traceparent)
}

/** The record of the key is served. */
export const served = (key: string): void => {
  if (waiting.size === 0) return
  const parent = waiting.get(key)
  if (parent === undefined) return
  waiting.delete(key)
  startSpan('first answer', { parents: [parent] })?.end()
}
