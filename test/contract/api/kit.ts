/** An API on providers in memory, for what is the API's own: transport, keys, limits, framing, errors, documents. */

import { keyOf, type Provider } from '../../../api/answers/providers/provider.ts'
import type { ServeCounts } from '../../../api/answers/served/bases.ts'
import { type ApiOptions, createApi } from '../../../api/api.ts'
import type { Keys, StoredKey } from '../../../api/keys/keys.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import type { AddressFamily, Network, Operation } from '../../../schema/networks.ts'
import type { ForensicDetails } from '../../../schema/records/common.ts'
import type { BehaviourBody } from '../../../schema/records/explained/behaviour.ts'
import { INTENTIONS } from '../../../schema/records/explained/profile.ts'
import type { FraudBody } from '../../../schema/records/fraud.ts'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import { type RugBody, riskIndicators } from '../../../schema/records/rug.ts'
import type { SegmentBody } from '../../../schema/records/segment.ts'
import type { ServedBatch } from '../../../schema/records/service/served.ts'
import { storedKey } from '../../kit/stored-key.ts'

export const BUSINESS_KEY = 'business-key-0123456789'
export const ENTERPRISE_KEY = 'enterprise-key-0123456789'

const FLAGS = [
  'cybercrime',
  'money_laundering',
  'gas_abuse',
  'financial_crime',
  'darkweb_transactions',
  'reinit',
  'phishing_activities',
  'fake_kyc',
  'blacklist_doubt',
  'fake_standard_interface',
  'stealing_attack',
  'blackmail_activities',
  'sanctioned',
  'malicious_mining_activities',
  'mixer',
  'fake_token',
  'honeypot_related_address',
] as const
const forensics = {
  ...Object.fromEntries(FLAGS.map((flag) => [flag, '0'])),
  number_of_malicious_contracts_created: '0',
  data_source: '',
} as ForensicDetails

const TIME = '2026-05-04T12:00:00.000Z'

const fraud = (chain: Network): FraudBody => ({
  message: 'Success',
  chain,
  status: 'Not Fraud',
  probabilityFraud: '0.0421858616',
  token: null,
  lastChecked: TIME,
  forensic_details: forensics,
  sanctionData: [{ isSanctioned: false }],
  createdAt: TIME,
})

const profile = {
  categories: [{ Category: 'DeFi', Count: 3 }],
  riskProfile: [{ Category: 'Risk_Profile', Balance_age: 0.5 }],
  segmentInfo: '{"uniswap":1}',
  experience: { Type: 'Experience', Value: 61 },
  intention: {
    Type: 'Intentions',
    Value: Object.fromEntries(INTENTIONS.map((name) => [name, 'Low'])) as BehaviourBody['intention']['Value'],
  },
  protocols: [{ Protocol: 'uniswap', Count: 3 }],
  userDetails: { wallet_age_days: 10, total_balance_usd: 1.5, transaction_count: 3, wallet_rank: 7 },
  recommendation: { Type: 'Recommendation', Value: ['Staking'] },
}
const segment: SegmentBody = {
  message: 'Wallet segment retrieved',
  walletQuality: 78,
  ...profile,
  sanctionData: [{ isSanctioned: false }],
}

const rug = (chain: Network): RugBody => ({
  message: 'Success',
  pairAddress: '',
  contractCreatorAddress: null,
  risk_score: 84,
  risk_status: 'High Risk',
  status: 'Fraud',
  probabilityFraud: 0.8350795507,
  chain,
  lastChecked: TIME,
  contractCreationTime: null,
  risk_indicators: {
    ...Object.fromEntries(Object.keys(riskIndicators.shape).map((name) => [name, 0])),
    lp_holders_locked: false,
    liquidity: 14.38,
    market_cap: 2062,
    owner_address: '',
  } as RugBody['risk_indicators'],
  forensic_details: {
    owner: {},
    privilege_withdraw: 0,
    withdraw_missing: 0,
    is_open_source: 1,
    blacklist: 0,
    contract_name: 'PAPUToken',
    selfdestruct: 0,
    is_proxy: 0,
    approval_abuse: 0,
  },
  liquidityEvent: [
    {
      eventType: 'remove',
      amount: 1.6,
      token: 'WBNB',
      tx_hash: `0x${'5a'.repeat(32)}`,
      from_address: `0x${'98'.repeat(20)}`,
      from_fraud_probability: 1,
      from_fraud_status: 'Fraud',
      createdAt: TIME,
    },
  ],
  createdAt: TIME,
})

const BODIES: Record<Operation, (network: Network) => unknown> = {
  fraud_check: fraud,
  fraud_audit: (network) => ({ ...fraud(network), ...profile, riskCapability: 4 }),
  rug_pull: rug,
  wallet_segment: () => segment,
  credit_score: () => ({ riskRating: 7 }),
}

/** Body text of a record of the operation, held against its schema. */
export const bodyOf = (operation: Operation, network: Network): string =>
  JSON.stringify(OPERATIONS[operation].body.parse(BODIES[operation](network)))

/** Addresses that the provider in memory has never seen, one a family. */
export const UNSEEN: Record<AddressFamily, string> = {
  evm: `0x${'dead'.repeat(10)}`,
  tron: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  ton: `0:${'dead'.repeat(16)}`,
  solana: 'So11111111111111111111111111111111111111112',
}
const isUnseen = (address: string): boolean => Object.values(UNSEEN).includes(address)

export type Calls = { lookups: string[][]; computed: string[] }

/** Knows every address but those of `UNSEEN`; stored ones are those whose text contains 'aa'. */
export const memoryProvider = (
  operation: Operation,
  calls: Calls,
  hooks: { compute?: (address: string) => Promise<void> } = {},
): Provider => ({
  lookup: async (subjects) => {
    calls.lookups.push(subjects.map(keyOf))
    return subjects.map(({ network, address }) =>
      isUnseen(address) || !address.toLowerCase().includes('aa')
        ? undefined
        : { body: bodyOf(operation, network), version: 1 },
    )
  },
  compute: async (subject) => {
    calls.computed.push(keyOf(subject))
    await hooks.compute?.(subject.address)
    return isUnseen(subject.address) ? undefined : { body: bodyOf(operation, subject.network), version: Date.now() }
  },
})

/** Keys as `Keys` keeps them, without a store. */
export const memoryKeys = (): Pick<Keys, 'list' | 'ensure'> & { rows: StoredKey[] } => {
  const rows: StoredKey[] = []
  return {
    rows,
    list: async () => rows,
    ensure: async (keys) => {
      for (const { tier, key } of keys) {
        rows.push(storedKey(key, { id: `key_${tier}`, tier }))
      }
    },
  }
}

/** Served counts that hold what was sent, as the store would. */
export const memoryCounts = () => {
  const totals = new Map<string, number>()
  const counts: ServeCounts = {
    load: async (kind, subjects) => subjects.map((subject) => totals.get(`${kind}:${keyOf(subject)}`) ?? 0),
  }
  const send = async ({ counts: batch }: ServedBatch) => {
    for (const { kind, count, ...subject } of batch) {
      const name = `${kind}:${keyOf(subject)}`
      totals.set(name, (totals.get(name) ?? 0) + count)
    }
  }
  return { counts, send, totals }
}

export const testContext = (level = 'silent'): Context => ({
  log: createLog(level),
  metrics: createMetrics(),
  clock: systemClock,
  lifecycle: createLifecycle(5_000),
})

type Overrides = Partial<Omit<ApiOptions, 'server'>> & { server?: Partial<ApiOptions['server']> }

/** An API on loopback with every operation available, a key per tier and no limits, unless told otherwise. */
export const startApi = async (overrides: Overrides = {}, context = testContext()) => {
  const calls: Calls = { lookups: [], computed: [] }
  const served = memoryCounts()
  const keys = memoryKeys()
  const api = await createApi(context, {
    listeners: [{ host: '127.0.0.1', port: 0, surfaces: ['enterprise', 'agent'] }],
    providers: Object.fromEntries(Object.values(OPERATIONS).map(({ id }) => [id, memoryProvider(id, calls)])),
    serveCounts: served.counts,
    sendServed: served.send,
    keys,
    bootstrapKeys: [
      { tier: 'business', key: BUSINESS_KEY },
      { tier: 'enterprise', key: ENTERPRISE_KEY },
    ],
    rateLimits: [],
    ...overrides,
    tuning: { invalidKeysPerMinute: 0, ...overrides.tuning },
    server: {
      readiness: () => ({ ready: true, reasons: [] }),
      maxEventLoopDelayMs: 0,
      plainHttp: true,
      ...overrides.server,
    },
  })
  const app = api.apps[0]
  if (!app) throw new Error('no listener')
  const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json', 'x-api-key': ENTERPRISE_KEY, ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  return { api, app, ask, calls, served, keys, context, close: () => context.lifecycle.close() }
}
