/** Routes beyond the contract's five operations, with the same keys and tiers as the operation they belong to. */
import type { z } from 'zod'
import type { Operation } from '../networks.ts'
import { activity } from './explained/activity.ts'
import { counterparties } from './explained/counterparties.ts'
import { creations } from './explained/creations.ts'
import {
  creditExplanation,
  explanation,
  rugExplanation,
  rugHistory,
  segmentExplanation,
  verdictHistory,
} from './explained/explanations.ts'
import { OPERATIONS, type Tier } from './operations.ts'
import { type AnalysisRequest, requestSchema } from './request.ts'
import { BATCH_OPERATIONS, type BatchId, batchPartsOf, MAX_BATCH } from './service/batches.ts'

/** Ids of the explanations, in routes, skills and metrics. */
export type ExplainId =
  | 'fraud_explain'
  | 'fraud_history'
  | 'fraud_counterparties'
  | 'fraud_activity'
  | 'fraud_creations'
  | 'rug_explain'
  | 'rug_history'
  | 'segment_explain'
  | 'credit_explain'

/** Operations with explanations. */
export type ExplainedOperation = Exclude<Operation, 'fraud_audit'>

/** A route beyond the five operations, with its tiers and the schemas of request and answer. */
export type ExtensionInfo = {
  id: ExplainId | BatchId
  /** The operation that a batch runs for each entry. */
  batchOf?: Operation
  /** The operation whose verdict is explained. */
  explains?: ExplainedOperation
  path: string
  tiers: readonly Tier[]
  title: string
  summary: string
  request: z.ZodType
  record: z.ZodType
}

/** An extension that explains a verdict. */
export type ExplanationInfo = ExtensionInfo & {
  id: ExplainId
  explains: ExplainedOperation
  request: z.ZodType<AnalysisRequest>
}

const explain = (
  id: ExplainId,
  path: string,
  operation: ExplainedOperation,
  requestId: string,
  title: string,
  summary: string,
  record: z.ZodType,
  further: { versions?: true; days?: true } = {},
): ExplanationInfo => ({
  id,
  path,
  explains: operation,
  tiers: OPERATIONS[operation].tiers,
  title,
  summary,
  request: requestSchema(operation, { calculate: false, ...further, id: requestId }),
  record,
})

/** The explanations. */
export const EXPLANATIONS: readonly ExplanationInfo[] = [
  explain(
    'fraud_explain',
    '/fraud/explain',
    'fraud_check',
    'FraudExplainRequest',
    'Fraud Explanation',
    'Reasons, exposure and history of the fraud verdict on a wallet',
    explanation,
  ),
  explain(
    'fraud_history',
    '/fraud/history',
    'fraud_check',
    'FraudHistoryRequest',
    'Fraud Verdict History',
    'What the fraud verdict on a wallet was at any time, with its reasons then',
    verdictHistory,
    { versions: true },
  ),
  explain(
    'fraud_counterparties',
    '/fraud/counterparties',
    'fraud_check',
    'CounterpartiesRequest',
    'Counterparties',
    'Addresses with direct movements to or from a wallet, largest first, with their categories',
    counterparties,
  ),
  explain(
    'fraud_activity',
    '/fraud/activity',
    'fraud_check',
    'ActivityRequest',
    'Activity',
    'What a wallet moved, signed and held over time, step by step',
    activity,
    { days: true },
  ),
  explain(
    'fraud_creations',
    '/fraud/creations',
    'fraud_check',
    'CreationsRequest',
    'Contracts Created',
    'Contracts created in transactions of a wallet, newest first, with the verdict on each',
    creations,
  ),
  explain(
    'rug_explain',
    '/rug/explain',
    'rug_pull',
    'RugExplainRequest',
    'Rug Pull Explanation',
    'Reasons and unknowns of the rug pull verdict on a contract',
    rugExplanation,
  ),
  explain(
    'rug_history',
    '/rug/history',
    'rug_pull',
    'RugHistoryRequest',
    'Rug Pull Verdict History',
    'What the rug pull verdict on a contract was at any time, with its record and reasons then',
    rugHistory,
    { versions: true },
  ),
  explain(
    'segment_explain',
    '/segmentation/explain',
    'wallet_segment',
    'SegmentExplainRequest',
    'Segment Explanation',
    'Components of the quality score of a wallet, and the thresholds of its segment',
    segmentExplanation,
  ),
  explain(
    'credit_explain',
    '/users/credit-score/explain',
    'credit_score',
    'CreditExplainRequest',
    'Credit Score Explanation',
    'Components of the credit score of a wallet',
    creditExplanation,
  ),
]

/** The batches. */
export const BATCHES = BATCH_OPERATIONS.map(({ operation, id, path }) => {
  const { tiers, title, summary } = OPERATIONS[operation]
  return {
    id,
    batchOf: operation,
    path,
    tiers,
    title: `${title} of Many`,
    summary: `${summary}: up to ${MAX_BATCH} of them in one call`,
    ...batchPartsOf(operation),
  }
}) satisfies ExtensionInfo[]

/** All routes beyond the five operations. Transports and OpenAPI are generated from this list. */
export const EXTENSIONS: readonly ExtensionInfo[] = [...EXPLANATIONS, ...BATCHES]
