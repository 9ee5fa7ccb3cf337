/** Components that the paths of the OpenAPI document share: schemas, headers, error responses. */
import { z } from 'zod'
import { EVERYWHERE } from '../../http/security-headers.ts'
import { VERSIONS } from '../../http/versions.ts'
import { PAYMENT_CHAIN, requirementsV1 } from '../../x402/protocol/offer.ts'
import { codesOf, ERROR_PAGES, exampleBodyOf } from '../errors.ts'

/** Id of a screening job in examples. */
export const JOB_ID = 'screen_0123456789abcdef01234567'

/** A JSON object. */
export type Json = { [key: string]: unknown }

/** Whether a JSON value is an object (not an array). */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts a JSON schema from zod to OpenAPI 3.1: `$defs` become components, `example` becomes `examples`. */
const adapt = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(adapt)
  if (!isObject(value)) return value
  const { $schema: _, $defs: __, $id: ___, id: ____, example, ...rest } = value
  const out: Json = {}
  for (const [key, inner] of Object.entries(rest)) {
    if (key === '$ref' && typeof inner === 'string') out[key] = inner.replace('#/$defs/', '#/components/schemas/')
    else if (key === 'pattern' && rest.format === 'date-time') continue
    else out[key] = key === 'properties' && isObject(inner) ? mapValues(inner) : adapt(inner)
  }
  if (example !== undefined) out.examples = [example]
  return out
}
const mapValues = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, adapt(inner)]))

/** The schemas of the document. `add` registers one and returns its reference. */
export const createComponents = () => {
  const schemas: Json = {}
  const add = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const json: Json = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
    if (isObject(json.$defs)) for (const [name, part] of Object.entries(json.$defs)) schemas[name] ??= adapt(part)
    const adapted = adapt(json)
    const id = json.id
    if (typeof id === 'string') {
      schemas[id] = adapted
      return { $ref: `#/components/schemas/${id}` }
    }
    return isObject(adapted) ? adapted : {}
  }
  return { schemas, add }
}

/** Headers of every response to a key with a limit, including refusals. */
export const RATE_HEADERS = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
}
/** Headers of every response. */
export const ID_HEADER = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'Assay-Version': { $ref: '#/components/headers/Assay-Version' },
  Deprecation: { $ref: '#/components/headers/Deprecation' },
  Sunset: { $ref: '#/components/headers/Sunset' },
}
/** Headers of responses about an address. */
export const COVERAGE_HEADERS = {
  'X-Assay-Data-Height': { $ref: '#/components/headers/X-Assay-Data-Height' },
  'X-Assay-Coverage': { $ref: '#/components/headers/X-Assay-Coverage' },
  'X-Assay-Demonstration': { $ref: '#/components/headers/X-Assay-Demonstration' },
}
const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })
const number = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example })
const receipt = Buffer.from(
  JSON.stringify({
    success: true,
    transaction: `0x${'5e'.repeat(32)}`,
    network: PAYMENT_CHAIN,
    payer: `0x${'22'.repeat(20)}`,
  }),
).toString('base64')

/** Every response header. */
export const HEADERS = {
  'X-Request-Id': text('Id of the request: the one you sent, if it was valid', 'order-7'),
  'X-Assay-Data-Height': number('Newest block that the record takes into account', 19_001_000),
  'X-Assay-Coverage': text(
    'Indexed block range of the network, and whether the logs of sanctions authorities are complete',
    'from=19000000, to=19001000, authorities=complete',
  ),
  'X-Assay-Demonstration': text('`true` if a test key got a demonstration record', 'true'),
  'RateLimit-Limit': number('Calls allowed per window', 1_000),
  'RateLimit-Remaining': number('Calls left in this window', 999),
  'RateLimit-Reset': number('Seconds until the oldest calls leave the window', 60),
  'Retry-After': number('Seconds to wait before you retry', 5),
  'PAYMENT-REQUIRED': text('x402 version 2 offer, base64-encoded JSON', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
  'PAYMENT-RESPONSE': text('Receipt of a settled payment, base64-encoded JSON', receipt),
  'X-PAYMENT-RESPONSE': text('The same receipt under its x402 version 1 name', receipt),
  'WWW-Authenticate': text('How to authenticate', 'ApiKey realm="assay", header="x-api-key"'),
  'Idempotent-Replayed': text('`true` if an earlier upload with the same key created the job', 'true'),
  'Assay-Version': text('API version of the response, a date', VERSIONS[0].version),
  Deprecation: text('When what you use was deprecated: `@` and Unix seconds (RFC 9745)', '@1795305600'),
  Sunset: text('When it will be removed (RFC 8594)', 'Mon, 22 Nov 2027 00:00:00 GMT'),
  Link: text(
    'Page about the error (`rel="help"`) or the deprecation (`rel="deprecation"`)',
    '</docs/errors/INVALID_REQUEST>; rel="help"',
  ),
  ETag: text('Version of the content, for If-None-Match', '"8u6bWq3ZtK0c1mYp5Jx2dA"'),
  Allow: text('Methods that the path supports', 'POST'),
  Location: text('Path of the job', `/screen/${JOB_ID}`),
  'Content-Disposition': text('File name of the download', `attachment; filename="${JOB_ID}.csv"`),
  'Access-Control-Allow-Origin': text('`*`: web pages of every origin may read the document', '*'),
}

/** Headers with the receipt of a payment. */
export const RECEIPTS = {
  'PAYMENT-RESPONSE': { $ref: '#/components/headers/PAYMENT-RESPONSE' },
  'X-PAYMENT-RESPONSE': { $ref: '#/components/headers/X-PAYMENT-RESPONSE' },
}

/** Sentence about the headers of every response that the paths do not list. */
export const everywhereText = (): string =>
  `Every response also has the headers ${Object.keys(EVERYWHERE)
    .map((name) => `\`${name}\``)
    .join(', ')}.`

/** Marks paths and responses that the public contract does not have. */
export const EXTENSIONS_NOTE = 'An extension of the contract.'
const DESCRIPTIONS: Record<number, string> = {
  400: 'Missing or invalid fields in the request body',
  401: 'API key missing or invalid',
  403: `The tier does not cover the operation, or the request came over plain HTTP. ${EXTENSIONS_NOTE}`,
  404: 'Not found',
  405: 'The path does not support this method',
  408: `The upload was too slow. ${EXTENSIONS_NOTE}`,
  409: `The job is not finished, the idempotency key belongs to another upload, or the resource was changed meanwhile. ${EXTENSIONS_NOTE}`,
  429: 'Rate limit exceeded, or the server is busy',
  500: 'Internal server error',
  503: `The server does not run this analysis, or a service it depends on did not respond. ${EXTENSIONS_NOTE}`,
}

/** The error response of a status, with an example for each of its codes. */
export const errorResponse = (status: number) => ({
  description: `${DESCRIPTIONS[status]}. Codes: ${codesOf(status).join(', ')}`,
  headers: {
    ...ID_HEADER,
    Link: { $ref: '#/components/headers/Link' },
    ...(status === 401 || status === 405 ? {} : RATE_HEADERS),
    ...(status === 401 ? { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } } : {}),
    ...(status === 405 ? { Allow: { $ref: '#/components/headers/Allow' } } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        codesOf(status).map((code) => [code, { summary: ERROR_PAGES[code].when, value: exampleBodyOf(code) }]),
      ),
    },
  },
})

/** Schema of the body of a 402. */
export const PAYMENT_REQUIRED = {
  type: 'object',
  description: 'x402 version 1 payment offer, which is also an error body',
  required: ['message', 'error', 'details', 'x402Version', 'accepts'],
  properties: {
    message: {
      type: 'string',
      description: 'Human-readable message',
      examples: [ERROR_PAGES.PAYMENT_REQUIRED.when],
    },
    error: {
      type: 'string',
      description:
        'x402 reason. New reasons may be added. `settlement_pending` and `payment_in_progress` are not final',
      examples: ['X-PAYMENT header is required'],
    },
    details: { type: 'array', items: {}, description: 'Always empty', examples: [[]] },
    x402Version: { type: 'integer', description: 'x402 version of the body', examples: [1] },
    accepts: {
      type: 'array',
      items: { type: 'object' },
      description: 'Accepted payments, as x402 payment requirements',
      examples: [
        [requirementsV1(`0x${'11'.repeat(20)}`, { url: 'https://HOST/api/fraud/check', description: 'One call' })],
      ],
    },
  },
}

const examplesOf = (properties: Record<string, { examples: unknown[] }>): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]))

/** The response to a call with neither key nor settled payment. */
export const paymentRequired = {
  description:
    'Neither an API key nor a settled payment. The offer is in the header PAYMENT-REQUIRED (x402 version 2) and in the body (version 1). With Retry-After the payment is still settling: send it again. An extension of the contract, on the agent surface with payments configured',
  headers: {
    ...ID_HEADER,
    'PAYMENT-REQUIRED': { $ref: '#/components/headers/PAYMENT-REQUIRED' },
    'Retry-After': { $ref: '#/components/headers/Retry-After' },
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/PaymentRequired' },
      example: examplesOf(PAYMENT_REQUIRED.properties),
    },
  },
}
