/** OpenAPI 3.1 of both surfaces, generated from the operations table and the record schemas. */
import { z } from 'zod'
import { batchItemId } from '../../../schema/records/batches.ts'
import { errorBody } from '../../../schema/records/error.ts'
import { EXTENSIONS, type ExtensionInfo } from '../../../schema/records/extensions.ts'
import {
  OPERATION_LIST,
  OPERATIONS,
  type OperationInfo,
  SURFACE_PREFIX,
  type Surface,
} from '../../../schema/records/operations.ts'
import { ERROR_STATUS, type ErrorName } from '../../answer.ts'
import { monitoringPaths, webhooksOf } from './monitoring.ts'
import { screeningPaths } from './screening.ts'
import { usagePath } from './usage.ts'

/** Version of the public contract. */
export const CONTRACT_VERSION = '1.0.2'

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

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

const createComponents = () => {
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

const RATE_HEADERS = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
}
const ID_HEADER = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const COVERAGE_HEADERS = {
  'X-Assay-Data-Height': { $ref: '#/components/headers/X-Assay-Data-Height' },
  'X-Assay-Coverage': { $ref: '#/components/headers/X-Assay-Coverage' },
  'X-Assay-Demonstration': { $ref: '#/components/headers/X-Assay-Demonstration' },
}
const header = (description: string, type: 'integer' | 'string') => ({ description, schema: { type } })

const HEADERS = {
  'X-Request-Id': header('Id of the request, the caller’s own where it sent a usable one', 'string'),
  'X-Assay-Data-Height': header('Newest block that the record knows', 'integer'),
  'X-Assay-Coverage': header(
    'What of the network is known, such as `from=19000000, to=19001000, authorities=complete`',
    'string',
  ),
  'X-Assay-Demonstration': header('`true` when a test key is answered about a demonstration address', 'string'),
  'RateLimit-Limit': header('Calls allowed in a window', 'integer'),
  'RateLimit-Remaining': header('Calls left in this window', 'integer'),
  'RateLimit-Reset': header('Seconds until the oldest calls of the window are free again', 'integer'),
  'Retry-After': header('Seconds after which to try again', 'integer'),
  'PAYMENT-REQUIRED': header('Offer in version 2 of x402, base64 JSON', 'string'),
}

const codesOf = (status: number): ErrorName[] =>
  Object.entries(ERROR_STATUS).flatMap(([name, code]) => (code === status ? [name as ErrorName] : []))

const EXTENSIONS_NOTE = 'An extension of the contract.'
const DESCRIPTIONS: Record<number, string> = {
  400: 'Missing or invalid fields in the request body',
  401: 'API key missing or invalid',
  403: `The tier does not cover the operation, or the request came over plain HTTP. ${EXTENSIONS_NOTE}`,
  404: 'Not found',
  409: `The job is not finished, or the idempotency key belongs to another upload. ${EXTENSIONS_NOTE}`,
  429: 'Rate limit exceeded, or the server is busy',
  500: 'Internal server error',
  503: `The analysis is not part of this installation, or a part the answer needs did not respond. ${EXTENSIONS_NOTE}`,
}

const errorResponse = (status: number) => ({
  description: `${DESCRIPTIONS[status]}. Codes: ${codesOf(status).join(', ')}`,
  headers: {
    ...ID_HEADER,
    ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const paymentRequired = {
  description:
    'Neither key nor settled payment; with Retry-After, the payment is under way and is to be sent again. The offer is in the header PAYMENT-REQUIRED (x402 version 2) and in the body (version 1). An extension of the contract, on the agent surface with payments configured',
  headers: {
    ...ID_HEADER,
    'PAYMENT-REQUIRED': { $ref: '#/components/headers/PAYMENT-REQUIRED' },
    'Retry-After': { $ref: '#/components/headers/Retry-After' },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
}

const PAYMENT_REQUIRED = {
  type: 'object',
  description: 'Payment offer in version 1 of x402, and an error body at once',
  required: ['message', 'error', 'details', 'x402Version', 'accepts'],
  properties: {
    message: { type: 'string' },
    error: { type: 'string' },
    details: { type: 'array', items: {} },
    x402Version: { type: 'integer' },
    accepts: { type: 'array', items: { type: 'object' } },
  },
}

const notFoundOf = ({ subject }: OperationInfo): string => `${subject === 'wallet' ? 'Wallet' : 'Contract'} not found`

const operationOf = (
  info: OperationInfo,
  surface: Surface,
  add: (schema: z.ZodType, io: 'input' | 'output') => Json,
) => ({
  operationId: surface === 'agent' ? `agent_${info.id}` : info.id,
  summary: info.summary,
  description: `${info.summary}. Networks: ${info.networks.join(', ')}. Tiers: ${info.tiers.join(', ')}.`,
  tags: [surface],
  security: surface === 'agent' ? [{ apiKey: [] }, { payment: [] }] : [{ apiKey: [] }],
  requestBody: { required: true, content: { 'application/json': { schema: add(info.request[surface], 'input') } } },
  responses: {
    200: {
      description: 'Success',
      headers: { ...ID_HEADER, ...RATE_HEADERS, ...COVERAGE_HEADERS },
      content: { 'application/json': { schema: add(info.record, 'output') } },
    },
    400: { $ref: '#/components/responses/E400' },
    401: { $ref: '#/components/responses/E401' },
    ...(surface === 'agent' && { 402: { $ref: '#/components/responses/E402' } }),
    403: { $ref: '#/components/responses/E403' },
    404: { ...errorResponse(404), description: notFoundOf(info) },
    429: { $ref: '#/components/responses/E429' },
    500: { $ref: '#/components/responses/E500' },
    503: { $ref: '#/components/responses/E503' },
  },
})

const extensionOf = (
  { id, batchOf, explains, summary, tiers, request, record }: ExtensionInfo,
  add: (schema: z.ZodType, io: 'input' | 'output') => Json,
) => {
  const response = add(record, 'output')
  return {
    operationId: id,
    summary,
    description: `${summary}. Tiers: ${tiers.join(', ')}. ${EXTENSIONS_NOTE}`,
    tags: ['extension'],
    security: [{ apiKey: [] }],
    requestBody: { required: true, content: { 'application/json': { schema: add(request, 'input') } } },
    responses: {
      200: {
        description: 'Success',
        headers: { ...ID_HEADER, ...RATE_HEADERS },
        content: {
          'application/json': { schema: response },
          ...(batchOf && {
            'application/x-ndjson': { schema: { $ref: `#/components/schemas/${batchItemId(batchOf)}` } },
          }),
        },
      },
      400: { $ref: '#/components/responses/E400' },
      401: { $ref: '#/components/responses/E401' },
      403: { $ref: '#/components/responses/E403' },
      ...(explains && { 404: { ...errorResponse(404), description: notFoundOf(OPERATIONS[explains]) } }),
      429: { $ref: '#/components/responses/E429' },
      500: { $ref: '#/components/responses/E500' },
      503: { $ref: '#/components/responses/E503' },
    },
  }
}

const SURFACES: readonly Surface[] = ['enterprise', 'agent']

/** The document served at `/openapi.json`. */
export const openapi = (): Json => {
  const { schemas, add } = createComponents()
  const paths: Json = {}
  for (const surface of SURFACES) {
    for (const info of OPERATION_LIST) {
      paths[`${SURFACE_PREFIX[surface]}${info.path}`] = { post: operationOf(info, surface, add) }
    }
  }
  for (const extension of EXTENSIONS) paths[extension.path] = { post: extensionOf(extension, add) }
  Object.assign(
    paths,
    usagePath(add, { ...ID_HEADER, ...RATE_HEADERS }),
    screeningPaths(
      add,
      { ...ID_HEADER, ...RATE_HEADERS },
      { ...errorResponse(404), description: 'You have no such job' },
    ),
    monitoringPaths(
      add,
      { ...ID_HEADER, ...RATE_HEADERS },
      { ...errorResponse(404), description: 'You have no such endpoint' },
    ),
  )
  const webhooks = webhooksOf(add)
  add(errorBody, 'output')
  schemas.PaymentRequired = PAYMENT_REQUIRED
  const responses = Object.fromEntries(
    [400, 401, 403, 409, 429, 500, 503].map((status) => [`E${status}`, errorResponse(status)]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: CONTRACT_VERSION,
      description: 'Scores blockchain wallets and contracts from on-chain data alone.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      { name: 'enterprise', description: 'Calls with an API key' },
      { name: 'extension', description: 'Beyond the contract, with the same keys' },
      { name: 'screening', description: 'Lists of up to a million addresses, with the same keys' },
      { name: 'monitoring', description: 'Watched addresses and webhooks, with the same keys' },
      { name: 'agent', description: 'The same operations for agents: with an API key, or paid for call by call' },
    ],
    paths,
    webhooks,
    components: {
      schemas,
      responses: { ...responses, E402: paymentRequired },
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Key of the account' },
        payment: {
          type: 'apiKey',
          in: 'header',
          name: 'X-PAYMENT',
          description: 'x402 payment, scheme exact: $0.15 in USDC on eip155:8453',
        },
      },
    },
  }
}
