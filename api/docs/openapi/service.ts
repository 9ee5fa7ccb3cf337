/** Health, readiness, status, metrics and documents in the OpenAPI document. */
import { NETWORK_CODES } from '../../../schema/networks.ts'
import { errorPath } from '../errors.ts'
import { ID_HEADER, type Json } from './components.ts'

const COMMON = { tags: ['service'], security: [] }
const json = (schema: Json) => ({ 'application/json': { schema } })
const text = (type: string, example: string) => ({ [type]: { schema: { type: 'string' }, example } })
const LIMITED = {
  400: { $ref: '#/components/responses/E400' },
  403: { $ref: '#/components/responses/E403' },
  429: { $ref: '#/components/responses/E429' },
}

const SCHEMAS = {
  Health: {
    type: 'object',
    description: 'The process lives',
    required: ['status'],
    properties: { status: { type: 'string', const: 'ok', description: 'Always ok' } },
  },
  Readiness: {
    type: 'object',
    description: 'Whether this replica can answer',
    required: ['ready', 'reasons'],
    properties: {
      ready: { type: 'boolean', description: 'Whether it can answer for a network at least' },
      reasons: {
        type: 'array',
        items: { type: 'string' },
        description: 'What stands in the way, of it or of a network',
        examples: [[]],
      },
      networks: {
        type: 'object',
        additionalProperties: { type: 'boolean' },
        description: 'Whether each network can be answered for',
        examples: [Object.fromEntries(NETWORK_CODES.slice(0, 1).map((code) => [code, true]))],
      },
    },
  },
  Status: {
    type: 'object',
    description: 'How the networks are doing',
    required: ['networks'],
    properties: {
      payments: {
        type: 'object',
        description: 'To private addresses, where payments are taken',
        properties: {
          lookedUp: {
            type: 'boolean',
            description: 'Whether settled payments are looked up on chain; if not, the facilitator is believed',
            examples: [true],
          },
        },
      },
      networks: {
        type: 'array',
        description: 'One entry a network; more fields than these',
        items: {
          type: 'object',
          additionalProperties: true,
          required: ['network', 'ready', 'state', 'reasons'],
          properties: {
            network: { type: 'string', description: 'Network code', examples: ['ETH'] },
            ready: { type: 'boolean', description: 'Whether it can be answered for' },
            state: { type: 'string', description: 'The worst state of its parts', examples: ['running'] },
            reasons: {
              type: 'array',
              items: { type: 'string' },
              description: 'What stands in the way',
              examples: [[]],
            },
            head: { type: 'integer', description: 'Newest block its nodes have shown', examples: [19_001_000] },
            stored: { type: 'integer', description: 'Newest block in the tables', examples: [19_001_000] },
            settled: { type: 'integer', description: 'The watermark', examples: [19_000_936] },
            unproved: {
              type: 'array',
              description: 'What its endpoints cannot prove of what they answer, in words',
              items: { type: 'string' },
              examples: [
                ["its host answers as version 3 of toncenter's API, so that no hash binds blocks to their parents"],
              ],
            },
            lagSeconds: { type: 'number', description: 'Age of the newest block in the tables', examples: [12] },
          },
        },
      },
    },
  },
}

type Get = { description: string; content: Json; more?: Json; parameters?: readonly Json[]; headers?: Json }
/** Documents that pages of other sites may read. */
const OPEN = { 'Access-Control-Allow-Origin': { $ref: '#/components/headers/Access-Control-Allow-Origin' } }

const get = (
  operationId: string,
  summary: string,
  { description, content, more = LIMITED, parameters, headers = {} }: Get,
) => ({
  get: {
    ...COMMON,
    operationId,
    summary,
    description,
    ...(parameters && { parameters }),
    responses: { 200: { description: summary, headers: { ...ID_HEADER, ...headers }, content }, ...more },
  },
})

/** Paths of the service. Adds their schemas. */
export const servicePaths = (schemas: Json): Json => {
  Object.assign(schemas, SCHEMAS)
  const of = (name: keyof typeof SCHEMAS) => json({ $ref: `#/components/schemas/${name}` })
  const none = { 400: LIMITED[400] }
  const code = {
    name: 'code',
    in: 'path',
    required: true,
    description: 'Code of the error',
    schema: { type: 'string', examples: ['INVALID_REQUEST'] },
  }
  return {
    '/health': get('health', 'The process lives', {
      description: 'Over plain HTTP too.',
      content: of('Health'),
      more: none,
    }),
    '/ready': get('ready', 'This replica can answer', {
      description: 'Over plain HTTP too.',
      content: of('Readiness'),
      more: { ...none, 503: { description: 'It cannot answer now', headers: ID_HEADER, content: of('Readiness') } },
    }),
    '/status': get('status', 'How the networks are doing', {
      description: 'Texts of errors and names of hosts are shown to private addresses only.',
      content: of('Status'),
      more: none,
    }),
    '/metrics': get('metrics', 'Metrics', {
      description: 'The text format of Prometheus, to private addresses only.',
      content: text('text/plain', 'assay_memory_records 500\n'),
      more: { ...none, 404: { $ref: '#/components/responses/E404' } },
    }),
    '/openapi.json': get('openapi', 'This document', {
      description: 'OpenAPI 3.1.',
      headers: OPEN,
      content: json({ type: 'object', description: 'An OpenAPI document', examples: [{ openapi: '3.1.0' }] }),
    }),
    '/postman.json': get('postman', 'A collection for Postman', {
      description: 'Made from this document. Set the variables baseUrl and apiKey.',
      headers: OPEN,
      content: json({
        type: 'object',
        description: 'A collection of version 2.1',
        examples: [{ info: { name: 'Assay' } }],
      }),
    }),
    '/docs': get('docs', 'The reference as a page', {
      description: 'With search, and a form that tries each operation.',
      content: text('text/html', '<!doctype html>'),
    }),
    '/docs/versions': get('docs_versions', 'Versions of the API', {
      description: 'Which versions there are, and when they end.',
      content: text('text/html', '<!doctype html>'),
    }),
    [errorPath('{code}')]: get('docs_error', 'The page of an error', {
      description: 'When it is answered, and what to do.',
      content: text('text/html', '<!doctype html>'),
      more: { ...LIMITED, 404: { $ref: '#/components/responses/E404' } },
      parameters: [code],
    }),
    '/llms.txt': get('llms', 'The API for language models', {
      description: 'Markdown in the form of llmstxt.org.',
      headers: OPEN,
      content: text('text/markdown', '# Assay\n'),
    }),
  }
}
