/** Stakeholders of a contract and its liquidity, for the verdict and the record. */
import type { RugExplanation } from '../../../schema/records/explained/explanations.ts'
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import type { Examination } from '../examine/examination.ts'
import type { KnownPools } from '../market/choose.ts'

/** `isNew`: the wallet has little history. `isAgeOpen`: it looks new, but its past before the index is unknown. */
export type StakeholderScore = { probability: number; status: string; isNew: boolean; isAgeOpen?: boolean }

/**
 * A liquidity event in the record. `amount` is in whole coins of the pool's base asset, whose symbol is `token`.
 * Unscored accounts have probability 0.
 */
export type LiquidityEvent = {
  eventType: 'add' | 'remove'
  amount: number
  token: string
  tx_hash: string
  from_address: string
  from_fraud_probability: number
  from_fraud_status: 'Fraud' | 'Not Fraud'
  createdAt: string
}

/** An amount that an account moved in a transaction. */
export type MovedAmount = RugExplanation['reasons'][number]['evidence']['amounts'][number]

/** What insiders took, as a share (0..1) of the value in all pools, with the newest takes as evidence. */
export type ExitEvidence = { share: number; evidence: string[]; amounts: MovedAmount[] }

/** Facts of the first day of a pool, from the tables. */
export type MarketFacts = {
  /** Swaps that paid the base asset in, and swaps that took it out. */
  buys: number
  sells: number
  /** The creator's shares of all liquidity and of the supply, 0..1. */
  creatorLiquidity: number
  creatorSupply: number
  /** Number of tokens by the creator, including this one. */
  tokensMade: number
}

/**
 * Everything known about the stakeholders of one contract. `creatorPercent` is of the supply; unscored accounts have no
 * score.
 */
export type Stakeholders = {
  /** Root creator, lower-case; empty when unknown. */
  creator: string
  /** ISO time of the deployment. */
  createdAt: string | null
  creatorScore: StakeholderScore | undefined
  creatorPercent: number
  obfuscatedDeployment: boolean
  deploymentPath: string[]
  /**
   * Number of other tokens by the creator that are known traps; `undefined` when the creator or its tokens are unknown.
   */
  honeypotsBefore: number | undefined
  honeypotEvidence: string[]
  deadTokensBefore: number
  /** Holders of liquidity with their share (0..1), without lockers and burns. */
  providers: { address: string; share: number; score: StakeholderScore | undefined }[]
  /** Share of liquidity burned or locked beyond the horizon, 0..1; `undefined` when unknown, with the reason. */
  lockedShare: number | undefined
  lockedWhy: string | undefined
  lockEvidence: string[]
  /** Liquidity that insiders withdrew from all pools within 30 days and did not put back. */
  withdrawn: ExitEvidence
  /** Proceeds of sales within a day by the creator and wallets it supplied. */
  sold: ExitEvidence
  events: LiquidityEvent[]
  /** Facts of a pool in its first day; `undefined` for older pools, and when the tables lack its creation. */
  early: MarketFacts | undefined
  /** How much of the token's life the events cover. */
  listing: TokenFacts['liquidityEvents']
  holders: TokenFacts['holders']
  emptied: TokenFacts['holderSales']['emptied']
  recentSales: TokenFacts['holderSales']['recent']
  liquidityHolders: TokenFacts['liquidityHolders']
  insiders: TokenFacts['insiders']
  launchpad: Omit<TokenFacts['launchpad'], 'curve'>
}

/** The part of an examination that stakeholders are read from. */
export type TokenContext = Pick<Examination, 'subject' | 'market' | 'markets' | 'usd' | 'usdPrices' | 'creator'>

/** Source of facts about stakeholders: the tables when there are some, else the node. */
export type StakeholderSource = {
  /** Root creator of the contract, empty when unknown. */
  creatorOf: (token: string) => Promise<string>
  /** Existing holders to try sales for, largest first. */
  holdersOf: (token: string) => Promise<string[]>
  /** Pools from events: V4 pools, and pool contracts that the tables have. */
  poolsOf: (token: string) => Promise<KnownPools>
  /** Current members of the contract's roles, from its events; none without tables. */
  membersOf: (contract: string) => Promise<string[]>
  /** Whether the contract is known to have had an owner and then none. */
  isRenounced: (contract: string) => Promise<boolean>
  describe: (known: TokenContext) => Promise<Stakeholders>
}
