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

/** Paths of alerts. `add` gives the reference of a schema, `headers` are those of every answer, `notFound` is a 404. */
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
          'Changes of verdicts on addresses you watch, worse or better, newest first, with what became of each. They are kept for five years.',
        parameters: [
          query('state', 'Only those in a state', { type: 'string', enum: [...ALERT_STATES] }),
          query('direction', 'Only those that got worse, or better', { type: 'string', enum: [...DIRECTIONS] }),
          query('network', 'Only those of a network', { type: 'string', examples: ['ETH'] }),
          query('walletAddress', 'Only those of an address; with network', {
            type: 'string',
            examples: [exampleAddress('ETH')],
          }),
          query('author', 'Only those whose last entry was made under this name', {
            type: 'string',
            maxLength: 100,
            examples: ['M. Berger'],
          }),
          query('before', '`next` of the page before', {
            type: 'string',
            examples: [`1795305600000:${ALERT_ID}`],
          }),
          query('limit', 'Alerts of the page', { type: 'integer', minimum: 1, maximum: 1_000, default: 100 }),
        ],
        responses: { 200: answer('A page of alerts', alertsAnswer), ...REFUSALS },
      },
      post: {
        ...COMMON,
        operationId: 'alerts_change',
        summary: 'Review, comment, close or reopen several alerts',
        description:
          'Does the same with each of up to 200 alerts, and answers for each what POST /alerts/{id} would have answered: what somebody else did with one meanwhile keeps that one as it is, and no other.',
        requestBody: { required: true, content: { 'application/json': { schema: add(alertsChange, 'input') } } },
        responses: { 200: answer('What came of it for each alert', alertsChanged), ...REFUSALS },
      },
    },
    '/alerts/{id}': {
      get: {
        ...COMMON,
        operationId: 'alert_get',
        summary: 'An alert with its history',
        description: 'What changed, and everything that was done with it: states, comments, by which key and when.',
        parameters: [idParameter],
        responses: { 200: answer('The alert', alertAnswer), 404: notFound, ...REFUSALS },
      },
      post: {
        ...COMMON,
        operationId: 'alert_change',
        summary: 'Review, comment, close or reopen an alert',
        description:
          'Adds an entry to its history: a state, a comment, or both. Nothing is ever removed from it. State open reopens it.',
        parameters: [idParameter],
        requestBody: { required: true, content: { 'application/json': { schema: add(alertChange, 'input') } } },
        responses: { 200: answer('The alert as it is now', alertAnswer), 404: notFound, 409: ref(409), ...REFUSALS },
      },
    },
  }
}
