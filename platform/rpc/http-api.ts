/**
 * Calls to nodes with REST paths instead of JSON-RPC: `method` is the path below the URL, the only parameter is the JSON
 * body, and each call is its own POST, or a GET where a node takes its parameters in the URL.
 */
import { z } from 'zod'
import { RpcTransportError, rpcError } from './errors.ts'
import { parseExact } from './json.ts'
import { type Call, type Outcome, type Post, reasonOf, retryAfter } from './post.ts'
import { bounded, MAX_ANSWER_BYTES, wholeBody } from './transport.ts'

/** A request with a body, or with a query. */
type ApiRequest = { path: string; body: unknown } | { path: string; query: Readonly<Record<string, string>> }

/** How a server differs from the plain form: its errors, how it refuses too many calls, and where parameters go. */
export type HttpApi = {
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
  /** Statuses besides 429 that mean too many calls. */
  limitedBy?: readonly number[]
  /** Pause after such a response without `Retry-After`, ms. */
  limitPauseMs?: number
  /** Reads an error from a response of status 200; `undefined` if it is none. */
  errorIn?: (answer: unknown) => string | undefined
  /** Error responses have their own status, and `errorIn` reads them too. */
  errorsHaveStatus?: boolean
  /** Request of a call: with a body a POST, with a query a GET. @default the first parameter as body, to the path of the method */
  requestOf?: (call: Call) => ApiRequest
  /** Maximum size of an uncompressed response. */
  maxAnswerBytes?: number
}

const TOO_MANY = 429
/** The server does not have the path. */
const MISSING = new Set([404, 405])
const bodyOf = z.looseObject({})

const requestByPath: NonNullable<HttpApi['requestOf']> = ({ method, params }) => ({
  path: method,
  body: bodyOf.parse(params[0] ?? {}),
})

/** The error in an unexpected response, `undefined` if there is none to be read. */
const errorOf = (text: string, errorIn: HttpApi['errorIn']): string | undefined => {
  try {
    return errorIn?.(parseExact(text))
  } catch {
    return undefined
  }
}

/** The text of a response, cut off at the limit. @throws RpcTransportError */
const textOf = async (response: Response, maxBytes: number): Promise<string> => {
  const reader = bounded(wholeBody(), maxBytes)
  for await (const piece of response.body ?? []) reader.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length))
  return reader.end()
}

/** Sends calls to the paths below one URL. Redirects are refused, because they would forward the headers. */
export const createHttpApi = (
  url: string,
  now: () => number,
  {
    headers = {},
    limitedBy = [],
    limitPauseMs,
    errorIn,
    errorsHaveStatus = false,
    requestOf = requestByPath,
    maxAnswerBytes = MAX_ANSWER_BYTES,
  }: HttpApi = {},
): Post => {
  const base = new URL(url)
  const credentials = base.username === '' ? undefined : `${base.username}:${base.password}`
  base.username = ''
  base.password = ''
  const login: Record<string, string> =
    credentials === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}` }
  const urlOf = (apiRequest: ApiRequest): string => {
    const target = new URL(base)
    target.pathname = `${base.pathname.replace(/\/+$/, '')}/${apiRequest.path}`
    if ('query' in apiRequest) {
      for (const [name, value] of Object.entries(apiRequest.query)) target.searchParams.set(name, value)
    }
    return target.href
  }

  const outcomeOf = (status: number, text: string, pause: number | undefined): Outcome => {
    if (status === TOO_MANY || limitedBy.includes(status)) {
      throw new RpcTransportError('limited', `HTTP ${status}`, pause ?? limitPauseMs)
    }
    if (status < 200 || status >= 300) {
      const reason = errorsHaveStatus ? errorOf(text, errorIn) : undefined
      if (reason === undefined && MISSING.has(status)) return { error: rpcError(-32_601, `HTTP ${status}`) }
      if (reason === undefined) throw new RpcTransportError('http', `HTTP ${status}`, pause)
      return { error: rpcError(-32_603, reason.slice(0, 200)) }
    }
    const answer = parseExact(text)
    const error = errorIn?.(answer)
    return error === undefined ? { result: answer } : { error: rpcError(-32_603, error.slice(0, 200)) }
  }

  const one = async (call: Call, signal: AbortSignal): Promise<Outcome> => {
    const apiRequest = requestOf(call)
    const requestHeaders = { ...login, ...headers, accept: 'application/json' }
    const response = await fetch(urlOf(apiRequest), {
      ...('query' in apiRequest
        ? { method: 'GET', headers: requestHeaders }
        : {
            method: 'POST',
            headers: { ...requestHeaders, 'content-type': 'application/json' },
            body: JSON.stringify(apiRequest.body),
          }),
      redirect: 'error',
      signal,
    })
    const pause = retryAfter(response.headers.get('retry-after'), now())
    return outcomeOf(response.status, await textOf(response, maxAnswerBytes), pause)
  }

  return async (calls, timeoutMs, signal) => {
    signal?.throwIfAborted()
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const stop = () => deadline.abort()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.all(calls.map((call) => one(call, deadline.signal)))
    } catch (error) {
      if (error instanceof RpcTransportError) throw error
      signal?.throwIfAborted()
      if (deadline.signal.aborted) throw new RpcTransportError('timeout', `no answer within ${timeoutMs} ms`)
      throw new RpcTransportError('network', reasonOf(error))
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      deadline.abort()
    }
  }
}
