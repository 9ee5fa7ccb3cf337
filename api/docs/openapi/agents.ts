/** A2A, MCP and their manifests in the OpenAPI document. */
import { OPERATION_LIST, SURFACE_PREFIX } from '../../../schema/records/operations.ts'
import { exampleAddress } from '../../../schema/records/request.ts'
import { EXTENSION_URI } from '../../a2a/payment/extension.ts'
import { ERRORS, PROTOCOL_VERSION } from '../../a2a/protocol.ts'
import { ID_HEADER, type Json, RATE_HEADERS, RECEIPTS } from './components.ts'

const ref = (status: number) => ({ $ref: `#/components/responses/E${status}` })
const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Json, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const ASKED = { network: 'ETH', walletAddress: exampleAddress('ETH') }
const RPC = { type: 'string', const: '2.0', description: 'Version of JSON-RPC' }
const ID = {
  type: ['string', 'integer', 'null'],
  description: 'Id of the request, repeated in the response. A request without an id is a notification',
  examples: [1],
}

const SCHEMAS = {
  RpcRequest: {
    type: 'object',
    description: 'A JSON-RPC 2.0 request. Batches are not supported',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: RPC,
      id: ID,
      method: {
        type: 'string',
        description: 'A2A: message/send, tasks/get or tasks/cancel. MCP: initialize, ping, tools/list or tools/call',
        examples: ['message/send'],
      },
      params: { type: 'object', description: 'Parameters of the method', examples: [{}] },
    },
  },
  RpcAnswer: {
    type: 'object',
    description: 'A JSON-RPC 2.0 response: a result or an error',
    required: ['jsonrpc', 'id'],
    properties: {
      jsonrpc: RPC,
      id: ID,
      result: { type: 'object', description: 'Result of the method: an A2A task or an MCP result', examples: [{}] },
      error: {
        type: 'object',
        description: 'The error',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer', description: `Code: ${codesText()}`, examples: [ERRORS.params.code] },
          message: {
            type: 'string',
            description: 'Error message of the specification',
            examples: [ERRORS.params.message],
          },
          data: {
            description: 'Invalid fields, with the reason',
            examples: [[{ field: 'message', message: 'is required' }]],
          },
        },
      },
    },
  },
  AgentCard: {
    type: 'object',
    description: `The agent card of A2A ${PROTOCOL_VERSION}`,
    additionalProperties: true,
    required: ['name', 'url', 'protocolVersion', 'skills'],
    properties: {
      name: { type: 'string', description: 'Name of the agent', examples: ['Assay'] },
      url: { type: 'string', description: 'URL of the A2A endpoint', examples: ['https://HOST/api/a2a'] },
      protocolVersion: { type: 'string', description: 'Version of A2A', examples: [PROTOCOL_VERSION] },
      skills: {
        type: 'array',
        items: { type: 'object' },
        description: 'The five operations with their schemas and prices',
        examples: [OPERATION_LIST.map(({ id, title }) => ({ id, name: title }))],
      },
    },
  },
  McpManifest: {
    type: 'object',
    description: '`server.json` of the MCP registry, schema of 2025-12-11',
    additionalProperties: true,
    required: ['name', 'description', 'version', 'remotes'],
    properties: {
      name: {
        type: 'string',
        description: 'Reverse domain name, a slash and the name',
        examples: ['org.example.api/assay'],
      },
      description: {
        type: 'string',
        description: 'Short description of the server',
        examples: ['Scores wallets and contracts'],
      },
      version: { type: 'string', description: 'Version of the agent', examples: ['1.0.0'] },
      remotes: {
        type: 'array',
        items: { type: 'object' },
        description: 'Endpoints of the server, with the headers they take',
        examples: [[{ type: 'streamable-http', url: 'https://HOST/api/mcp' }]],
      },
    },
  },
  Capabilities: {
    type: 'object',
    description: 'The operations, for agents that do not use A2A',
    required: ['capabilities'],
    properties: {
      capabilities: {
        type: 'array',
        items: { type: 'object' },
        description: 'Operations with endpoint, schemas and price',
        examples: [OPERATION_LIST.map(({ id, path }) => ({ capability: id, endpoint: `/api${path}`, method: 'POST' }))],
      },
    },
  },
}

function codesText(): string {
  return Object.values(ERRORS)
    .map(({ code, message }) => `${code} ${message}`)
    .join('; ')
}

const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: {
    message: {
      kind: 'message',
      role: 'user',
      messageId: 'm1',
      parts: [{ kind: 'data', data: { skill: 'fraud_check', ...ASKED } }],
    },
  },
}
const task = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    kind: 'task',
    id: 'a6c5b1a4-3b52-4a52-9c6e-2f1c6bf0f1de',
    contextId: '0d6f4b1e-95f3-4a0a-8a39-5a0b7a2c9f10',
    status: { state: 'completed', timestamp: '2026-05-04T12:00:00.000Z' },
    artifacts: [{ artifactId: 'b1', name: 'fraud_check', parts: [{ kind: 'data', data: { message: 'Success' } }] }],
    history: [],
  },
}
const toolCall = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fraud_check', arguments: ASKED } }
const toolResult = {
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: '{"message":"Success"}' }], structuredContent: { message: 'Success' } },
}

const DOCUMENT_HEADERS = {
  ...ID_HEADER,
  ETag: { $ref: '#/components/headers/ETag' },
  Link: { $ref: '#/components/headers/Link' },
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/Access-Control-Allow-Origin' },
}

const document = (operationId: string, summary: string, description: string, name: string) => ({
  get: {
    operationId,
    summary,
    description,
    tags: ['protocols'],
    security: [],
    responses: {
      200: {
        description: 'The document',
        headers: DOCUMENT_HEADERS,
        content: json(schemaOf(name)),
      },
      304: { description: 'The document still matches If-None-Match', headers: DOCUMENT_HEADERS },
      400: ref(400),
      403: ref(403),
      429: ref(429),
    },
  },
})

const EXCHANGE_HEADERS = { ...ID_HEADER, ...RATE_HEADERS, ...RECEIPTS }

const exchange = (operationId: string, summary: string, description: string, asked: unknown, answered: unknown) => ({
  operationId,
  summary,
  description,
  tags: ['protocols'],
  security: [{ apiKey: [] }, { payment: [] }, {}],
  requestBody: { required: true, content: json(schemaOf('RpcRequest'), asked) },
  responses: {
    200: {
      description: 'A JSON-RPC response: a result or a protocol error',
      headers: EXCHANGE_HEADERS,
      content: json(schemaOf('RpcAnswer'), answered),
    },
    400: ref(400),
    401: ref(401),
    402: { $ref: '#/components/responses/E402' },
    403: ref(403),
    429: ref(429),
    500: ref(500),
    503: ref(503),
  },
})

const refusal = { jsonrpc: '2.0', id: null, error: { code: ERRORS.parse.code, message: 'Parse error' } }
const REFUSAL_HEADERS = { ...ID_HEADER, ...RATE_HEADERS, Link: { $ref: '#/components/headers/Link' } }
/** The MCP library answers an unreadable body as JSON-RPC. Requests refused before it get an error body of Assay. */
const UNREADABLE = {
  description: 'The body is not one JSON-RPC request, or a header is not valid',
  headers: REFUSAL_HEADERS,
  content: json({ anyOf: [schemaOf('RpcAnswer'), schemaOf('Error')] }, refusal),
}
const UNACCEPTABLE = {
  description: 'The header accept does not name both application/json and text/event-stream',
  headers: REFUSAL_HEADERS,
  content: json(schemaOf('RpcAnswer'), refusal),
}

const EXTENSIONS = { type: 'string', examples: [EXTENSION_URI] }
const EXTENSIONS_PARAMETER = {
  name: 'X-A2A-Extensions',
  in: 'header',
  required: false,
  description: 'A2A extensions to activate, comma-separated. The x402 extension accepts payments in messages',
  schema: EXTENSIONS,
}
const EXTENSIONS_USED = { description: 'A2A extensions that were activated', schema: EXTENSIONS }
const UNSUPPORTED_TYPE = {
  description: 'The content type is not application/json',
  headers: REFUSAL_HEADERS,
  content: json(schemaOf('RpcAnswer'), refusal),
}

/** Paths of A2A and MCP. Adds their schemas to `schemas`. */
export const agentPaths = (schemas: Json): Json => {
  Object.assign(schemas, SCHEMAS)
  const { agent } = SURFACE_PREFIX
  const card = document(
    'agent_card',
    'The agent card',
    `The skills and how to call them, in the format of A2A ${PROTOCOL_VERSION}.`,
    'AgentCard',
  )
  const a2a = exchange(
    'a2a',
    'Call the agent (A2A)',
    `JSON-RPC of A2A ${PROTOCOL_VERSION}. A data part selects the skill. Only methods that run a skill need a key or a payment.`,
    message,
    task,
  )
  const mcp = exchange(
    'mcp',
    'Call the tools (MCP)',
    'Model Context Protocol over streamable HTTP, without streams or sessions. Send `accept: application/json, text/event-stream`.',
    toolCall,
    toolResult,
  )
  const notified = { description: 'The notification was accepted', headers: { ...ID_HEADER, ...RATE_HEADERS } }
  return {
    [`${agent}/a2a`]: {
      get: { ...card.get, operationId: 'agent_card_at_a2a' },
      post: {
        ...a2a,
        parameters: [EXTENSIONS_PARAMETER],
        responses: {
          ...a2a.responses,
          200: {
            ...a2a.responses[200],
            headers: { ...a2a.responses[200].headers, 'X-A2A-Extensions': EXTENSIONS_USED },
          },
          204: notified,
        },
      },
    },
    [`${agent}/mcp`]: {
      post: {
        ...mcp,
        responses: {
          ...mcp.responses,
          202: notified,
          400: UNREADABLE,
          405: ref(405),
          406: UNACCEPTABLE,
          415: UNSUPPORTED_TYPE,
        },
      },
    },
    [`${agent}/mcp/server.json`]: document(
      'mcp_manifest',
      'The manifest of the tools (MCP)',
      'The entry for a registry of MCP servers. Publish it under the domain in its name.',
      'McpManifest',
    ),
    [`${agent}/capabilities`]: document(
      'capabilities',
      'The operations for agents',
      'The skills of the agent card, as a flat list.',
      'Capabilities',
    ),
    '/.well-known/agent-card.json': card,
    '/.well-known/agent.json': {
      get: {
        ...card.get,
        operationId: 'agent_card_old',
        summary: 'The agent card at its old path',
        deprecated: true,
      },
    },
  }
}
