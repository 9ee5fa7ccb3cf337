/** Texts for the reasons of a contract's verdict, and the cap of the risk score as a reason of its own. */
import type { RugExplanation } from '../../../schema/records/explained/explanations.ts'
import { type ContractReasons, type FraudCode, MAX_RISK, type Reason, type RiskCode } from './verdict.ts'

type Explained = RugExplanation['reasons'][number]
type Words = { title: string; change: string }

const REMOVED_POWER = 'Code without this function, or proof that it cannot be called any more.'
const TRADES = 'An analysis in which trades succeed.'
const DEPLOYED = 'Nothing: earlier deployments stay on chain.'

const RISK: Record<RiskCode, Words> = {
  is_honeypot: { title: 'Buyers cannot sell the token, or lose nearly all of its value', change: TRADES },
  gas_abuse: {
    title:
      'Transfers spend the gas of the sender on other work: they create contracts, mint gas tokens or cost far more than usual',
    change: 'Code whose transfers do nothing but transfer.',
  },
  cannot_sell_all: { title: 'Holders cannot sell their full balance at once', change: TRADES },
  honeypot_with_same_creator: { title: 'The creator deployed a honeypot before', change: DEPLOYED },
  owner_change_balance: {
    title: 'Balances of holders can be changed or burned without their consent',
    change: REMOVED_POWER,
  },
  hidden_owner: {
    title:
      'An account that no public function names, or that keeps its rights after ownership was renounced, controls the tokens of holders',
    change: REMOVED_POWER,
  },
  can_take_back_ownership: { title: 'Ownership can be taken back after it was renounced', change: REMOVED_POWER },
  selfdestruct: { title: 'The contract can be destroyed', change: 'Code without this instruction.' },
  is_mintable: { title: 'New tokens can be created', change: REMOVED_POWER },
  personal_slippage_modifiable: { title: 'A tax can be set for individual holders', change: REMOVED_POWER },
  transfer_pausable: { title: 'All transfers or all trading can be stopped', change: REMOVED_POWER },
  slippage_modifiable: { title: 'The tax on trades can be changed', change: REMOVED_POWER },
  is_proxy: { title: 'The code can be replaced', change: 'A proxy whose code cannot be replaced any more.' },
  cannot_buy: { title: 'The token cannot be bought', change: TRADES },
  is_blacklisted: { title: 'Individual holders can be frozen', change: REMOVED_POWER },
  anti_whale_modifiable: { title: 'Limits on the size of trades can be changed', change: REMOVED_POWER },
  external_call: { title: 'Transfers call other contracts', change: 'Code whose transfers call no other contract.' },
  trading_cooldown: { title: 'An account has to wait between two trades', change: TRADES },
  is_whitelisted: { title: 'Some accounts trade on better terms than other holders', change: REMOVED_POWER },
  tax: { title: 'Trades are taxed', change: 'A lower tax.' },
  creator_percent: {
    title: 'The creator holds a notable part of the supply',
    change: 'A smaller holding of the creator.',
  },
  balances_exceed_supply: {
    title: 'Accounts that the contract names, and pools, hold more tokens than the total supply states',
    change: 'A total supply that counts all balances.',
  },
  closed_source: { title: 'The source code is not published', change: 'The publication of the source code.' },
  not_in_dex: {
    title: 'The token has no pool with enough liquidity on a known exchange',
    change: 'A pool with liquidity on a known exchange.',
  },
  liquidity_unlocked: {
    title: 'Less than 80 % of the liquidity is locked or burned; the rest can be withdrawn at any time',
    change: 'Liquidity that is locked or burned.',
  },
}

const FRAUD: Record<FraudCode, Words> = {
  creator: {
    title: 'Fraud probability of the creator, weighted by half',
    change: 'A lower fraud probability of the creator; its reasons are in /fraud/explain.',
  },
  liquidity_providers: {
    title: 'Fraud probability of the liquidity providers, weighted by share',
    change: 'Liquidity from wallets with a lower fraud probability.',
  },
  deploy_obfuscation: {
    title: 'The contract was deployed through other contracts that conceal its creator',
    change: DEPLOYED,
  },
  honeypot_with_same_creator: RISK.honeypot_with_same_creator,
  dead_tokens_of_creator: { title: 'Earlier tokens of the creator lost their liquidity', change: DEPLOYED },
  is_honeypot: RISK.is_honeypot,
  cannot_sell_all: RISK.cannot_sell_all,
  owner_change_balance: RISK.owner_change_balance,
  hidden_owner: RISK.hidden_owner,
  can_take_back_ownership: RISK.can_take_back_ownership,
  is_mintable: {
    title: 'New tokens can be created while the liquidity can be withdrawn',
    change: 'Liquidity that is locked or burned, or code that creates no tokens.',
  },
  balances_exceed_supply: RISK.balances_exceed_supply,
  gas_abuse: RISK.gas_abuse,
  tax: { title: 'Trades lose at least a quarter of their value to a tax', change: 'A lower tax.' },
  liquidity_removed: {
    title: 'Insiders withdrew at least half of the liquidity within 30 days',
    change: '30 days without such a withdrawal.',
  },
  sold_by_insiders: {
    title: 'The creator and wallets it supplied sold tokens for at least half of the value in the pools within a day',
    change: '30 days without such a sale.',
  },
  market_resembles_rugs: {
    title:
      'In its trades and the holdings of the creator, the first day of the pool resembles that of pools that ended in a rug pull',
    change:
      'More sales by others, and less liquidity and supply with the creator. It cannot make a verdict Fraud by itself.',
  },
  code_resembles_rugs: {
    title: 'The code resembles that of tokens that ended in a rug pull',
    change: 'Code that resembles them less. It cannot make a verdict Fraud by itself.',
  },
}

const explained = <Code extends string>(
  score: Explained['score'],
  words: Record<Code, Words>,
  reasons: readonly Reason<Code>[],
): Explained[] =>
  reasons
    .map(({ code, contribution, evidence, amounts = [] }) => ({
      score,
      code,
      ...words[code],
      contribution,
      evidence: { findings: evidence, amounts },
    }))
    .sort((a, b) => b.contribution - a.contribution)

/** The cap of the risk score, as a negative contribution. */
const limited = (riskScore: number, reasons: readonly Reason<RiskCode>[]): Explained[] => {
  const excess = reasons.reduce((sum, { contribution }) => sum + contribution, 0) - riskScore
  if (excess <= 0) return []
  const limit = `The risk score is limited to ${riskScore}`
  return [
    {
      score: 'risk_score',
      code: 'limit',
      title: riskScore < MAX_RISK ? `${limit}, because the token is a canonical asset of the network` : limit,
      contribution: -excess,
      evidence: { findings: [], amounts: [] },
      change: null,
    },
  ]
}

/** Explains the reasons of a stored analysis. Contributions to `risk_score` add up to it. */
export const explainContract = (riskScore: number, { risk, fraud }: ContractReasons): Explained[] => [
  ...explained('risk_score', RISK, risk),
  ...limited(riskScore, risk),
  ...explained('probabilityFraud', FRAUD, fraud),
]
