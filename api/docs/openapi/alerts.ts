/** Alerts in the OpenAPI document. */
import type { z } from 'zod'
import { exampleAddress } from '../../../schema/records/request.ts'
import {
  alertAnswer,
  alertChange,
  alertsAnswer,
  alertsChange,
  alertsChanged,
} from '../../../schema/records/service/alerts.ts'
import { DIRECTIONS } from '../../../schema/records/service/monitoring.ts'
import { ALERT_STATES } from '../../../schema/tables/service/monitoring.ts'

type Json = { [key: string]: unknown }

const ref = (status: number) => ({ $ref: `#/components/responses/E${status}` })
const REFUSALS = { 400: ref(400), 401: ref(401), 403: ref(403), 429: ref(429), 500: ref(500), 503: ref(503) }
const COMMON = { tags: ['monitoring'], security: [{ apiKey: [] }] }
/** Id of an alert in examples. */
const ALERT_ID = 'alert_0123456789abcdef01234567'
const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', examples: [ALERT_ID] },
  description: 'Id of the alert',
}
const query = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema })

/** Paths of alerts. `add` registers a schema and returns its reference; `headers` are those of every response; `notFound` is the 404. */
export const alertPaths = (
  add: (schema: z.ZodType, io: 'input' | 'output') => Json,
  headers: Json,
  notFound: Json,
): Json => {
  const answer = (description: string, schema: z.ZodType) => ({
    description,
    headers,
    content: { 'application/json': { schema: add(schema, 'output') } },
  })
  return {
    '/alerts': {
      get: {
        ...COMMON,
        operationId: 'alert_list',
        summary: 'Your alerts',
        description:
          'Changed verdicts on watched addresses, newest first, with the state of their review. Alerts are kept for five years.',
        parameters: [
          query('state', 'Only alerts in this state', { type: 'string', enum: [...ALERT_STATES] }),
          query('direction', 'Only alerts whose verdict got worse, or better', {
            type: 'string',
            enum: [...DIRECTIONS],
          }),
          query('network', 'Only alerts on this network', { type: 'string', examples: ['ETH'] }),
          query('walletAddress', 'Only alerts on this address; needs network', {
            type: 'string',
            examples: [exampleAddress('ETH')],
          }),
          query('author', 'Only alerts whose last entry has this author', {
            type: 'string',
            maxLength: 100,
            examples: ['M. Berger'],
          }),
          query('before', 'Cursor: `next` of the previous page', {
            type: 'string',
            examples: [`1795305600000:${ALERT_ID}`],
          }),
          query('limit', 'Alerts per page', { type: 'integer', minimum: 1, maximum: 1_000, default: 100 }),
        ],
        responses: { 200: answer('A page of alerts', alertsAnswer), ...REFUSALS },
      },
      post: {
        ...COMMON,
        operationId: 'alerts_change',
        summary: 'Review, comment, close or reopen several alerts',
        description:
          'Applies the same change to up to 200 alerts. The response holds, for each alert, what POST /alerts/{id} would have returned. An alert that was changed meanwhile is left as it is; the others are changed.',
        requestBody: { required: true, content: { 'application/json': { schema: add(alertsChange, 'input') } } },
        responses: { 200: answer('The result for each alert', alertsChanged), ...REFUSALS },
      },
    },
    '/alerts/{id}': {
      get: {
        ...COMMON,
        operationId: 'alert_get',
        summary: 'An alert with its history',
        description: 'The change of the verdict, and every state and comment since, with key and time.',
        parameters: [idParameter],
        responses: { 200: answer('The alert', alertAnswer), 404: notFound, ...REFUSALS },
      },
      post: {
        ...COMMON,
        operationId: 'alert_change',
        summary: 'Review, comment, close or reopen an alert',
        description:
          'Adds an entry to the history of the alert: a state, a comment, or both. Entries are never removed. State open reopens the alert.',
        parameters: [idParameter],
        requestBody: { required: true, content: { 'application/json': { schema: add(alertChange, 'input') } } },
        responses: { 200: answer('The changed alert', alertAnswer), 404: notFound, 409: ref(409), ...REFUSALS },
      },
    },
  }
}
