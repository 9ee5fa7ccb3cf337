/**
 * A client of the Assay API. Paths, bodies and answers are typed by `schema.d.ts`, which is generated from the API's own
 * OpenAPI document.
 */
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']
export type Assay = Client<paths>

export type AssayOptions = {
  /** URL of the server, such as `https://assay.example`. */
  baseUrl: string
  /** Your key. Leave it out where calls are paid for, with a `fetch` that pays. */
  key?: string
  /** Version of the API, a date. @default the one this client was made from */
  version?: string
  /** How often a request that the server refuses for now (429, 503) is sent again. @default 2 */
  retries?: number
  /** @default 10 */
  maxRetryAfterSeconds?: number
  /** Sends requests. @default the platform's */
  fetch?: (request: Request) => Promise<Response>
}

/** The version of the API that this client was made from. */
export const API_VERSION = '{{version}}'

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Sends a request again when the server says after how many seconds to do so. What was refused so has changed nothing. */
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
 * A client. Each call resolves to `{ data }` or `{ error, response }`; it rejects only when no answer came.
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
