/** The API client of commands: finds URL and key, and turns failures into messages for the terminal. */
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
 * URL and key as given on the command line. Without them `ASSAY_URL` and `ASSAY_KEY` are used, then what `npm start` wrote
 * into the data folder.
 */
export type ApiOptions = { url?: string | undefined; key?: string | undefined }

const DEADLINE_MS = 15_000
/** Of a decompressed response body. Verdicts on a thousand addresses take a few MB. */
const MAX_ANSWER_BYTES = 64 << 20
/** Maximum pause that an API may ask for, s. */
const MAX_PAUSE = 3_600

/** A file that the last start on this machine wrote; `undefined` if missing or invalid. */
const written = <T>(dataDir: string, file: string, schema: z.ZodType<T>): T | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(join(dataDir, file), 'utf8')))
  } catch {
    return undefined
  }
}

/** URL without its credentials, and the header that sends them. Credentials are never shown. */
type Endpoint = { url: string; login: Record<string, string> }

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @throws OperatorError ASSAY_TOOL_OPTION for text that is not an http(s) URL */
export const endpointOf = (given: string): Endpoint => {
  if (!URL.canParse(given) || !/^https?:/.test(given)) {
    // Credentials come before the @.
    const shown = plain(given.replace(/^.*@/s, '')).slice(0, 200)
    throw new OperatorError('ASSAY_TOOL_OPTION', `--url ${shown} is not an http(s) URL. No request was sent.`)
  }
  const target = new URL(given)
  const { username, password } = target
  if (username === '' && password === '') return { url: given, login: {} }
  target.username = ''
  target.password = ''
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return { url: target.href, login: { authorization: `Basic ${login}` } }
}

/** Settings that locate an API on this machine. */
export type ApiSettings = Pick<Config, 'ASSAY_DATA' | 'ASSAY_PORT'>

/** The given URL, else `ASSAY_URL`, else that of the last start in the data folder, else that of the next start. */
const urlOf = ({ url }: ApiOptions, { ASSAY_DATA, ASSAY_PORT }: ApiSettings): string =>
  url ??
  process.env.ASSAY_URL ??
  written(ASSAY_DATA, 'api.json', z.object({ url: z.string() }))?.url ??
  `http://127.0.0.1:${ASSAY_PORT}`

const keyOf = ({ key }: ApiOptions, dataDir: string): string | undefined =>
  key ?? process.env.ASSAY_KEY ?? written(dataDir, 'keys.json', z.object({ enterprise: z.string() }))?.enterprise

/** A response with any status. */
export type ApiAnswer = {
  status: number
  body: unknown
  /** Seconds of `Retry-After`, at most one hour; 0 without it. */
  retryAfter: number
}

/** Client of a command. Responses of every status are returned; only missing or foreign responses throw. */
export type ApiClient = {
  url: string
  get: (path: string, signal?: AbortSignal) => Promise<ApiAnswer>
  /** @throws OperatorError ASSAY_TOOL_KEY without a key */
  post: (path: string, body: unknown, signal?: AbortSignal) => Promise<ApiAnswer>
}

/** Error message in a response other than 200. */
export const refusalOf = ({ status, body }: ApiAnswer): string => {
  const parsed = errorBody.safeParse(body)
  return parsed.success ? plain(parsed.data.message) : `It responded with status ${status}.`
}

/** @throws RpcTransportError for a body above the maximum size; the rest is not read */
const textOf = async (response: Response): Promise<string> => {
  const reader = bounded(wholeBody(), MAX_ANSWER_BYTES)
  for await (const piece of response.body ?? []) reader.push(Buffer.from(piece))
  return reader.end()
}

/**
 * @throws RetryableError ASSAY_TOOL_API_SILENT from every call without a response
 * @throws OperatorError ASSAY_TOOL_API_OTHER from calls that something other than Assay answers
 */
export const openApiClient = (settings: ApiSettings, given: ApiOptions): ApiClient => {
  const { url, login } = endpointOf(urlOf(given, settings))
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
          `${url} is not an Assay API: it returned ${cause.message}. Set the URL of the API with --url.`,
          { cause },
        )
      }
      const why = deadline.aborted ? `no response within ${DEADLINE_MS / 1_000} s` : reasonOf(cause)
      throw new RetryableError(
        'ASSAY_TOOL_API_SILENT',
        `No API responds at ${url} (${why}). Start one with assay up, or set another URL with --url.`,
        { cause },
      )
    }
    try {
      return { status, retryAfter, body: JSON.parse(text) }
    } catch (cause) {
      throw new OperatorError(
        'ASSAY_TOOL_API_OTHER',
        `${url} is not an Assay API: its response is not JSON (status ${status}). Set the URL of the API with --url.`,
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
          'No API key is set, so no request was sent. Set ASSAY_KEY or --key; assay keys create creates a key.',
        )
      }
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      return call(path, { method: 'POST', headers, body: JSON.stringify(body) }, signal)
    },
  }
}
