import { getHttpRpcClient } from 'viem/utils'
import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { type RpcError, RpcTransportError, rpcError } from './errors.ts'

/** One JSON-RPC call. */
export type Call = { method: string; params: readonly unknown[] }

/** What a call came to. `result` is the node's JSON, unread. */
export type Outcome = { result: unknown } | { error: RpcError }

/**
 * Sends calls to one endpoint. Gives one outcome per call, or a single one when the server refused them as a whole.
 * @throws RpcTransportError when there was no answer; the signal's reason when aborted.
 */
export type Post = (calls: readonly Call[], timeoutMs: number, signal?: AbortSignal) => Promise<Outcome[]>

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

/**
 * Sends calls to one URL in one POST, over viem's HTTP client, whose formatters are not used.
 * Gives one outcome per call, or a single one when the server refused the batch as a whole.
 * The deadline covers the body as well as the headers.
 * @throws RpcTransportError when there was no JSON-RPC answer; the signal's reason when aborted.
 */
export const createPost = (url: string, now: () => number): Post => {
  const client = getHttpRpcClient(url, { timeout: 0, maxResponseBodySize: false })

  return async (calls, timeoutMs, signal) => {
    signal?.throwIfAborted()
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const stop = () => deadline.abort()
    signal?.addEventListener('abort', stop, { once: true })
    let status = 0
    let pause: number | undefined
    const bodies = calls.map(({ method, params }, id) => ({ id, method, params: [...params] }))
    const [only] = bodies
    try {
      const answer: unknown = await client.request({
        body: bodies.length === 1 && only ? only : bodies,
        fetchOptions: { signal: deadline.signal },
        onResponse: (response) => {
          status = response.status
          pause = retryAfter(response.headers.get('retry-after'), now())
        },
      })
      if (status === 429) throw new RpcTransportError('limited', 'HTTP 429', pause)
      if (!Array.isArray(answer) || calls.length === 1) {
        return [outcomeOf(Array.isArray(answer) ? answer[0] : answer)]
      }
      const byId = new Map(numbered.parse(answer).map((one) => [one.id, one]))
      return bodies.map(({ id }) => outcomeOf(byId.get(id)))
    } catch (error) {
      if (error instanceof RpcTransportError) throw error
      signal?.throwIfAborted()
      if (deadline.signal.aborted) throw new RpcTransportError('timeout', `no answer within ${timeoutMs} ms`)
      if (status === 429) throw new RpcTransportError('limited', 'HTTP 429', pause)
      if (status >= 400) throw new RpcTransportError('http', `HTTP ${status}`, pause)
      throw new RpcTransportError('network', reasonOf(error))
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}

/** The innermost reason only: the outer texts of viem hold the URL, which may hold a key. */
export const reasonOf = (error: unknown): string => {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code
  return inner === error ? 'unreadable answer' : messageOf(inner).slice(0, 200)
}
