/** Batches: an operation for many addresses in one call. The structure is the same for all five operations. */
import { z } from 'zod'
import type { Operation } from '../../networks.ts'
import { successMessage } from '../common.ts'
import { errorBody } from '../error.ts'
import { OPERATIONS } from '../operations.ts'

/** Maximum number of addresses in one batch. */
export const MAX_BATCH = 1_000

const define = <const Id extends string>(operation: Operation, id: Id, path: string, name: string) => ({
  operation,
  id,
  path,
  /** Prefix of the names of its schemas. */
  name,
})

/** Batches, one per operation. */
export const BATCH_OPERATIONS = [
  define('fraud_check', 'fraud_batch', '/fraud/batch', 'Fraud'),
  define('fraud_audit', 'fraud_audit_batch', '/fraud/audit/batch', 'FraudAudit'),
  define('rug_pull', 'rug_pull_batch', '/rug/pull-check/batch', 'RugPull'),
  define('wallet_segment', 'wallet_segment_batch', '/segmentation/wallet-segment/batch', 'WalletSegment'),
  define('credit_score', 'credit_score_batch', '/users/credit-score/batch', 'CreditScore'),
] as const

/** Ids of the batches, in routes and metrics. */
export type BatchId = (typeof BATCH_OPERATIONS)[number]['id']

/** Entries are validated one by one, so that an invalid one only affects its own result; published as a list of requests. */
export const batchRequest = z.object(
  {
    wallets: z
      .array(z.unknown(), { error: ({ input }) => (input === undefined ? 'is required' : 'must be a list') })
      .min(1, 'must not be empty')
      .max(MAX_BATCH, `must not have more than ${MAX_BATCH} entries`),
  },
  'must be a JSON object',
)

/** Schema name of one result in the operation's batch, which is also a line of its NDJSON. */
export const batchItemId = (operation: Operation): string =>
  `${BATCH_OPERATIONS.find((batch) => batch.operation === operation)?.name ?? ''}BatchItem`

/** Published schemas of a batch of the operation. */
export const batchPartsOf = (operation: Operation): { request: z.ZodType; record: z.ZodType } => {
  const { path, record, request } = OPERATIONS[operation]
  const item = batchItemId(operation)
  const name = item.replace(/Item$/, '')
  const result = z
    .object({
      index: z.int().meta({ description: 'Place in the request' }),
      status: z.int().meta({ description: `What POST ${path} would have answered` }),
      result: z.union([record, errorBody]).meta({ description: 'Its body: the record, or an error' }),
    })
    .meta({ id: item, description: 'The answer to one request of the batch' })
  return {
    request: z
      .object({
        wallets: z
          .array(request.enterprise)
          .min(1)
          .max(MAX_BATCH)
          .meta({ description: `Requests, ${MAX_BATCH} at most` }),
      })
      .meta({ id: `${name}Request`, description: `Requests of POST ${path}` }),
    record: z
      .object({
        message: successMessage,
        results: z.array(result).meta({ description: 'One for each request, in their order' }),
      })
      .meta({ id: `${name}Answer`, description: `Answers of POST ${path}` }),
  }
}
