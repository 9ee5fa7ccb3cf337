/** Watch lists and webhooks in the OpenAPI document. */
import type { z } from 'zod'
import { exampleAddress } from '../../../schema/records/request.ts'
import {
  deliveriesAnswer,
  endpointAnswer,
  endpointChanges,
  endpointRequest,
  endpointsAnswer,
  pingEvent,
  queuedAnswer,
  replayRequest,
  rotateRequest,
  secretAnswer,
  verdictChanged,
  watchChanged,
  watchListed,
  watchRequest,
} from '../../../schema/records/service/monitoring.ts'
import { DELIVERY_STATES } from '../../../schema/tables/service/monitoring.ts'

type Json = { [key: string]: unknown }
type Add = (schema: z.ZodType, io: 'input' | 'output') => Json

const ref = (status: number) => ({ $ref: `#/components/responses/E${status}` })
const REFUSALS = { 400: ref(400), 401: ref(401), 403: ref(403), 429: ref(429), 500: ref(500), 503: ref(503) }
const COMMON = { tags: ['monitoring'], security: [{ apiKey: [] }] }
const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', examples: ['hook_0123456789abcdef01234567'] },
  description: 'Id of the endpoint',
}
const TIME = { type: 'string', format: 'date-time', examples: ['2026-11-22T12:00:00Z'] }
const query = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema })

/** Paths of monitoring. `add` registers a schema and returns its reference; `headers` are those of every response; `notFound` is the 404. */
export const monitoringPaths = (add: Add, headers: Json, notFound: Json): Json => {
  const answer = (description: string, schema: z.ZodType) => ({
    description,
    headers,
    content: { 'application/json': { schema: add(schema, 'output') } },
  })
  const body = (schema: z.ZodType, required = true) => ({
    requestBody: { required, content: { 'application/json': { schema: add(schema, 'input') } } },
  })
  const operation = (operationId: string, summary: string, description: string, rest: Json, responses: Json) => ({
    ...COMMON,
    operationId,
    summary,
    description,
    ...rest,
    responses: { ...responses, ...REFUSALS },
  })
  const ofEndpoint = { parameters: [idParameter] }
  return {
    '/watch': {
      post: operation(
        'watch_change',
        'Watch or unwatch addresses',
        'Adds and removes up to 1,000 addresses each. One invalid address refuses the whole request, and nothing is changed. The request counts as one call, however many addresses it names.',
        body(watchRequest),
        { 200: answer('What changed', watchChanged) },
      ),
      get: operation(
        'watch_list',
        'Your watch list',
        'A page of up to 1,000 addresses.',
        {
          parameters: [
            query('after', 'Cursor: `next` of the previous page', {
              type: 'string',
              examples: [`ETH:${exampleAddress('ETH')}`],
            }),
            query('limit', 'Addresses per page', { type: 'integer', minimum: 1, maximum: 1_000, default: 1_000 }),
          ],
        },
        { 200: answer('A page of the list', watchListed) },
      ),
      delete: operation(
        'watch_erase',
        'Erase your watch list',
        'Removes every address of the list at once.',
        {},
        { 200: answer('What was removed', watchChanged) },
      ),
    },
    '/webhooks': {
      post: operation(
        'webhook_create',
        'Create an endpoint',
        'Sends events about your watch list to the endpoint from now on. The secret is shown only once. A key may have ten endpoints.',
        body(endpointRequest),
        { 201: answer('The endpoint with its secret', secretAnswer) },
      ),
      get: operation(
        'webhook_list',
        'Your endpoints',
        'Oldest first.',
        {},
        { 200: answer('Endpoints', endpointsAnswer) },
      ),
    },
    '/webhooks/{id}': {
      get: operation('webhook_get', 'An endpoint', 'Its settings, and the state of its deliveries.', ofEndpoint, {
        200: answer('The endpoint', endpointAnswer),
        404: notFound,
      }),
      patch: operation(
        'webhook_update',
        'Change, pause or enable an endpoint',
        'Changes the fields in the body and keeps the others.',
        { ...ofEndpoint, ...body(endpointChanges) },
        { 200: answer('The endpoint', endpointAnswer), 404: notFound, 409: ref(409) },
      ),
      delete: operation(
        'webhook_delete',
        'Remove an endpoint',
        'Also removes its secrets and its deliveries.',
        ofEndpoint,
        { 200: answer('The removed endpoint', endpointAnswer), 404: notFound },
      ),
    },
    '/webhooks/{id}/rotate': {
      post: operation(
        'webhook_rotate',
        'Replace the secret of an endpoint',
        'Events carry signatures of both secrets until the grace period ends.',
        { ...ofEndpoint, ...body(rotateRequest, false) },
        { 200: answer('The endpoint with its new secret', secretAnswer), 404: notFound, 409: ref(409) },
      ),
    },
    '/webhooks/{id}/ping': {
      post: operation('webhook_ping', 'Send a test event', 'Queues an event of type ping.', ofEndpoint, {
        202: answer('The queued delivery', queuedAnswer),
        404: notFound,
      }),
    },
    '/webhooks/{id}/deliveries': {
      get: operation(
        'webhook_deliveries',
        'Deliveries of an endpoint',
        'Deliveries of the last 30 days, newest first.',
        {
          parameters: [
            idParameter,
            query('state', 'Only deliveries in this state', { type: 'string', enum: [...DELIVERY_STATES] }),
            query('from', 'Only deliveries created at or after this time', TIME),
            query('to', 'Only deliveries created before this time', TIME),
            query('before', 'Cursor: `next` of the previous page', {
              type: 'string',
              examples: ['1795305600000:msg_0123456789abcdef01234567'],
            }),
            query('limit', 'Deliveries per page', { type: 'integer', minimum: 1, maximum: 100, default: 50 }),
          ],
        },
        { 200: answer('A page of deliveries', deliveriesAnswer), 404: notFound },
      ),
    },
    '/webhooks/{id}/replay': {
      post: operation(
        'webhook_replay',
        'Send deliveries again',
        'Selects deliveries by id or by time of creation: 10,000 at most, oldest first. They keep their ids.',
        { ...ofEndpoint, ...body(replayRequest) },
        { 202: answer('The queued deliveries', queuedAnswer), 404: notFound },
      ),
    },
  }
}

const webhookHeader = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
})

/** The events that are sent to endpoints, as OpenAPI webhooks. */
export const webhooksOf = (add: Add): Json => {
  const event = (operationId: string, summary: string, description: string, schema: z.ZodType) => ({
    post: {
      operationId,
      summary,
      description,
      tags: ['monitoring'],
      security: [],
      parameters: [
        webhookHeader(
          'webhook-id',
          'Id of the delivery, the same in every attempt: use it to ignore duplicates',
          'msg_0123456789abcdef01234567',
        ),
        webhookHeader(
          'webhook-timestamp',
          'Time of the attempt, Unix seconds: reject attempts older than a few minutes',
          '1795305600',
        ),
        webhookHeader(
          'webhook-signature',
          '`v1,` and a base64-encoded HMAC-SHA256; several signatures are separated by spaces',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: add(schema, 'output') } } },
      responses: {
        '2XX': { description: 'Delivered' },
        410: { description: 'Disables the endpoint: no further events are sent' },
        default: { description: 'The delivery is retried' },
      },
    },
  })
  return {
    'verdict.changed': event(
      'event_verdict_changed',
      'The verdict on a watched address changed',
      'Signed according to Standard Webhooks 1.0.0.',
      verdictChanged,
    ),
    ping: event('event_ping', 'A test event', 'Sent by POST /webhooks/{id}/ping.', pingEvent),
  }
}
