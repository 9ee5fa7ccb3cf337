/**
 * Spans of work, from the node's answer to the record that is served. Off unless `traceTo` was called in this thread: then
 * nothing is made and nothing is sent, and every function here is a comparison. Between processes a trace travels as the
 * header `traceparent` (W3C Trace Context) of messages on the bus.
 */
import { randomBytes } from 'node:crypto'

/** Part that a span plays between processes, in OpenTelemetry's words: those of a bus are `producer` and `consumer`. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
type Attributes = Readonly<Record<string, string | number>>
type Place = { traceId: string; spanId: string }

/** A span that has ended, as a sink gets it. Ids are lower-case hex: 32 digits of the trace, 16 of the span. */
export type FinishedSpan = Place & {
  parentSpanId: string | undefined
  name: string
  kind: SpanKind
  /** Milliseconds since the epoch. */
  start: number
  end: number
  attributes: Attributes
  /** Spans of other traces that led to this one. */
  links: readonly Place[]
  error: string | undefined
}

/** Where finished spans go. `ratio` is the share of traces that begin here and are recorded. */
export type Sink = { ratio: number; now: () => number; take: (span: FinishedSpan) => void }

type Span = {
  /** For those whom this work leads to. */
  traceparent: string
  /** Later calls do nothing. */
  end: (outcome?: { error?: unknown; attributes?: Attributes }) => void
}

/** What a span is to others, and when it began. */
export type SpanOptions = {
  /** What OpenTelemetry calls the kind. @default internal */
  kind?: SpanKind
  /** Facts of the span by their names; none when not given. */
  attributes?: Attributes
  /** What led to this: the first that can be read is the parent, the others are links. */
  parents?: readonly (string | undefined)[]
  /** What is related, in traces of their own. */
  links?: readonly (string | undefined)[]
  /** Milliseconds since the epoch. @default now */
  start?: number
}

/** Name of the header that carries a trace. */
export const TRACE_HEADER = 'traceparent'
/** A batch may come from thousands of blocks. */
const MAX_LINKS = 32

let sink: Sink | undefined

/** Turns spans of this thread on; `undefined` turns them off. */
export const traceTo = (next: Sink | undefined): void => {
  sink = next
}

/** Whether spans are made, for what would cost something to prepare. */
export const isTracing = (): boolean => sink !== undefined

const SHAPE = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const SAMPLED = 1

/** A header as it came; anything else than version 00 of the standard is passed over. */
const placeOf = (header: string | undefined): (Place & { sampled: boolean }) | undefined => {
  const [, traceId, spanId, flags] = SHAPE.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

const isPlace = <T>(place: T | undefined): place is T => place !== undefined

/** Begins a span; `undefined` while spans are off. */
export const startSpan = (name: string, options: SpanOptions = {}): Span | undefined => {
  const to = sink
  if (!to) return undefined
  const [parent, ...others] = (options.parents ?? []).map(placeOf).filter(isPlace)
  const sampled = parent?.sampled ?? Math.random() < to.ratio
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  const start = options.start ?? to.now()
  const related = [...others, ...(options.links ?? []).map(placeOf).filter(isPlace)].slice(0, MAX_LINKS)
  let open = sampled
  return {
    traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
    end: ({ error, attributes } = {}) => {
      if (!open) return
      open = false
      to.take({
        ...{ traceId, spanId, parentSpanId: parent?.spanId, name, kind: options.kind ?? 'internal', start },
        end: to.now(),
        attributes: { ...options.attributes, ...attributes },
        links: related.map(({ traceId, spanId }) => ({ traceId, spanId })),
        error: error === undefined ? undefined : error instanceof Error ? error.message : String(error),
      })
    },
  }
}

/** Does the work in a span, which ends with it. */
export const traced = async <T>(
  name: string,
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> => {
  const span = startSpan(name, options)
  try {
    const result = await work(span?.traceparent)
    span?.end()
    return result
  } catch (error) {
    span?.end({ error })
    throw error
  }
}

/** The header for messages, or no headers while spans are off. */
export const traceHeaders = (traceparent: string | undefined): Record<string, string> =>
  traceparent === undefined ? {} : { [TRACE_HEADER]: traceparent }

/** The traces that messages belong to, each once. */
export const tracesOf = (messages: readonly { headers: Readonly<Record<string, string>> }[]): string[] =>
  sink === undefined ? [] : [...new Set(messages.flatMap(({ headers }) => headers[TRACE_HEADER] ?? []))]

const attached = new WeakMap<object, string>()

/** Remembers the trace of a value for as long as the value lives. */
export const attachTrace = (value: object, traceparent: string | undefined): void => {
  if (traceparent !== undefined) attached.set(value, traceparent)
}

/** The trace that was attached to a value. */
export const traceOf = (value: object): string | undefined => (sink === undefined ? undefined : attached.get(value))
