/**
 * Calls to nodes that offer paths instead of JSON-RPC: `method` is the path below the URL, the only parameter the JSON
 * body, and each call a POST of its own, or a GET where a node wants its questions in the URL.
 */
import { z } from 'zod'
import { RpcTransportError, rpcError } from './errors.ts'
import { parseExact } from './json.ts'
import { type Call, type Outcome, type Post, reasonOf, retryAfter } from './post.ts'
import { bounded, MAX_ANSWER_BYTES, wholeBody } from './transport.ts'

/** A question with a body, or one that stands in the URL. */
type Question = { path: string; body: unknown } | { path: string; query: Readonly<Record<string, string>> }

/**
 * How one server departs from the plain form: which answers are errors, how it refuses too many calls, where questions
 * stand.
 */
export type HttpApi = {
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
  /** Statuses by which the server refuses calls as too many, beside 429. */
  limitedBy?: readonly number[]
  /** Pause after such an answer that states none, ms. */
  limitPauseMs?: number
  /** Reads an error out of an answer of status 200; `undefined` when it is an answer. */
  errorIn?: (answer: unknown) => string | undefined
  /** Errors have a status of their own, and `errorIn` reads them too. */
  errorsHaveStatus?: boolean
  /** How a call is put: a body is posted, a query is got. @default the first parameter as body to the path that the method names */
  put?: (call: Call) => Question
  /** Bytes of an answer, unpacked, that are taken. */
  maxAnswerBytes?: number
}

const TOO_MANY = 429
/** The server has no such path. */
const MISSING = new Set([404, 405])
const bodyOf = z.looseObject({})

const putByPath: NonNullable<HttpApi['put']> = ({ method, params }) => ({
  path: method,
  body: bodyOf.parse(params[0] ?? {}),
})

/** The error in an answer that is not what was asked for, `undefined` where there is none to be read. */
const explained = (text: string, errorIn: HttpApi['errorIn']): string | undefined => {
  try {
    return errorIn?.(parseExact(text))
  } catch {
    return undefined
  }
}

/** The text of an answer. What is more than is taken is not waited for. @throws RpcTransportError */
const textOf = async (response: Response, maxBytes: number): Promise<string> => {
  const reader = bounded(wholeBody(), maxBytes)
  for await (const piece of response.body ?? []) reader.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length))
  return reader.end()
}

/** Sends calls to the paths below one URL. Redirects are refused, because headers would travel along. */
export const createHttpApi = (
  url: string,
  now: () => number,
  {
    headers = {},
    limitedBy = [],
    limitPauseMs,
    errorIn,
    errorsHaveStatus = false,
    put = putByPath,
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
  const urlOf = (question: Question): string => {
    const target = new URL(base)
    target.pathname = `${base.pathname.replace(/\/+$/, '')}/${question.path}`
    if ('query' in question) {
      for (const [name, value] of Object.entries(question.query)) target.searchParams.set(name, value)
    }
    return target.href
  }

  const outcomeOf = (status: number, text: string, pause: number | undefined): Outcome => {
    if (status === TOO_MANY || limitedBy.includes(status)) {
      throw new RpcTransportError('limited', `HTTP ${status}`, pause ?? limitPauseMs)
    }
    if (status < 200 || status >= 300) {
      const reason = errorsHaveStatus ? explained(text, errorIn) : undefined
      if (reason === undefined && MISSING.has(status)) return { error: rpcError(-32_601, `HTTP ${status}`) }
      if (reason === undefined) throw new RpcTransportError('http', `HTTP ${status}`, pause)
      return { error: rpcError(-32_603, reason.slice(0, 200)) }
    }
    const answer = parseExact(text)
    const error = errorIn?.(answer)
    return error === undefined ? { result: answer } : { error: rpcError(-32_603, error.slice(0, 200)) }
  }

  const one = async (call: Call, signal: AbortSignal): Promise<Outcome> => {
    const question = put(call)
    const asked = { ...login, ...headers, accept: 'application/json' }
    const response = await fetch(urlOf(question), {
      ...('query' in question
        ? { method: 'GET', headers: asked }
        : {
            method: 'POST',
            headers: { ...asked, 'content-type': 'application/json' },
            body: JSON.stringify(question.body),
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
