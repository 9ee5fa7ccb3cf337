/**
 * Verdicts: `risk_score` adds up indicators; `probabilityFraud` combines stakeholders, liquidity and code. Every number
 * has its reasons. Formulas: docs/verdicts/contract-risk.md.
 */
import type { MovedAmount, StakeholderScore, Stakeholders } from '../stakeholders/stakeholders.ts'
import type { Findings } from './findings/findings.ts'

/** One reason of a contract's verdict and its contribution. */
export type Reason<Code extends string = ReasonCode> = {
  code: Code
  contribution: number
  evidence: string[]
  /** Moved amounts, when the reason is about some. */
  amounts?: MovedAmount[]
}

/**
 * The `risk_indicators` of a record: 0 or 1; taxes and `creator_percent` in whole percent, `liquidity` in coins of the
 * base asset, `market_cap` in US dollars.
 */
export type Indicators = {
  is_honeypot: number
  honeypot_with_same_creator: number
  can_take_back_ownership: number
  is_mintable: number
  hidden_owner: number
  buy_tax: number
  sell_tax: number
  cannot_buy: number
  cannot_sell_all: number
  is_blacklisted: number
  is_whitelisted: number
  creator_percent: number
  lp_holders_locked: boolean
  liquidity: number
  market_cap: number
  is_in_dex: number
  slippage_modifiable: number
  transfer_pausable: number
  is_anti_whale: number
  anti_whale_modifiable: number
  trading_cooldown: number
  personal_slippage_modifiable: number
  is_open_source: number
  is_proxy: number
  owner_address: string
  owner_change_balance: number
  selfdestruct: number
  external_call: number
  gas_abuse: number
}

const WEIGHTS = {
  is_honeypot: 100,
  gas_abuse: 50,
  cannot_sell_all: 40,
  honeypot_with_same_creator: 40,
  owner_change_balance: 35,
  hidden_owner: 25,
  can_take_back_ownership: 25,
  selfdestruct: 20,
  is_mintable: 15,
  personal_slippage_modifiable: 15,
  transfer_pausable: 12,
  slippage_modifiable: 12,
  is_proxy: 10,
  cannot_buy: 10,
  is_blacklisted: 8,
  anti_whale_modifiable: 5,
  external_call: 4,
  trading_cooldown: 3,
  is_whitelisted: 2,
} as const satisfies Partial<Record<keyof Indicators, number>>

/** Codes of reasons for the risk score. */
export type RiskCode =
  | keyof typeof WEIGHTS
  | 'tax'
  | 'creator_percent'
  | 'balances_exceed_supply'
  | 'closed_source'
  | 'not_in_dex'
  | 'liquidity_unlocked'

/** Codes of reasons for the fraud probability. */
export type FraudCode =
  | 'creator'
  | 'liquidity_providers'
  | 'deploy_obfuscation'
  | 'honeypot_with_same_creator'
  | 'dead_tokens_of_creator'
  | 'is_honeypot'
  | 'cannot_sell_all'
  | 'owner_change_balance'
  | 'hidden_owner'
  | 'can_take_back_ownership'
  | 'is_mintable'
  | 'balances_exceed_supply'
  | 'gas_abuse'
  | 'tax'
  | 'liquidity_removed'
  | 'sold_by_insiders'
  | 'code_resembles_rugs'
  | 'market_resembles_rugs'

/** Codes of all reasons. They are stable, because clients compare them. */
export type ReasonCode = RiskCode | FraudCode

/** Contributions are points for `risk` and noisy-or weights for `fraud`. */
export type ContractReasons = { risk: Reason<RiskCode>[]; fraud: Reason<FraudCode>[] }

/** Maximum risk score. */
export const MAX_RISK = 100
/** Maximum risk score of a canonical asset: its powers are known, and its issuer holds them. */
export const MAX_CANONICAL_RISK = 20

/** Points of balances beyond the supply: an insider's hide who can sell how much, others may be burned tokens. */
const EXCESS_RISK = { insider: 25, others: 10 }

const step = (value: number, steps: [number, number][]): number => steps.find(([from]) => value >= from)?.[1] ?? 0

/**
 * Adds up the indicators, capped at 100, or 20 for a canonical asset. Weights: field semantics of the contract record.
 * Unknown indicators add nothing.
 */
export const riskScore = (
  indicators: Indicators,
  evidence: Partial<Record<keyof Indicators, string[]>>,
  unknowns: Readonly<Record<string, string>>,
  canonical: boolean,
  { excess, excessByInsider }: Pick<Findings, 'excess' | 'excessByInsider'>,
): { score: number; reasons: Reason<RiskCode>[] } => {
  const reasons: Reason<RiskCode>[] = []
  const add = (code: RiskCode, contribution: number, proof: string[] = []) => {
    if (contribution > 0) reasons.push({ code, contribution, evidence: proof })
  }
  for (const [name, weight] of Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][]) {
    if (indicators[name] === 1) add(name, weight, evidence[name])
  }
  const tax = Math.max(indicators.buy_tax, indicators.sell_tax)
  if (!(indicators.cannot_buy === 1 && indicators.buy_tax === 100 && indicators.sell_tax < 50)) {
    add(
      'tax',
      step(tax, [
        [50, 60],
        [20, 30],
        [10, 15],
        [5, 5],
      ]),
      [`buy ${indicators.buy_tax}%, sell ${indicators.sell_tax}%`],
    )
  }
  add(
    'creator_percent',
    step(indicators.creator_percent, [
      [50, 20],
      [20, 10],
      [5, 3],
    ]),
    [`${indicators.creator_percent}%`],
  )
  const excessRisk = excessByInsider ? EXCESS_RISK.insider : EXCESS_RISK.others
  if (excess.holds) add('balances_exceed_supply', excessRisk, excess.evidence)
  if (indicators.is_open_source === 0 && !unknowns.is_open_source) add('closed_source', 12)
  if (indicators.is_in_dex === 0 && !unknowns.is_in_dex) add('not_in_dex', 4)
  if (indicators.is_in_dex === 1 && !indicators.lp_holders_locked && !unknowns.lp_holders_locked)
    add('liquidity_unlocked', 8)
  const sum = reasons.reduce((total, reason) => total + reason.contribution, 0)
  return { score: Math.min(canonical ? MAX_CANONICAL_RISK : MAX_RISK, Math.round(sum)), reasons }
}

/** Label of a risk score of 0 to 100, in the bands of the contract record. */
export const riskStatus = (score: number): string =>
  score <= 20 ? 'Low Risk' : score <= 50 ? 'Medium Risk' : 'High Risk'

/** Prior of an address without a score: that of the networks' accounts, not the worst case. */
const UNKNOWN_ACCOUNT = 0.25
const NEW_ACCOUNT = 0.6

/** An address of unknown age counts as unscored: it may be old. */
const riskOf = (score: StakeholderScore | undefined): number => {
  if (score === undefined) return UNKNOWN_ACCOUNT
  const least = score.isNew ? NEW_ACCOUNT : score.isAgeOpen ? UNKNOWN_ACCOUNT : 0
  return Math.max(least, score.probability)
}

/** Combines independent signs of fraud by noisy-or. */
export const fraudProbability = (
  indicators: Indicators,
  findings: Findings,
  stakeholders: Stakeholders,
  models: { code?: number | undefined; market?: number | undefined },
  canonical: boolean,
): { probability: number; reasons: Reason<FraudCode>[] } => {
  const reasons: Reason<FraudCode>[] = []
  let noFraud = 1
  const weigh = (code: FraudCode, weight: number, proof: string[] = [], amounts?: MovedAmount[]) => {
    if (weight <= 0) return
    noFraud *= 1 - weight
    reasons.push({ code, contribution: Number(weight.toFixed(4)), evidence: proof, ...(amounts && { amounts }) })
  }
  const creator = riskOf(stakeholders.creatorScore)
  weigh('creator', 0.5 * creator, [stakeholders.creator || 'unknown creator', `score ${creator.toFixed(2)}`])
  const providers = stakeholders.providers
  const weightSum = providers.reduce((sum, provider) => sum + provider.share, 0)
  const provider =
    weightSum > 0
      ? providers.reduce((sum, item) => sum + item.share * riskOf(item.score), 0) / weightSum
      : UNKNOWN_ACCOUNT
  if (indicators.is_in_dex === 1)
    weigh(
      'liquidity_providers',
      0.35 * provider,
      providers.slice(0, 3).map((item) => `${item.address} holds ${(100 * item.share).toFixed(0)}%`),
    )
  if (stakeholders.obfuscatedDeployment) weigh('deploy_obfuscation', 0.15, stakeholders.deploymentPath)
  if (indicators.honeypot_with_same_creator === 1)
    weigh('honeypot_with_same_creator', 0.5, stakeholders.honeypotEvidence)
  if (stakeholders.deadTokensBefore >= 2)
    weigh('dead_tokens_of_creator', Math.min(0.45, 0.1 * stakeholders.deadTokensBefore), [
      `${stakeholders.deadTokensBefore} earlier tokens without liquidity`,
    ])
  const code: [FraudCode, number, string[]][] = []
  if (indicators.is_honeypot) code.push(['is_honeypot', 0.95, findings.honeypot.evidence])
  if (indicators.cannot_sell_all) code.push(['cannot_sell_all', 0.5, findings.cannotSellAll.evidence])
  if (indicators.owner_change_balance) code.push(['owner_change_balance', 0.1, findings.changeBalance.evidence])
  if (indicators.hidden_owner)
    code.push(['hidden_owner', findings.hiddenOwnerMild ? 0.15 : 0.5, findings.hiddenOwner.evidence])
  if (indicators.can_take_back_ownership)
    code.push(['can_take_back_ownership', findings.takeBackDated ? 0.15 : 0.5, findings.takeBack.evidence])
  if (indicators.is_mintable && !indicators.lp_holders_locked) code.push(['is_mintable', 0.03, findings.mint.evidence])
  if (findings.excess.holds)
    code.push(['balances_exceed_supply', findings.excessByInsider ? 0.5 : 0.15, findings.excess.evidence])
  if (indicators.gas_abuse) code.push(['gas_abuse', 0.5, []])
  // A tax that falls over time counts as what it falls to. A tax without a known lasting value counts nothing.
  const { buy = 0, sell = 0 } = findings.lastingTax
  const [buying, selling] = [Math.min(indicators.buy_tax, buy), Math.min(indicators.sell_tax, sell)].map(Math.round)
  const tax = Math.max(indicators.cannot_buy ? 0 : (buying ?? 0), selling ?? 0)
  if (tax >= 50 && tax < 100) code.push(['tax', 0.7, [`${tax}%`]])
  else if (tax >= 25 && tax < 50) code.push(['tax', 0.3, [`${tax}%`]])
  const harmless = code.reduce((product, [, weight]) => product * (1 - weight), 1)
  for (const [name, weight, proof] of code)
    reasons.push({ code: name, contribution: Number((CODE_WEIGHT * weight).toFixed(4)), evidence: proof })
  noFraud *= indicators.is_honeypot ? 1 - 0.95 : 1 - CODE_WEIGHT * (1 - harmless)
  const { withdrawn, sold } = stakeholders
  if (withdrawn.share >= 0.8) weigh('liquidity_removed', 0.95, withdrawn.evidence, withdrawn.amounts)
  else if (withdrawn.share >= 0.5) weigh('liquidity_removed', 0.5, withdrawn.evidence, withdrawn.amounts)
  // Founders sell too: only a day on which most of the pools' value was taken counts as a dump, half of it as a hint.
  if (sold.share >= 0.8) weigh('sold_by_insiders', 0.9, sold.evidence, sold.amounts)
  else if (sold.share >= 0.5) weigh('sold_by_insiders', 0.25, sold.evidence, sold.amounts)
  const proven = 1 - noFraud
  const modelScores = [models.code, models.market].filter((one) => one !== undefined)
  const joined = modelScores.length === 0 ? proven : withModel(proven, meanOfOdds(modelScores))
  const total = modelScores.reduce((sum, one) => sum + one, 0)
  const resembles = (code: FraudCode, model: number | undefined) => {
    const contribution = Number((((joined - proven) * (model ?? 0)) / (total || 1)).toFixed(4))
    if (model !== undefined && contribution > 0)
      reasons.push({ code, contribution, evidence: [`model ${model.toFixed(3)}`] })
  }
  resembles('code_resembles_rugs', models.code)
  resembles('market_resembles_rugs', models.market)
  const probability = canonical ? Math.min(0.15, joined) : joined
  return { probability: Math.min(0.99, Math.round(probability * 100) / 100), reasons }
}

/** Weight of harmful code: issuers hold such powers too. */
const CODE_WEIGHT = 0.8
/** Limit for the models: resemblance moves the probability towards the threshold of 0.5, never across. */
const MODEL_CEILING = 0.49

/** Mean of the models' log-odds, equally weighted. */
const meanOfOdds = (chances: readonly number[]): number => {
  const logits = chances.map((chance) => Math.log(chance / (1 - chance)))
  return 1 / (1 + Math.exp(-logits.reduce((sum, one) => sum + one, 0) / logits.length))
}

/** Raises the proven probability towards the threshold by the model's share of the remaining distance. */
export const withModel = (proven: number, model: number): number =>
  proven >= MODEL_CEILING ? proven : proven + (MODEL_CEILING - proven) * model
