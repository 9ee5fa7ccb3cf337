/**
 * Spans of work, from the node's answer to the served record. Off until `traceTo` is called in this thread; until then every
 * function here costs one comparison. Between processes a trace travels as header `traceparent` (W3C Trace Context) of bus
 * messages.
 */
import { randomBytes } from 'node:crypto'

/** Span kind of OpenTelemetry; on a bus `producer` and `consumer`. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
type Attributes = Readonly<Record<string, string | number>>
type Place = { traceId: string; spanId: string }

/** A finished span. Ids are lower-case hex: 32 digits for the trace, 16 for the span. */
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

/** Where finished spans go. `ratio` is the share of new traces that are recorded. */
export type Sink = { ratio: number; now: () => number; take: (span: FinishedSpan) => void }

type Span = {
  /** Header for work that follows from this span. */
  traceparent: string
  /** Later calls do nothing. */
  end: (outcome?: { error?: unknown; attributes?: Attributes }) => void
}

/** Properties of a new span. */
export type SpanOptions = {
  /** Span kind of OpenTelemetry. @default internal */
  kind?: SpanKind
  /** Attributes of the span. @default none */
  attributes?: Attributes
  /** Headers of causes: the first valid one is the parent, the others become links. */
  parents?: readonly (string | undefined)[]
  /** Headers of related spans in other traces. */
  links?: readonly (string | undefined)[]
  /** Milliseconds since the epoch. @default now */
  start?: number
}

/** Header that carries a trace. */
export const TRACE_HEADER = 'traceparent'
/** A batch may come from thousands of blocks. */
const MAX_LINKS = 32

let sink: Sink | undefined

/** Turns spans of this thread on, or off with `undefined`. */
export const traceTo = (next: Sink | undefined): void => {
  sink = next
}

/** Whether spans are recorded; check it before costly preparation. */
export const isTracing = (): boolean => sink !== undefined

const SHAPE = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const SAMPLED = 1

/** Parses a header; anything but version 00 of the standard is ignored. */
const placeOf = (header: string | undefined): (Place & { sampled: boolean }) | undefined => {
  const [, traceId, spanId, flags] = SHAPE.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

const isPlace = <T>(place: T | undefined): place is T => place !== undefined

/** Starts a span; `undefined` while tracing is off. */
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

/** Runs work in a span, which ends with it. */
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

/** Headers for a message: `traceparent`, or none while tracing is off. */
export const traceHeaders = (traceparent: string | undefined): Record<string, string> =>
  traceparent === undefined ? {} : { [TRACE_HEADER]: traceparent }

/** The distinct traces of messages. */
export const tracesOf = (messages: readonly { headers: Readonly<Record<string, string>> }[]): string[] =>
  sink === undefined ? [] : [...new Set(messages.flatMap(({ headers }) => headers[TRACE_HEADER] ?? []))]

const attached = new WeakMap<object, string>()

/** Remembers the trace of a value as long as the value lives. */
export const attachTrace = (value: object, traceparent: string | undefined): void => {
  if (traceparent !== undefined) attached.set(value, traceparent)
}

/** The trace attached to a value. */
export const traceOf = (value: object): string | undefined => (sink === undefined ? undefined : attached.get(value))
