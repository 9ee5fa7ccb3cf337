/** The API that commands ask: which one, with which key, and what its failures mean to the person at the terminal. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/config.ts'
import { OperatorError, RetryableError } from '../../platform/errors.ts'
import { RpcTransportError } from '../../platform/rpc/errors.ts'
import { reasonOf } from '../../platform/rpc/post.ts'
import { bounded, wholeBody } from '../../platform/rpc/transport.ts'
import { errorBody } from '../../schema/records/error.ts'
import { plain } from './text.ts'

/**
 * Address and key as the person gave them. Where they are left out, `ASSAY_URL` and `ASSAY_KEY` count, then what
 * `npm start` wrote into the data folder.
 */
export type ApiOptions = { url?: string | undefined; key?: string | undefined }

const DEADLINE_MS = 15_000
/** Of an answer, unpacked: verdicts on a thousand addresses are a few. */
const MAX_ANSWER_BYTES = 64 << 20
/** Longest pause that an API may ask for, s. */
const MAX_PAUSE = 3_600

/** What a start on this machine wrote down; `undefined` without it. */
const written = <T>(dataDir: string, file: string, schema: z.ZodType<T>): T | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(join(dataDir, file), 'utf8')))
  } catch {
    return undefined
  }
}

/** Where to ask, and the login that the URL holds: it is sent and never shown. */
type Place = { url: string; login: Record<string, string> }

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @throws OperatorError ASSAY_TOOL_OPTION for text that is no http(s) URL */
export const placeOf = (given: string): Place => {
  if (!URL.canParse(given) || !/^https?:/.test(given)) {
    // A login stands before the @.
    const shown = plain(given.replace(/^.*@/s, '')).slice(0, 200)
    throw new OperatorError('ASSAY_TOOL_OPTION', `--url ${shown} is no http(s) URL. Nothing was asked.`)
  }
  const target = new URL(given)
  const { username, password } = target
  if (username === '' && password === '') return { url: given, login: {} }
  target.username = ''
  target.password = ''
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return { url: target.href, login: { authorization: `Basic ${login}` } }
}

/** The settings that tell where an API on this machine is. */
export type ApiSettings = Pick<Config, 'ASSAY_DATA' | 'ASSAY_PORT'>

/** The URL given, else `ASSAY_URL`, else that of the last start on the data folder, else the one of the next start. */
const urlOf = ({ url }: ApiOptions, { ASSAY_DATA, ASSAY_PORT }: ApiSettings): string =>
  url ??
  process.env.ASSAY_URL ??
  written(ASSAY_DATA, 'api.json', z.object({ url: z.string() }))?.url ??
  `http://127.0.0.1:${ASSAY_PORT}`

const keyOf = ({ key }: ApiOptions, dataDir: string): string | undefined =>
  key ?? process.env.ASSAY_KEY ?? written(dataDir, 'keys.json', z.object({ enterprise: z.string() }))?.enterprise

/** An answer of any status. `body` is undefined where it was no JSON. */
export type ApiAnswer = {
  status: number
  body: unknown
  /** Seconds of `Retry-After`, an hour at most; 0 without it. */
  retryAfter: number
}

/** The API that a command asks. Answers of every status come back as they are; only what is no answer is thrown. */
export type ApiClient = {
  url: string
  get: (path: string, signal?: AbortSignal) => Promise<ApiAnswer>
  /** @throws OperatorError ASSAY_TOOL_KEY without a key */
  post: (path: string, body: unknown, signal?: AbortSignal) => Promise<ApiAnswer>
}

/** What the API said of an answer that is no 200. */
export const refusalOf = ({ status, body }: ApiAnswer): string => {
  const told = errorBody.safeParse(body)
  return told.success ? plain(told.data.message) : `It answered with status ${status}.`
}

/** @throws RpcTransportError for more than is taken; the rest is not waited for */
const textOf = async (response: Response): Promise<string> => {
  const reader = bounded(wholeBody(), MAX_ANSWER_BYTES)
  for await (const piece of response.body ?? []) reader.push(Buffer.from(piece))
  return reader.end()
}

/**
 * @throws RetryableError ASSAY_TOOL_API_SILENT from every call that gets no answer
 * @throws OperatorError ASSAY_TOOL_API_OTHER from calls that something else than Assay answers
 */
export const openApiClient = (settings: ApiSettings, given: ApiOptions): ApiClient => {
  const { url, login } = placeOf(urlOf(given, settings))
  const key = keyOf(given, settings.ASSAY_DATA)

  const call = async (
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
    signal?: AbortSignal,
  ): Promise<ApiAnswer> => {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    const either = signal ? AbortSignal.any([signal, deadline]) : deadline
    let status: number
    let text: string
    let retryAfter: number
    try {
      const response = await fetch(new URL(path, url), {
        ...init,
        headers: { ...login, ...init.headers },
        signal: either,
      })
      status = response.status
      retryAfter = Math.min(MAX_PAUSE, Math.max(0, Number(response.headers.get('retry-after') ?? 0) || 0))
      text = await textOf(response)
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof RpcTransportError) {
        throw new OperatorError(
          'ASSAY_TOOL_API_OTHER',
          `${url} gives ${cause.message}, so it is no API of Assay. Name its URL with --url.`,
          { cause },
        )
      }
      const why = deadline.aborted ? `no answer within ${DEADLINE_MS / 1_000} s` : reasonOf(cause)
      throw new RetryableError(
        'ASSAY_TOOL_API_SILENT',
        `No API answers at ${url} (${why}). Start one with assay up, or name another with --url.`,
        { cause },
      )
    }
    try {
      return { status, retryAfter, body: JSON.parse(text) }
    } catch (cause) {
      throw new OperatorError(
        'ASSAY_TOOL_API_OTHER',
        `${url} answers with something else than JSON (status ${status}), so it is no API of Assay. Name its URL with --url.`,
        { cause },
      )
    }
  }

  return {
    url,
    get: (path, signal) => call(path, {}, signal),
    post: (path, body, signal) => {
      if (key === undefined) {
        throw new OperatorError(
          'ASSAY_TOOL_KEY',
          'There is no API key to ask with, so nothing was asked. Set ASSAY_KEY, or name --key; assay keys create makes one.',
        )
      }
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      return call(path, { method: 'POST', headers, body: JSON.stringify(body) }, signal)
    },
  }
}
