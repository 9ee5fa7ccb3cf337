/**
 * Client of the Assay API. Paths, requests and responses are typed in `schema.d.ts`, generated from the OpenAPI document of
 * the API.
 */
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']
export type Assay = Client<paths>

export type AssayOptions = {
  /** URL of the server, such as `https://assay.example`. */
  baseUrl: string
  /** Your API key. Without it, pass a `fetch` that pays for calls. */
  key?: string
  /** Version of the API, a date. @default the version this client was generated from */
  version?: string
  /** Maximum number of retries of a request refused with 429 or 503. @default 2 */
  retries?: number
  /** Maximum `Retry-After` to wait for, s. A response with a longer one is returned. @default 10 */
  maxRetryAfterSeconds?: number
  /** Sends requests. @default `fetch` of the platform */
  fetch?: (request: Request) => Promise<Response>
}

/** Version of the API that this client was generated from. */
export const API_VERSION = '{{version}}'

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Retries requests when the response has `Retry-After`. Requests refused with 429 or 503 changed nothing. */
const retrying =
  (send: (request: Request) => Promise<Response>, retries: number, maxSeconds: number) =>
  async (request: Request): Promise<Response> => {
    for (let left = retries; ; left--) {
      const response = await send(request.clone())
      const retryAfter = response.headers.get('retry-after')
      const seconds = retryAfter === null ? Number.NaN : Number(retryAfter)
      const isRefusedForNow = response.status === 429 || response.status === 503
      if (left <= 0 || !isRefusedForNow || !(seconds <= maxSeconds)) return response
      await response.body?.cancel()
      await sleep(seconds)
    }
  }

/**
 * Creates a client. Calls resolve to `{ data }` or `{ error, response }`, and reject only without a response.
 *
 * @example
 * const assay = createAssay({ baseUrl: 'https://assay.example', key: process.env.ASSAY_KEY })
 * const { data, error } = await assay.POST('/fraud/check', { body: { network: 'ETH', walletAddress: '0x...' } })
 */
export const createAssay = ({
  baseUrl,
  key,
  version = API_VERSION,
  retries = 2,
  maxRetryAfterSeconds = 10,
  fetch = globalThis.fetch,
}: AssayOptions): Assay =>
  createClient<paths>({
    baseUrl,
    headers: { 'assay-version': version, ...(key !== undefined && { 'x-api-key': key }) },
    fetch: retrying(fetch, retries, maxRetryAfterSeconds),
  })
