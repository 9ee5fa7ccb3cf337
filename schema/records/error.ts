import { z } from 'zod'

/** One thing that is wrong with a request. */
export const errorDetail = z.object({
  field: z
    .string()
    .meta({ description: 'Field of the body, header or path the reason is about', example: 'walletAddress' }),
  reason: z.string().meta({ description: 'What is wrong with it', example: 'is not an address of ETH' }),
})
/** One field of a request and what is wrong with it. */
export type ErrorDetail = z.output<typeof errorDetail>

/** Body of every answer that is not a 200. */
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
/** What answers other than 200 carry. `error` is stable and may be compared by programs. */
export type ErrorBody = z.output<typeof errorBody>
