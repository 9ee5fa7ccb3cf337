/** A collector of traces that stores what it receives: OTLP over HTTP in JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const id = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))
const attributes = z.array(
  z.object({ key: z.string(), value: z.record(z.string(), z.union([z.string(), z.number()])) }),
)
const nanos = z.string().regex(/^\d{19}$/)

/** Requests a collector accepts; times are text because they exceed JSON numbers. */
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: id(32),
              spanId: id(16),
              parentSpanId: id(16).optional(),
              name: z.string().min(1),
              kind: z.int().min(1).max(5),
              startTimeUnixNano: nanos,
              endTimeUnixNano: nanos,
              attributes,
              links: z.array(z.strictObject({ traceId: id(32), spanId: id(16) })),
              status: z.strictObject({ code: z.int(), message: z.string() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
})

type Request = z.output<typeof request>
export type CollectedSpan = Request['resourceSpans'][number]['scopeSpans'][number]['spans'][number] & {
  service: string
}

export type Collector = {
  url: string
  spans: CollectedSpan[]
  /** Received requests that no collector would accept. */
  wrong: string[]
  /** Sets the status of its answers from now on; `silent` never answers. */
  setAnswer: (how: number | 'silent') => void
  stop: () => Promise<void>
}

const spansOf = ({ resourceSpans }: Request): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue)
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })))
  })

/** Starts a collector on loopback. */
export const startCollector = async (): Promise<Collector> => {
  const spans: CollectedSpan[] = []
  const wrong: string[] = []
  let how: number | 'silent' = 200
  const server = createServer((message, response) => {
    void json(message).then((body) => {
      if (how === 'silent') return
      const parsed = request.safeParse(body)
      if (message.url !== '/v1/traces' || !parsed.success) wrong.push(`${message.url} ${parsed.error?.message}`)
      else if (how === 200) spans.push(...spansOf(parsed.data))
      response.writeHead(how).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    wrong,
    setAnswer: (next) => {
      how = next
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
