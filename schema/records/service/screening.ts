/** Answers about screening jobs. */
import { z } from 'zod'
import { timestamp } from '../common.ts'
import { OPERATIONS } from '../operations.ts'

const rowsLeft = z
  .object({
    rowsPerDay: z.int().nullable().meta({ description: 'Rows your key may upload in 24 hours; null without a limit' }),
    left: z.int().nullable().meta({ description: 'Rows of them that are left now; null without a limit' }),
  })
  .meta({ id: 'ScreenLimits', description: 'How many rows you may still upload' })

const lookAlikes = z
  .object({
    network: z.string().meta({ description: 'Their network', example: 'ETH' }),
    addresses: z.array(z.string()).meta({ description: 'The addresses', example: [] }),
  })
  .meta({ id: 'ScreenLookAlikes', description: 'Different addresses that begin and end alike' })

/** Body of answers about one job. */
export const screenJob = z
  .object({
    message: z.literal('Success').meta({ description: 'Result status message' }),
    id: z.string().meta({ description: 'Id of the job', example: 'screen_5d41402abc4b2a76b9719d91' }),
    operation: z.enum(Object.keys(OPERATIONS)).meta({ description: 'Operation that is run for each row' }),
    state: z.enum(['waiting', 'running', 'finished', 'stopped', 'deleted']).meta({
      description: 'stopped: no key of yours is in force any more',
    }),
    rows: z.int().meta({ description: 'Rows of the upload' }),
    done: z.int().meta({ description: 'Rows that were answered' }),
    statuses: z.record(z.string(), z.int()).meta({
      description: 'Rows that were answered, by the status that the single call would have had',
      example: { '200': 998, '400': 2 },
    }),
    malformed: z.int().meta({ description: 'Rows that could not be read; each is answered with 400 in its place' }),
    distinct: z.int().meta({ description: 'Different addresses among the rows' }),
    lookAlikes: z.array(lookAlikes).meta({
      description: 'Groups of different addresses that a person may confuse, twenty at most',
    }),
    rowsPerSecond: z.number().nullable().meta({ description: 'Rows a second so far; null before the first' }),
    secondsLeft: z.int().nullable().meta({ description: 'Seconds until it is finished at this rate' }),
    createdAt: timestamp,
    finishedAt: timestamp.nullable().meta({ description: 'When it was finished or stopped; null before' }),
    expiresAt: timestamp.meta({ description: 'When rows and results are removed' }),
    reason: z.string().nullable().meta({ description: 'Why it was stopped' }),
    limits: rowsLeft,
  })
  .meta({ id: 'ScreenJob', description: 'A screening job and how far it is' })
/** A screening job and its progress. */
export type ScreenJob = z.output<typeof screenJob>

const rowNumber = z.int().meta({ description: 'Number of the row', example: 3 })

/** Body of POST /screen/quote. */
export const screenQuote = z
  .object({
    message: z.literal('Success').meta({ description: 'Result status message' }),
    operation: z.enum(Object.keys(OPERATIONS)).meta({ description: 'Operation that would be run for each row' }),
    rows: z.int().meta({ description: 'Rows of the list, which count against your limit', example: 1_204 }),
    limits: rowsLeft,
    leftAfter: z.int().nullable().meta({ description: 'Rows that would be left; null without a limit' }),
    refusal: z.enum(['TOO_MANY_ROWS', 'NO_ROWS_LEFT', 'TOO_MANY_JOBS']).nullable().meta({
      description:
        'Why the list would be refused now. TOO_MANY_ROWS: more than any list may have; NO_ROWS_LEFT: your key has fewer left; TOO_MANY_JOBS: twenty of yours are not done. Null where it would be accepted',
    }),
    retryAfterSeconds: z
      .int()
      .nullable()
      .meta({ description: 'When the first rows are free again, where there are too few; null otherwise' }),
    priceOfCalls: z
      .object({
        perCall: z.string().meta({ description: 'Price of a call', example: '0.15' }),
        total: z.string().meta({ description: 'Price of as many calls as the list has rows', example: '180.6' }),
        currency: z.string().meta({ description: 'Currency of the payment', example: 'USDC' }),
      })
      .nullable()
      .meta({
        id: 'ScreenPrice',
        description:
          'What the same calls cost an agent that has no key and pays for each; null where payments are off. A list of a key costs rows of its limit and no money',
      }),
    isNamed: z.boolean().meta({ description: 'Whether the first line names the columns' }),
    looked: z.int().meta({ description: 'Rows of the body, which may be the beginning of the list' }),
    malformed: z.int().meta({ description: 'Rows of the body that cannot be read' }),
    firstRows: z
      .array(
        z
          .object({
            row: rowNumber,
            network: z.string().meta({ description: 'Its network', example: 'ETH' }),
            walletAddress: z.string().meta({ description: 'Its address, as it was sent', example: '0x12' }),
            reference: z.string().meta({ description: 'Its reference', example: 'customer 7' }),
            problem: z.string().nullable().meta({ description: 'Why it cannot be read; null where it can' }),
          })
          .meta({ id: 'ScreenRow', description: 'A row as it would be read' }),
      )
      .meta({ description: 'The first rows of the body, twenty at most' }),
    problems: z
      .array(
        z
          .object({
            row: rowNumber,
            problem: z.string().meta({ description: 'Why', example: 'walletAddress: is required' }),
          })
          .meta({ id: 'ScreenProblem', description: 'A row that cannot be read' }),
      )
      .meta({ description: 'The first rows of the body that cannot be read, twenty at most' }),
  })
  .meta({ id: 'ScreenQuote', description: 'Cost of a list, and how it is read' })
/** How much of the caller's limit a list would use, before it is uploaded as a job. */
export type ScreenQuote = z.output<typeof screenQuote>

/** Body of GET /screen. */
export const screenOverview = z
  .object({
    message: z.literal('Success').meta({ description: 'Result status message' }),
    limits: rowsLeft,
    jobs: z
      .array(
        z
          .object({
            id: z.string().meta({ description: 'Id of the job', example: 'screen_5d41402abc4b2a76b9719d91' }),
            operation: z.string().meta({ description: 'Operation that is run for each row', example: 'fraud_check' }),
            state: z.string().meta({ description: 'State, as in ScreenJob', example: 'finished' }),
            rows: z.int().meta({ description: 'Rows of the upload' }),
            createdAt: timestamp,
          })
          .meta({ id: 'ScreenJobListed', description: 'A job in the list' }),
      )
      .meta({ description: 'Jobs, newest first' }),
  })
  .meta({ id: 'ScreenOverview', description: 'Your limits and your jobs, newest first, a hundred at most' })
