/** What we answer beyond the contract's five operations, with the same keys and tiers as the operation it is about. */
import { z } from 'zod'
import type { Operation } from '../networks.ts'
import { BATCH_OPERATIONS, type BatchId, batchPartsOf, MAX_BATCH } from './batches.ts'
import { chain, probabilityText, successMessage, timestamp, walletAddress, walletStatus } from './common.ts'
import { coverage } from './coverage.ts'
import { OPERATIONS, type Tier } from './operations.ts'
import { requestSchema } from './request.ts'

export type ExtensionInfo = {
  id: 'fraud_explain' | BatchId
  /** The operation that a batch runs for each of its wallets. */
  batchOf?: Operation
  path: string
  tiers: readonly Tier[]
  title: string
  summary: string
  request: z.ZodType
  record: z.ZodType
}

const reason = z
  .object({
    code: z.string().meta({ description: 'Flag in capitals, or the model’s feature', example: 'SANCTIONED' }),
    title: z.string().meta({ description: 'The same for people' }),
    contribution: z.number().nullable().meta({
      description: 'Log-odds added to the verdict, negative in favour of the wallet; null for what forces it',
    }),
    evidence: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What it rests on: transactions, counterparties, amounts, times; fields differ by reason' }),
    change: z.string().nullable().meta({ description: 'What would take this reason away' }),
  })
  .meta({ id: 'Reason', description: 'Why a verdict is what it is' })

const contact = z
  .object({
    address: z.string(),
    category: z.string(),
    name: z.string().nullable().meta({ description: 'Whose it is, where a list says so' }),
    share: z.number().meta({ description: 'Part of the wallet’s value it stands for, 0 to 1' }),
    hops: z.int().meta({ description: 'Transfers between it and the wallet' }),
  })
  .meta({ id: 'ExposureContact' })

const flow = z
  .object({
    total: z.number().meta({ description: 'Value of all flows of this direction, in the unit of the exposure' }),
    shares: z.record(z.string(), z.number()).meta({
      description:
        'Share of each category, unknown, dust and depth_limit among them; 1 together, or 0 when nothing moved',
    }),
    contacts: z.array(contact).meta({ description: 'Addresses of known categories, largest share first' }),
  })
  .meta({ id: 'ExposureFlow' })

const exposure = z
  .object({
    unit: z.string().meta({ description: 'US dollars, or the native coin where no price of it is known' }),
    incoming: flow,
    outgoing: flow,
  })
  .meta({ id: 'Exposure', description: 'Where value came from and went to, over several hops' })
export type Exposure = z.output<typeof exposure>

const past = z
  .object({
    status: walletStatus,
    probabilityFraud: probabilityText,
    modelVersion: z.string(),
    dataHeight: z.int(),
    computedAt: timestamp,
  })
  .meta({ id: 'PastVerdict', description: 'What the verdict was; one entry for each change' })

/** Answer of POST /fraud/explain. */
export const explanation = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    status: walletStatus,
    probabilityFraud: probabilityText,
    reasons: z.array(reason).meta({ description: 'What forces the verdict first, then by weight' }),
    unknowns: z.array(z.string()).meta({ description: 'What could not be evaluated, `what: why`; shown as 0' }),
    exposure,
    coverage: coverage
      .nullable()
      .meta({ description: 'What of the network is in the tables now; null while that is not known' }),
    modelVersion: z.string(),
    dataHeight: z.int().meta({ description: 'Newest block the verdict knows' }),
    computedAt: timestamp,
    history: z.array(past).meta({ description: 'Newest first, a hundred at most' }),
  })
  .meta({ id: 'FraudExplanation', description: 'The reasons of a fraud verdict' })
export type Explanation = z.output<typeof explanation>

export const explainRequest = requestSchema('fraud_check', { calculate: false, id: 'FraudExplainRequest' })

export const EXTENSIONS: readonly ExtensionInfo[] = [
  {
    id: 'fraud_explain',
    path: '/fraud/explain',
    tiers: ['business', 'enterprise'],
    title: 'Fraud Explanation',
    summary: 'Reasons, exposure and history of the fraud verdict on a wallet',
    request: explainRequest,
    record: explanation,
  },
  ...BATCH_OPERATIONS.map(({ operation, id, path }): ExtensionInfo => {
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
  }),
]
