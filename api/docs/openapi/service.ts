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
    description: 'The process is alive',
    required: ['status'],
    properties: { status: { type: 'string', const: 'ok', description: 'Always ok' } },
  },
  Readiness: {
    type: 'object',
    description: 'Whether this replica serves requests',
    required: ['ready', 'reasons'],
    properties: {
      ready: { type: 'boolean', description: 'Whether at least one network can be served' },
      reasons: {
        type: 'array',
        items: { type: 'string' },
        description: 'Why the replica or a network is not ready',
        examples: [[]],
      },
      networks: {
        type: 'object',
        additionalProperties: { type: 'boolean' },
        description: 'Readiness by network',
        examples: [Object.fromEntries(NETWORK_CODES.slice(0, 1).map((code) => [code, true]))],
      },
    },
  },
  Status: {
    type: 'object',
    description: 'State of every network',
    required: ['networks'],
    properties: {
      payments: {
        type: 'object',
        description: 'Payment settings. Only for private addresses, and only where payments are configured',
        properties: {
          lookedUp: {
            type: 'boolean',
            description: 'Whether settled payments are verified on chain. Otherwise the facilitator is trusted',
            examples: [true],
          },
        },
      },
      networks: {
        type: 'array',
        description: 'One entry per network. Entries may have further fields',
        items: {
          type: 'object',
          additionalProperties: true,
          required: ['network', 'ready', 'state', 'reasons'],
          properties: {
            network: { type: 'string', description: 'Network code', examples: ['ETH'] },
            ready: { type: 'boolean', description: 'Whether the network can be served' },
            state: {
              type: 'string',
              description: 'State of the network: the worst of its parts',
              examples: ['running'],
            },
            reasons: {
              type: 'array',
              items: { type: 'string' },
              description: 'Why the network is not ready',
              examples: [[]],
            },
            head: { type: 'integer', description: 'Newest block that its nodes reported', examples: [19_001_000] },
            stored: { type: 'integer', description: 'Newest block in the tables', examples: [19_001_000] },
            settled: {
              type: 'integer',
              description: 'Watermark: the newest block in the final tables',
              examples: [19_000_936],
            },
            unproved: {
              type: 'array',
              description: 'What the answers of its endpoints do not prove',
              items: { type: 'string' },
              examples: [
                ["its host answers as version 3 of toncenter's API, so that no hash binds blocks to their parents"],
              ],
            },
            lagSeconds: {
              type: 'number',
              description: 'Age of the newest block in the tables, in seconds',
              examples: [12],
            },
          },
        },
      },
    },
  },
}

type Get = { description: string; content: Json; more?: Json; parameters?: readonly Json[]; headers?: Json }
/** Header of documents that web pages of every origin may read. */
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

/** Paths of the service. Adds their schemas to `schemas`. */
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
    '/health': get('health', 'Liveness', {
      description: 'Answers as long as the process runs. Also over plain HTTP.',
      content: of('Health'),
      more: none,
    }),
    '/ready': get('ready', 'Readiness', {
      description: 'Whether this replica serves requests. Also over plain HTTP.',
      content: of('Readiness'),
      more: { ...none, 503: { description: 'The replica is not ready', headers: ID_HEADER, content: of('Readiness') } },
    }),
    '/status': get('status', 'State of the networks', {
      description: 'Error messages and host names are included for private addresses only.',
      content: of('Status'),
      more: none,
    }),
    '/metrics': get('metrics', 'Metrics', {
      description: 'Metrics in the Prometheus text format, for private addresses only.',
      content: text('text/plain', 'assay_memory_records 500\n'),
      more: { ...none, 404: { $ref: '#/components/responses/E404' } },
    }),
    '/openapi.json': get('openapi', 'This document', {
      description: 'OpenAPI 3.1.',
      headers: OPEN,
      content: json({ type: 'object', description: 'An OpenAPI document', examples: [{ openapi: '3.1.0' }] }),
    }),
    '/postman.json': get('postman', 'A Postman collection', {
      description: 'Generated from this document. Set the variables baseUrl and apiKey.',
      headers: OPEN,
      content: json({
        type: 'object',
        description: 'A collection in format 2.1',
        examples: [{ info: { name: 'Assay' } }],
      }),
    }),
    '/docs': get('docs', 'The API reference', {
      description: 'A web page with search and a form for each operation.',
      content: text('text/html', '<!doctype html>'),
    }),
    '/docs/versions': get('docs_versions', 'Versions of the API', {
      description: 'All versions, with the days of their deprecation and removal.',
      content: text('text/html', '<!doctype html>'),
    }),
    [errorPath('{code}')]: get('docs_error', 'The page of an error', {
      description: 'When the error occurs, and what to do.',
      content: text('text/html', '<!doctype html>'),
      more: { ...LIMITED, 404: { $ref: '#/components/responses/E404' } },
      parameters: [code],
    }),
    '/llms.txt': get('llms', 'The API for language models', {
      description: 'Markdown in the format of llmstxt.org.',
      headers: OPEN,
      content: text('text/markdown', '# Assay\n'),
    }),
  }
}
