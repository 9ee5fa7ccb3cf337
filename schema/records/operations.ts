/** The five operations as data: HTTP routes, A2A skills, MCP tools, OpenAPI and tests are generated from this table. */
import type { z } from 'zod'
import { type Network, networksOf, type Operation } from '../networks.ts'
import { creditBody, creditRecord } from './credit.ts'
import { behaviourBody, behaviourRecord } from './explained/behaviour.ts'
import { fraudBody, fraudRecord } from './fraud.ts'
import { type AnalysisRequest, requestSchema } from './request.ts'
import { rugBody, rugRecord } from './rug.ts'
import { segmentBody, segmentRecord } from './segment.ts'

/** Subscription tiers. A higher tier includes everything of a lower one. */
export const TIERS = ['business', 'enterprise'] as const
/** Tier of a key; operations list the tiers that include them. */
export type Tier = (typeof TIERS)[number]

/** `enterprise`: paths without a prefix. `agent`: the same paths under `/api`. */
export type Surface = 'enterprise' | 'agent'

/** Path prefix of each surface. */
export const SURFACE_PREFIX: Record<Surface, string> = { enterprise: '', agent: '/api' }

/**
 * How an answer is made of stored bytes: fields that differ between answers are put before them. `counted` answers have
 * `checked_times` and `updatedAt`; `wallet` and `contract` addresses are counted separately.
 */
export type Framing = {
  addressField: 'walletAddress' | 'contractAddress'
  counted?: 'wallet' | 'contract'
  /** Whether the stored object is the content of `creditData`. */
  wrapped?: true
}

/** Properties of an operation for transports, documentation and stores. */
export type OperationInfo = {
  id: Operation
  path: string
  /** Tiers that include it. */
  tiers: readonly Tier[]
  networks: readonly [Network, ...Network[]]
  calculate: boolean
  title: string
  summary: string
  tags: readonly string[]
  request: Record<Surface, z.ZodType<AnalysisRequest>>
  /** The answer. */
  record: z.ZodType
  /** The stored part: the record without the fields of `framing`. */
  body: z.ZodType
  framing: Framing
  /** What a 404 calls the missing object. */
  subject: 'wallet' | 'contract'
}

type Given = Omit<OperationInfo, 'networks' | 'request'> & { requestId: string; agentNetworkOptional?: true }

const define = ({ requestId, agentNetworkOptional, ...given }: Given): OperationInfo => {
  const enterprise = requestSchema(given.id, { calculate: given.calculate, id: requestId })
  const agent = agentNetworkOptional
    ? requestSchema(given.id, { calculate: given.calculate, optionalNetwork: true, id: `Agent${requestId}` })
    : enterprise
  return { ...given, networks: networksOf(given.id), request: { enterprise, agent } }
}

/** The five operations by id. */
export const OPERATIONS: Record<Operation, OperationInfo> = {
  fraud_check: define({
    id: 'fraud_check',
    path: '/fraud/check',
    tiers: ['business', 'enterprise'],
    calculate: true,
    title: 'Fraud Check',
    summary: 'Fraud probability and forensic flags for a wallet address',
    tags: ['fraud', 'wallet', 'risk', 'screening', 'blockchain'],
    requestId: 'FraudCheckRequest',
    record: fraudRecord,
    body: fraudBody,
    framing: { addressField: 'walletAddress', counted: 'wallet' },
    subject: 'wallet',
  }),
  fraud_audit: define({
    id: 'fraud_audit',
    path: '/fraud/audit',
    tiers: ['business', 'enterprise'],
    calculate: true,
    title: 'Wallet Audit',
    summary: 'Behavioural profile and intent prediction for a wallet address',
    tags: ['fraud', 'wallet', 'behaviour', 'intent', 'blockchain'],
    requestId: 'FraudAuditRequest',
    record: behaviourRecord,
    body: behaviourBody,
    framing: { addressField: 'walletAddress', counted: 'wallet' },
    subject: 'wallet',
  }),
  rug_pull: define({
    id: 'rug_pull',
    path: '/rug/pull-check',
    tiers: ['business', 'enterprise'],
    calculate: false,
    title: 'Rug Pull Check',
    summary: 'Rug pull probability for a contract or liquidity pool address',
    tags: ['rug-pull', 'contract', 'liquidity', 'risk', 'blockchain'],
    requestId: 'RugPullCheckRequest',
    record: rugRecord,
    body: rugBody,
    framing: { addressField: 'contractAddress', counted: 'contract' },
    subject: 'contract',
  }),
  wallet_segment: define({
    id: 'wallet_segment',
    path: '/segmentation/wallet-segment',
    tiers: ['enterprise'],
    calculate: false,
    title: 'Wallet Segmentation',
    summary: 'Quality segment and 0-100 quality score for a wallet',
    tags: ['segmentation', 'wallet', 'quality', 'marketing', 'blockchain'],
    requestId: 'WalletSegmentRequest',
    record: segmentRecord,
    body: segmentBody,
    framing: { addressField: 'walletAddress' },
    subject: 'wallet',
  }),
  credit_score: define({
    id: 'credit_score',
    path: '/users/credit-score',
    tiers: ['enterprise'],
    calculate: false,
    title: 'Credit Score',
    summary: 'Trust score 1-9 for a wallet',
    tags: ['credit', 'wallet', 'trust', 'lending', 'blockchain'],
    requestId: 'CreditScoreRequest',
    agentNetworkOptional: true,
    record: creditRecord,
    body: creditBody,
    framing: { addressField: 'walletAddress', wrapped: true },
    subject: 'wallet',
  }),
}

/** The five operations, in the order of routes and skills. */
export const OPERATION_LIST: readonly OperationInfo[] = Object.values(OPERATIONS)
