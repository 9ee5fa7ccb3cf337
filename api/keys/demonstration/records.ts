/** Records that test keys get for demonstration addresses: constants in the format of real records. */
import type { Network, Operation } from '../../../schema/networks.ts'
import { type ForensicDetails, forensicDetails } from '../../../schema/records/common.ts'
import type { BehaviourBody } from '../../../schema/records/explained/behaviour.ts'
import { INTENTIONS } from '../../../schema/records/explained/profile.ts'
import type { FraudBody } from '../../../schema/records/fraud.ts'
import type { AnalysisRequest } from '../../../schema/records/request.ts'
import { type RugBody, riskIndicators } from '../../../schema/records/rug.ts'
import type { SegmentBody } from '../../../schema/records/segment.ts'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import type { Frame } from '../../answers/reader/frame.ts'
import { caseOf, type DemonstrationCase } from './addresses.ts'

/** Marks a record as a demonstration, in every text field that can hold it. */
const MARK = 'demonstration'
const TIME = '2026-01-01T00:00:00.000Z'

type Case = {
  status: FraudBody['status']
  probability: string
  raised: readonly (keyof ForensicDetails)[]
  quality: number
  trust: number
  transactions: number
  /** Risk indicators that are 1. */
  conditions: readonly (keyof RugBody['risk_indicators'])[]
}

const CASES: Record<DemonstrationCase, Case> = {
  clean: {
    status: 'Not Fraud',
    probability: '0.02',
    raised: [],
    quality: 86,
    trust: 8,
    transactions: 1_200,
    conditions: ['is_open_source', 'is_in_dex'],
  },
  fraud: {
    status: 'Fraud',
    probability: '1.00',
    raised: ['phishing_activities', 'stealing_attack'],
    quality: 3,
    trust: 1,
    transactions: 340,
    conditions: ['is_honeypot', 'is_mintable', 'is_in_dex'],
  },
  new: {
    status: 'New Address',
    probability: '0.10',
    raised: [],
    quality: 20,
    trust: 4,
    transactions: 2,
    conditions: [],
  },
}

const fraudOf = (chain: Network, { status, probability, raised }: Case): FraudBody => ({
  message: 'Success',
  chain,
  status,
  probabilityFraud: probability,
  token: null,
  lastChecked: TIME,
  forensic_details: forensicDetails.parse({
    ...Object.fromEntries(Object.keys(forensicDetails.shape).map((name) => [name, '0'])),
    ...Object.fromEntries(raised.map((name) => [name, '1'])),
    data_source: MARK,
  }),
  sanctionData: [{ isSanctioned: false }],
  createdAt: TIME,
})

const profileOf = ({ quality, transactions }: Case) => ({
  categories: [{ Category: 'DeFi', Count: Math.floor(transactions / 4) }],
  riskProfile: [{ Category: 'Risk_Profile', Balance_age: 0.5 }],
  segmentInfo: '{}',
  experience: { Type: 'Experience', Value: quality },
  intention: {
    Type: 'Intentions',
    Value: Object.fromEntries(INTENTIONS.map((name) => [name, 'Low'])) as BehaviourBody['intention']['Value'],
  },
  protocols: [],
  userDetails: {
    wallet_age_days: Math.floor(transactions / 2),
    total_balance_usd: transactions,
    transaction_count: transactions,
    wallet_rank: 100 - quality,
  },
  recommendation: { Type: 'Recommendation', Value: [MARK] },
})

const segmentOf = (shown: Case): SegmentBody => ({
  message: 'Wallet segment retrieved',
  walletQuality: shown.quality,
  ...profileOf(shown),
  sanctionData: [{ isSanctioned: false }],
})

const rugOf = (chain: Network, { status, probability, conditions }: Case): RugBody => ({
  message: 'Success',
  pairAddress: '',
  contractCreatorAddress: null,
  risk_score: Math.round(Number(probability) * 100),
  risk_status: status === 'Fraud' ? 'High Risk' : 'Low Risk',
  status: status === 'Fraud' ? 'Fraud' : 'Not Fraud',
  probabilityFraud: Number(probability),
  chain,
  lastChecked: TIME,
  contractCreationTime: TIME,
  risk_indicators: riskIndicators.parse({
    ...Object.fromEntries(Object.keys(riskIndicators.shape).map((name) => [name, 0])),
    ...Object.fromEntries(conditions.map((name) => [name, 1])),
    lp_holders_locked: status !== 'Fraud',
    owner_address: '',
  }),
  forensic_details: {
    owner: {},
    privilege_withdraw: 0,
    withdraw_missing: 0,
    is_open_source: conditions.includes('is_open_source') ? 1 : 0,
    blacklist: 0,
    contract_name: MARK,
    selfdestruct: 0,
    is_proxy: 0,
    approval_abuse: 0,
  },
  liquidityEvent: [],
  createdAt: TIME,
})

const BODIES: Record<Operation, (network: Network, shown: Case) => object> = {
  fraud_check: fraudOf,
  fraud_audit: (network, shown) => ({
    ...fraudOf(network, shown),
    ...profileOf(shown),
    riskCapability: shown.status === 'Fraud' ? 0 : 5,
  }),
  rug_pull: rugOf,
  wallet_segment: (_network, shown) => segmentOf(shown),
  credit_score: (_network, { trust }) => ({ riskRating: trust }),
}

/** Header of every demonstration record. */
const HEADERS = { 'x-assay-demonstration': 'true' }

/** The answer to a test key about any other address. */
export const NOT_DEMONSTRATED = errorAnswer(
  'NOT_FOUND',
  'A test key works with demonstration addresses only. docs/use/api.md lists them.',
  [{ field: 'walletAddress', reason: 'is not a demonstration address' }],
)

/** The answer to a test key. Nothing is looked up, computed or counted. */
export const demonstrated = (operation: Operation, request: AnalysisRequest, frame: Frame): Answer => {
  const name = caseOf(request.network, request.address)
  if (!name) return NOT_DEMONSTRATED
  const body = JSON.stringify(BODIES[operation](request.network, CASES[name]))
  return { status: 200, body: frame(body, request.spelling, 1, TIME), outcome: 'demonstration', headers: HEADERS }
}
