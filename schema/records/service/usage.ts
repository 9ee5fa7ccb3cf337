/** Answers about the usage of a key. */
import { z } from 'zod'

const calls = z
  .object({
    day: z.iso.date().meta({ description: 'Day of the answers, UTC', example: '2026-11-22' }),
    key: z.string().meta({
      description: 'Id of the key: yours, or one of the same line of rotated keys',
      example: 'key_0123456789ab',
    }),
    operation: z.string().meta({ description: 'Operation that was run', example: 'fraud_check' }),
    status: z.int().meta({ description: 'HTTP status of the answers; in batches and lists that of the single ones' }),
    calls: z.int().meta({ description: 'Number of answers' }),
  })
  .meta({ id: 'UsageCalls', description: 'Answers of a day' })

/** Body of GET /usage. */
export const usageAnswer = z
  .object({
    message: z.literal('Success').meta({ description: 'Result status message' }),
    from: z.iso.date().meta({ description: 'First day' }),
    to: z.iso.date().meta({ description: 'Last day' }),
    usage: z.array(calls).meta({ description: 'Calls by day, key, operation and status' }),
  })
  .meta({ id: 'Usage', description: 'Your calls by day, key, operation and status' })
