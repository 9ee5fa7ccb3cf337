/** The use of a key in the OpenAPI document. */
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

/** Path of the use of a key. `add` gives the reference of a schema, `headers` are those of every answer. */
export const usagePath = (add: (schema: z.ZodType, io: 'input' | 'output') => Json, headers: Json): Json => ({
  '/usage': {
    get: {
      operationId: 'usage',
      summary: 'Your calls by day and operation',
      description: 'The last 30 days where no days are named, 400 days at most.',
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
