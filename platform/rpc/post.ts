import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { type RpcError, RpcTransportError, rpcError } from './errors.ts'
import { type BodyReader, createTransport, keptBody, textOf } from './transport.ts'

/** One JSON-RPC call. */
export type Call = { method: string; params: readonly unknown[] }

/** Outcome of a call. `result` is the node's JSON, not validated. */
export type Outcome = { result: unknown } | { error: RpcError }

/**
 * Parses the body of a response elsewhere: returns one outcome per call, or the body for the usual parser. Never rejects,
 * and does not count towards the time of the POST.
 */
export type BodyTaker = (body: Buffer) => Promise<{ outcomes: Outcome[] } | { body: Buffer }>

/**
 * Sends calls to one endpoint. Returns one outcome per call, or a single one when the server refused them as a whole.
 * @param take gets the body of the response; a POST may ignore it.
 * @throws RpcTransportError when there was no response; the signal's reason when aborted.
 */
export type Post = (
  calls: readonly Call[],
  timeoutMs: number,
  signal?: AbortSignal,
  take?: BodyTaker,
) => Promise<Outcome[]>

const failed = z.looseObject({
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
})
const numbered = z.array(z.looseObject({ id: z.number() }))

const outcomeOf = (answer: unknown): Outcome => {
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return { result: answer.result }
  const refusal = failed.safeParse(answer)
  if (!refusal.success) return { error: rpcError(-32603, 'internal error: the answer is no JSON-RPC answer') }
  const { code, message, data } = refusal.data.error
  return { error: rpcError(code, message, data) }
}

/** Milliseconds of a Retry-After header: seconds or a date (RFC 9110 section 10.2.3). */
export const retryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

const isFine = (status: number) => status >= 200 && status < 300

/** The JSON of a response. Refusals may have any status, as JSON-RPC errors or as plain text. */
const read = (status: number, text: string): unknown => {
  if (isFine(status)) return JSON.parse(text)
  try {
    const answer: unknown = JSON.parse(text)
    return failed.safeParse(answer).success ? answer : undefined
  } catch {
    return undefined
  }
}

/**
 * Sends calls to one URL in one POST.
 * Returns one outcome per call, or a single one when the server refused the batch as a whole.
 * The deadline covers the body as well as the headers.
 * @throws RpcTransportError when there was no JSON-RPC response; the signal's reason when aborted.
 * @param readerOf creates the reader of a response body, which may shorten it.
 */
export const createPost = (url: string, now: () => number, readerOf?: () => BodyReader): Post => {
  const send = createTransport(url, readerOf)

  return async (calls, timeoutMs, signal, take) => {
    signal?.throwIfAborted()
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const stop = () => deadline.abort()
    signal?.addEventListener('abort', stop, { once: true })
    const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    try {
      const kept = take && keptBody()
      const sent = JSON.stringify(bodies.length === 1 ? bodies[0] : bodies)
      const { status, retryAfter: wait, text: whole } = await send(sent, deadline.signal, kept)
      clearTimeout(timer)
      const taken = take && kept && (isFine(status) ? await take(kept.bytes()) : { body: kept.bytes() })
      if (taken && 'outcomes' in taken) return taken.outcomes
      const text = taken ? textOf(taken.body) : whole
      const pause = retryAfter(wait, now())
      if (status === 429) throw new RpcTransportError('limited', 'HTTP 429', pause)
      const answer = read(status, text)
      if (answer === undefined) throw new RpcTransportError('http', `HTTP ${status}`, pause)
      if (!Array.isArray(answer) || calls.length === 1) {
        return [outcomeOf(Array.isArray(answer) ? answer[0] : answer)]
      }
      const byId = new Map(numbered.parse(answer).map((one) => [one.id, one]))
      return bodies.map(({ id }) => outcomeOf(byId.get(id)))
    } catch (error) {
      if (error instanceof RpcTransportError) throw error
      signal?.throwIfAborted()
      if (deadline.signal.aborted) throw new RpcTransportError('timeout', `no answer within ${timeoutMs} ms`)
      throw new RpcTransportError('network', reasonOf(error))
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}

/** The innermost reason, because outer messages may contain the URL and thus a key. */
export const reasonOf = (error: unknown): string => {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code
  return inner === error ? 'unreadable answer' : messageOf(inner).slice(0, 200)
}
