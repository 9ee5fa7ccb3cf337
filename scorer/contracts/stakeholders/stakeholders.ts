/** Who stands behind a contract and its liquidity: what the verdict and the record need to know of them. */
import type { RugExplanation } from '../../../schema/records/explained/explanations.ts'
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import type { Examination } from '../examine/examination.ts'
import type { KnownPools } from '../market/choose.ts'

/** `isNew`: it has little history; `isAgeOpen`: it looks so, and what it did before the index is not known. */
export type StakeholderScore = { probability: number; status: string; isNew: boolean; isAgeOpen?: boolean }

/**
 * A liquidity event as the record shows it. `amount` in whole coins of the pool's base asset, whose symbol is `token`.
 * Somebody whom nobody scored has probability 0.
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

/** What somebody moved in a transaction. */
export type MovedAmount = RugExplanation['reasons'][number]['evidence']['amounts'][number]

/** What insiders took, as a share (0..1) of what lay in all pools, and the newest of it. */
export type ShownExit = { share: number; evidence: string[]; amounts: MovedAmount[] }

/** What the tables know of the first day of a pool and of those who made it. */
export type MarketFacts = {
  /** Swaps in which the base asset came in, and in which it went out. */
  buys: number
  sells: number
  /** Parts of all liquidity, and of the supply, that the creator holds, 0..1. */
  creatorLiquidity: number
  creatorSupply: number
  /** Tokens the creator made, this one included. */
  tokensMade: number
}

/**
 * All that is known of the people of one contract. `creatorPercent` is of the supply; unscored people have no score.
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
  /** Other tokens of the creator that are known traps; `undefined` where the creator or their tokens are not known. */
  honeypotsBefore: number | undefined
  honeypotEvidence: string[]
  deadTokensBefore: number
  /** Holders of liquidity with their share (0..1), lockers and burns excluded. */
  providers: { address: string; share: number; score: StakeholderScore | undefined }[]
  /** Share of liquidity burned or locked beyond the horizon, 0..1; `undefined` where that is not known, with the reason. */
  lockedShare: number | undefined
  lockedWhy: string | undefined
  lockEvidence: string[]
  /** Liquidity that insiders took out of all pools within 30 days and did not put back. */
  withdrawn: ShownExit
  /** What the creator and wallets it supplied sold the token for within a day. */
  sold: ShownExit
  events: LiquidityEvent[]
  /** A pool in its first day; `undefined` of others, and where the tables did not see it made. */
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

/** What has to be known of a contract before its people are asked about. */
export type Known = Pick<Examination, 'subject' | 'market' | 'markets' | 'usd' | 'dollars' | 'creator'>

/** Where facts about people come from: tables where there are some, the node otherwise. */
export type StakeholderSource = {
  /** Root creator of the contract, empty when unknown. */
  creatorOf: (token: string) => Promise<string>
  /** Existing holders worth trying, largest first. */
  holdersOf: (token: string) => Promise<string[]>
  /** Pools that were announced: V4's, and pool contracts as far as the tables have them. */
  poolsOf: (token: string) => Promise<KnownPools>
  /** Accounts that have a role of the contract by what it logged at any time; none without tables. */
  membersOf: (contract: string) => Promise<string[]>
  /** Whether it is known that somebody owned the contract and then nobody did. */
  givenUp: (contract: string) => Promise<boolean>
  describe: (known: Known) => Promise<Stakeholders>
}
