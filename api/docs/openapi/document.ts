/** The OpenAPI 3.1 document of both surfaces, generated from the operations table and the record schemas. */
import type { z } from 'zod'
import { errorBody } from '../../../schema/records/error.ts'
import { EXTENSIONS, type ExtensionInfo } from '../../../schema/records/extensions.ts'
import {
  OPERATION_LIST,
  OPERATIONS,
  type OperationInfo,
  SURFACE_PREFIX,
  type Surface,
} from '../../../schema/records/operations.ts'
import { batchItemId } from '../../../schema/records/service/batches.ts'
import { VERSIONS } from '../../http/versions.ts'
import { agentPaths } from './agents.ts'
import { alertPaths } from './alerts.ts'
import {
  COVERAGE_HEADERS,
  createComponents,
  EXTENSIONS_NOTE,
  errorResponse,
  everywhereText,
  HEADERS,
  ID_HEADER,
  isObject,
  type Json,
  PAYMENT_REQUIRED,
  paymentRequired,
  RATE_HEADERS,
  RECEIPTS,
} from './components.ts'
import { withExamples } from './examples.ts'
import { monitoringPaths, webhooksOf } from './monitoring.ts'
import { screeningPaths } from './screening.ts'
import { servicePaths } from './service.ts'
import { usagePath } from './usage.ts'

/** Version of the public contract. */
export const CONTRACT_VERSION = '1.0.2'

/** Headers that every operation accepts. */
const PARAMETERS = {
  version: {
    name: 'Assay-Version',
    in: 'header',
    description: 'API version, a date. Default: the newest version',
    schema: { type: 'string', enum: VERSIONS.map(({ version }) => version) },
  },
  requestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your id for the request: up to 64 letters, digits and `_.:-`. It is returned and logged',
    schema: { type: 'string', examples: ['order-7'] },
  },
}
const PARAMETER_REFS = Object.keys(PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** Adds examples and the common request headers to each operation. */
const completed = (paths: Json, schemas: Json): Json =>
  mapObject(paths, (item) =>
    mapObject(isObject(item) ? item : {}, (operation) => {
      const whole = withExamples(isObject(operation) ? operation : {}, schemas)
      const own = Array.isArray(whole.parameters) ? whole.parameters : []
      return { ...whole, parameters: [...own, ...PARAMETER_REFS] }
    }),
  )

const mapObject = (object: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))

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
      headers: { ...ID_HEADER, ...RATE_HEADERS, ...COVERAGE_HEADERS, ...(surface === 'agent' && RECEIPTS) },
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
        headers: { ...ID_HEADER, ...RATE_HEADERS, ...(explains && COVERAGE_HEADERS) },
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
      { ...errorResponse(404), description: 'Your key has no such job' },
    ),
    monitoringPaths(
      add,
      { ...ID_HEADER, ...RATE_HEADERS },
      { ...errorResponse(404), description: 'Your key has no such endpoint' },
    ),
    alertPaths(
      add,
      { ...ID_HEADER, ...RATE_HEADERS },
      { ...errorResponse(404), description: 'Your key has no such alert' },
    ),
  )
  const webhooks = webhooksOf(add)
  Object.assign(paths, agentPaths(schemas), servicePaths(schemas))
  add(errorBody, 'output')
  schemas.PaymentRequired = PAYMENT_REQUIRED
  const responses = Object.fromEntries(
    [400, 401, 403, 404, 405, 408, 409, 429, 500, 503].map((status) => [`E${status}`, errorResponse(status)]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: CONTRACT_VERSION,
      description: `Scores blockchain wallets and contracts from on-chain data alone. ${everywhereText()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      { name: 'enterprise', description: 'Calls with an API key' },
      { name: 'extension', description: 'Extensions of the contract, with the same keys' },
      { name: 'screening', description: 'Lists of up to a million addresses, with the same keys' },
      { name: 'monitoring', description: 'Watched addresses and webhooks, with the same keys' },
      { name: 'agent', description: 'The same operations for agents, with an API key or a payment per call' },
      { name: 'protocols', description: 'A2A and MCP: the operations as skills and tools' },
      { name: 'service', description: 'Health and documents, without a key' },
    ],
    paths: completed(paths, schemas),
    webhooks: mapObject(webhooks, (item) =>
      mapObject(isObject(item) ? item : {}, (event) => withExamples(isObject(event) ? event : {}, schemas)),
    ),
    components: {
      schemas,
      responses: { ...responses, E402: paymentRequired },
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'API key of your account' },
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
