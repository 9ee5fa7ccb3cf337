/**
 * The public contract as data, written down from its text (version 1.0.2) and not from our schemas: what a field is called, its type, and which
 * networks and tiers an operation has.
 */

/** The type of a field in the contract's words; `?` behind a name means that an entry may lack it, `|null` that it may be null. */
type Shape = string | { [field: string]: Shape } | [Shape]

const INTENTION_KEYS =
  'Prob_Lend Prob_Trade Prob_Game Prob_NFT Prob_Stake_ETH Prob_Borrow Prob_Gamble Prob_Stake Prob_Yield_Farm Prob_Leveraged_Stake ' +
  'Prob_Leveraged_Stake_ETH Prob_Leveraged_Lend Prob_Leverage_Long_ETH Prob_Leverage_Long'
const FORENSIC_FLAGS =
  'cybercrime money_laundering gas_abuse financial_crime darkweb_transactions reinit phishing_activities fake_kyc blacklist_doubt ' +
  'fake_standard_interface stealing_attack blackmail_activities sanctioned malicious_mining_activities mixer fake_token honeypot_related_address'
const RISK_FLAGS =
  'is_honeypot honeypot_with_same_creator can_take_back_ownership is_mintable hidden_owner cannot_buy cannot_sell_all is_blacklisted ' +
  'is_whitelisted is_in_dex slippage_modifiable transfer_pausable is_anti_whale anti_whale_modifiable trading_cooldown ' +
  'personal_slippage_modifiable is_open_source is_proxy owner_change_balance selfdestruct external_call gas_abuse'

const each = (names: string, shape: Shape): { [field: string]: Shape } =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]))

const SANCTION: Shape = {
  'category?': 'string|null',
  'name?': 'string|null',
  'description?': 'string|null',
  'url?': 'string|null',
  isSanctioned: 'boolean',
  'createdAt?': 'date-time',
  'updatedAt?': 'date-time',
}
const WALLET_FRAUD: { [field: string]: Shape } = {
  message: 'string',
  walletAddress: 'string',
  chain: 'string',
  status: 'Not Fraud,Fraud,New Address',
  probabilityFraud: 'decimal',
  token: 'string|null',
  lastChecked: 'date-time',
  forensic_details: {
    ...each(FORENSIC_FLAGS, '0,1'),
    number_of_malicious_contracts_created: 'count',
    data_source: 'string',
  },
  checked_times: 'integer',
  sanctionData: [SANCTION],
  createdAt: 'date-time',
  updatedAt: 'date-time|null',
}
const PROFILE: { [field: string]: Shape } = {
  categories: [{ Category: 'string', Count: 'integer' }],
  riskProfile: [{ Category: 'string', Balance_age: 'number' }],
  segmentInfo: 'serialized',
  experience: { Type: 'string', Value: 'integer' },
  intention: { Type: 'string', Value: each(INTENTION_KEYS, 'High,Medium,Low') },
  protocols: [{ Protocol: 'string', Count: 'integer' }],
  userDetails: {
    wallet_age_days: 'integer',
    total_balance_usd: 'number',
    transaction_count: 'integer',
    wallet_rank: 'integer',
  },
  recommendation: { Type: 'string', Value: ['string'] },
}

export type ContractOperation = {
  path: string
  skill: string
  networks: string
  /** Lowest subscription that covers it. */
  tier: 'business' | 'enterprise'
  calculate: boolean
  record: { [field: string]: Shape }
}

export const CONTRACT: readonly ContractOperation[] = [
  {
    path: '/fraud/check',
    skill: 'fraud_check',
    networks: 'ETH BNB POLYGON TON BASE TRON HAQQ',
    tier: 'business',
    calculate: true,
    record: WALLET_FRAUD,
  },
  {
    path: '/fraud/audit',
    skill: 'fraud_audit',
    networks: 'ETH BNB BASE HAQQ SOLANA',
    tier: 'business',
    calculate: true,
    record: { ...WALLET_FRAUD, ...PROFILE, riskCapability: 'integer' },
  },
  {
    path: '/rug/pull-check',
    skill: 'rug_pull',
    networks: 'ETH BNB BASE HAQQ',
    tier: 'business',
    calculate: false,
    record: {
      message: 'string',
      contractAddress: 'string',
      pairAddress: 'string',
      contractCreatorAddress: 'string|null',
      risk_score: 'integer',
      risk_status: 'string',
      status: 'Not Fraud,Fraud',
      probabilityFraud: 'probability',
      chain: 'string',
      lastChecked: 'date-time',
      contractCreationTime: 'date-time|null',
      risk_indicators: {
        ...each(RISK_FLAGS, 'flag'),
        buy_tax: 'integer',
        sell_tax: 'integer',
        creator_percent: 'integer',
        lp_holders_locked: 'boolean',
        liquidity: 'number',
        market_cap: 'number',
        owner_address: 'string',
      },
      forensic_details: {
        owner: {},
        privilege_withdraw: 'integer',
        withdraw_missing: 'integer',
        is_open_source: 'integer',
        blacklist: 'integer',
        contract_name: 'string',
        selfdestruct: 'integer',
        is_proxy: 'integer',
        approval_abuse: 'integer',
      },
      liquidityEvent: [
        {
          eventType: 'add,remove',
          amount: 'number',
          token: 'string',
          tx_hash: 'string',
          from_address: 'string',
          from_fraud_probability: 'probability',
          from_fraud_status: 'Not Fraud,Fraud',
          createdAt: 'date-time',
        },
      ],
      checked_times: 'integer',
      createdAt: 'date-time',
      updatedAt: 'date-time',
    },
  },
  {
    path: '/segmentation/wallet-segment',
    skill: 'wallet_segment',
    networks: 'ETH BNB BASE HAQQ SOLANA',
    tier: 'enterprise',
    calculate: false,
    record: {
      message: 'string',
      walletAddress: 'string',
      walletQuality: 'quality',
      ...PROFILE,
      sanctionData: [SANCTION],
    },
  },
  {
    path: '/users/credit-score',
    skill: 'credit_score',
    networks: 'ETH',
    tier: 'enterprise',
    calculate: false,
    record: { message: 'string', creditData: { walletAddress: 'string', riskRating: 'rating' } },
  },
]

const isInteger = (value: unknown): value is number => Number.isInteger(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const within = (value: unknown, from: number, to: number): boolean =>
  typeof value === 'number' && value >= from && value <= to
const isSerialized = (value: unknown): boolean =>
  isText(value) && Object.values(JSON.parse(value) as object).every((flag) => flag === 0 || flag === 1)

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: isText,
  boolean: (value) => typeof value === 'boolean',
  integer: isInteger,
  number: (value) => typeof value === 'number',
  flag: (value) => value === 0 || value === 1,
  count: (value) => isText(value) && /^\d+$/.test(value),
  decimal: (value) => isText(value) && /^[01]\.\d{2,}$/.test(value) && within(Number(value), 0, 1),
  probability: (value) => within(value, 0, 1),
  quality: (value) => isInteger(value) && within(value, 0, 100),
  rating: (value) => isInteger(value) && within(value, 1, 9),
  'date-time': (value) =>
    isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value)),
  serialized: isSerialized,
}

const isOf = (type: string, value: unknown): boolean => {
  if (type.endsWith('|null')) return value === null || isOf(type.slice(0, -5), value)
  const check = TYPES[type]
  return check ? check(value) : isText(value) && type.split(',').includes(value)
}

/** Where a value differs from the contract: missing and additional fields, and values of another type. */
export const differences = (shape: Shape, value: unknown, at = ''): string[] => {
  if (typeof shape === 'string') return isOf(shape, value) ? [] : [`${at} is no ${shape}: ${JSON.stringify(value)}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is no array`]
    return value.flatMap((item, index) => differences(shape[0], item, `${at}.${index}`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`]
  const known = new Set(Object.keys(shape).map((name) => name.replace('?', '')))
  const isOpen = known.size === 0
  const additional = Object.keys(value).filter((name) => !isOpen && !known.has(name))
  return [
    ...additional.map((name) => `${at}.${name} is in no contract`),
    ...Object.entries(shape).flatMap(([name, inner]) => {
      const field = name.replace('?', '')
      if (!(field in value)) return name.endsWith('?') ? [] : [`${at}.${field} is missing`]
      return differences(inner, (value as Record<string, unknown>)[field], `${at}.${field}`)
    }),
  ]
}
