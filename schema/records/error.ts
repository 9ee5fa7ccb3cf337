import { z } from 'zod'

/** One problem of a request. */
export const errorDetail = z.object({
  field: z
    .string()
    .meta({ description: 'Field of the body, header or path the reason is about', example: 'walletAddress' }),
  reason: z.string().meta({ description: 'The problem', example: 'is not an address of ETH' }),
})
/** A field of a request, and its problem. */
export type ErrorDetail = z.output<typeof errorDetail>

/** Body of every answer with a status other than 200. */
export const errorBody = z
  .object({
    message: z.string().meta({ description: 'What happened, for people', example: 'The request body is not valid.' }),
    error: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/)
      .meta({ description: 'What happened, for programs: a stable code', example: 'INVALID_REQUEST' }),
    details: z.array(errorDetail).meta({ description: 'Which field and why; empty where no field is at fault' }),
  })
  .meta({ id: 'Error', description: 'Body of every answer that is not a 200' })
/** Body of answers other than 200. `error` is stable, so that programs may compare it. */
export type ErrorBody = z.output<typeof errorBody>
