/** `/usage` in the OpenAPI document. */
import type { z } from 'zod'
import { usageAnswer } from '../../../schema/records/service/usage.ts'

type Json = { [key: string]: unknown }

const ref = (status: number) => ({ $ref: `#/components/responses/E${status}` })
const dayParameter = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', format: 'date', examples: ['2026-11-22'] },
})

/** The path `/usage`. `add` registers a schema and returns its reference; `headers` are those of every response. */
export const usagePath = (add: (schema: z.ZodType, io: 'input' | 'output') => Json, headers: Json): Json => ({
  '/usage': {
    get: {
      operationId: 'usage',
      summary: 'Your calls by day and operation',
      description: 'Default: the last 30 days. A range covers 400 days at most.',
      tags: ['extension'],
      security: [{ apiKey: [] }],
      parameters: [dayParameter('from', 'First day'), dayParameter('to', 'Last day')],
      responses: {
        200: {
          description: 'Success',
          headers,
          content: { 'application/json': { schema: add(usageAnswer, 'output') } },
        },
        400: ref(400),
        401: ref(401),
        403: ref(403),
        429: ref(429),
        500: ref(500),
        503: ref(503),
      },
    },
  },
})
