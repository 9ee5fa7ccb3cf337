/** Parts that all paths of the OpenAPI document share: schemas, headers, answers of errors. */
import { z } from 'zod'
import { EVERYWHERE } from '../../http/security-headers.ts'
import { VERSIONS } from '../../http/versions.ts'
import { PAYMENT_CHAIN, requirementsV1 } from '../../x402/protocol/offer.ts'
import { codesOf, ERROR_PAGES, exampleBodyOf } from '../errors.ts'

/** Id of a screening job in examples. */
export const JOB_ID = 'screen_0123456789abcdef01234567'

/** A JSON object. */
export type Json = { [key: string]: unknown }

/** Whether a JSON value is an object, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rewrites a JSON schema of zod's into the form OpenAPI 3.1 has it: shared parts as components, examples as lists. */
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

/** Schemas that paths refer to, and what adds one and gives its reference. */
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

/** Headers of every answer to a key that has a limit, refusals included. */
export const RATE_HEADERS = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
}
/** Headers of every answer. */
export const ID_HEADER = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'Assay-Version': { $ref: '#/components/headers/Assay-Version' },
  Deprecation: { $ref: '#/components/headers/Deprecation' },
  Sunset: { $ref: '#/components/headers/Sunset' },
}
/** Headers of answers about an address. */
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

/** Every header of an answer. */
export const HEADERS = {
  'X-Request-Id': text('Id of the request, the caller’s own where it sent a usable one', 'order-7'),
  'X-Assay-Data-Height': number('Newest block that the record knows', 19_001_000),
  'X-Assay-Coverage': text('What of the network is known', 'from=19000000, to=19001000, authorities=complete'),
  'X-Assay-Demonstration': text('`true` when a test key is answered about a demonstration address', 'true'),
  'RateLimit-Limit': number('Calls allowed in a window', 1_000),
  'RateLimit-Remaining': number('Calls left in this window', 999),
  'RateLimit-Reset': number('Seconds until the oldest calls of the window are free again', 60),
  'Retry-After': number('Seconds after which to try again', 5),
  'PAYMENT-REQUIRED': text('Offer in version 2 of x402, base64 JSON', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
  'PAYMENT-RESPONSE': text('Receipt of a settled payment, base64 JSON', receipt),
  'X-PAYMENT-RESPONSE': text('The same receipt, under the name that version 1 of x402 has for it', receipt),
  'WWW-Authenticate': text('How to authenticate', 'ApiKey realm="assay", header="x-api-key"'),
  'Idempotent-Replayed': text('`true` when an earlier upload under the same key made the job', 'true'),
  'Assay-Version': text('Version of the API that answered, a date', VERSIONS[0].version),
  Deprecation: text('Since when what you use is advised against, `@` and Unix seconds (RFC 9745)', '@1795305600'),
  Sunset: text('When it will be gone (RFC 8594)', 'Mon, 22 Nov 2027 00:00:00 GMT'),
  Link: text(
    'The page of the error (`rel="help"`), or of what is deprecated (`rel="deprecation"`)',
    '</docs/errors/INVALID_REQUEST>; rel="help"',
  ),
  ETag: text('Names the content, for If-None-Match', '"8u6bWq3ZtK0c1mYp5Jx2dA"'),
  Allow: text('Methods that the path takes', 'POST'),
  Location: text('Path of the job', `/screen/${JOB_ID}`),
  'Content-Disposition': text('Name of the file, for browsers that save it', `attachment; filename="${JOB_ID}.csv"`),
  'Access-Control-Allow-Origin': text('`*`: pages of every site may read the document', '*'),
}

/** Receipts of what was paid for with the request. */
export const RECEIPTS = {
  'PAYMENT-RESPONSE': { $ref: '#/components/headers/PAYMENT-RESPONSE' },
  'X-PAYMENT-RESPONSE': { $ref: '#/components/headers/X-PAYMENT-RESPONSE' },
}

/** What every answer carries beside the headers that the paths name. */
export const everywhereText = (): string =>
  `Every answer also has the headers ${Object.keys(EVERYWHERE)
    .map((name) => `\`${name}\``)
    .join(', ')}.`

/** Marks what the contract does not have. */
export const EXTENSIONS_NOTE = 'An extension of the contract.'
const DESCRIPTIONS: Record<number, string> = {
  400: 'Missing or invalid fields in the request body',
  401: 'API key missing or invalid',
  403: `The tier does not cover the operation, or the request came over plain HTTP. ${EXTENSIONS_NOTE}`,
  404: 'Not found',
  405: 'The path does not take this method',
  408: `The upload came too slowly. ${EXTENSIONS_NOTE}`,
  409: `The job is not finished, the idempotency key belongs to another upload, or it was changed meanwhile. ${EXTENSIONS_NOTE}`,
  429: 'Rate limit exceeded, or the server is busy',
  500: 'Internal server error',
  503: `The analysis is not part of this installation, or a part the answer needs did not respond. ${EXTENSIONS_NOTE}`,
}

/** The answer of all errors of a status. */
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
  description: 'Payment offer in version 1 of x402, and an error body at once',
  required: ['message', 'error', 'details', 'x402Version', 'accepts'],
  properties: {
    message: {
      type: 'string',
      description: 'What happened, for people',
      examples: [ERROR_PAGES.PAYMENT_REQUIRED.when],
    },
    error: {
      type: 'string',
      description: 'The reason of x402, an open list; `settlement_pending` and `payment_in_progress` are not final',
      examples: ['X-PAYMENT header is required'],
    },
    details: { type: 'array', items: {}, description: 'Always empty', examples: [[]] },
    x402Version: { type: 'integer', description: 'Version of x402 that the body is of', examples: [1] },
    accepts: {
      type: 'array',
      items: { type: 'object' },
      description: 'Payments that are accepted, as x402 describes requirements',
      examples: [
        [requirementsV1(`0x${'11'.repeat(20)}`, { url: 'https://HOST/api/fraud/check', description: 'One call' })],
      ],
    },
  },
}

const examplesOf = (properties: Record<string, { examples: unknown[] }>): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]))

/** The answer to a call without key and payment. */
export const paymentRequired = {
  description:
    'Neither key nor settled payment; with Retry-After, the payment is under way and is to be sent again. The offer is in the header PAYMENT-REQUIRED (x402 version 2) and in the body (version 1). An extension of the contract, on the agent surface with payments configured',
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
