/** Input and result of a contract examination. Collects facts only; `verdict/` interprets them. */
import type { ChainReader } from '../chain/chain.ts'
import type { CodeReader } from '../code/reader.ts'
import type { KnownPools } from '../market/choose.ts'
import type { Market } from '../market/market.ts'
import type { CurveState } from '../market/pools/curves.ts'
import type { Prices } from '../market/prices.ts'
import type { Admins } from '../power/accounts/admins.ts'
import type { Power, PowerFacts } from '../power/power.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import type { Subject } from '../subject/subject.ts'
import type { EoaSell } from '../trade/eoa-sell.ts'
import type { TradeFacts } from '../trade/facts.ts'
import type { Excess } from './excess.ts'

/**
 * What a contract is, where it trades, how simulated trades went, and what its insiders can do. Everything is of one
 * block.
 */
export type Examination = {
  subject: Subject
  /** The deepest market, however small. */
  market: Market | undefined
  /** Whether `market` holds enough value to count (`isAboveDust`). */
  listed: boolean
  /**
   * The market on which trades are simulated. `undefined` when no market counts, its base asset is not registered, or
   * the simulation cannot obtain any of it.
   */
  traded: Market | undefined
  markets: Market[]
  /** State of the token's bonding curve, from registered launchpads. */
  curve: CurveState
  /** Why the list of pools may be incomplete; `undefined` when it is complete. */
  poolsMissing: string | undefined
  /** USD price of one whole coin of the market's base asset. */
  usd: number | undefined
  /** USD price of each market's base asset, by address. */
  usdPrices: ReadonlyMap<string, number | undefined>
  trade: TradeFacts
  /**
   * Trades after an insider opened trading, and the call that did. Only set when buying is closed at the pinned block.
   */
  opened: { trade: TradeFacts; by: Power } | undefined
  /**
   * Sales from an account without code. Tried when the simulator's contract accounts cannot sell, or the token has a
   * honeypot label.
   */
  eoaSell: EoaSell | undefined
  powers: PowerFacts
  /** Powers that remain after the owner renounces; without a living owner, the powers of the other insiders. */
  hidden: PowerFacts | undefined
  /** Guards that public getters reveal: `slot:shift` of storage compared with the caller, or addresses in the code. */
  visibleGuards: ReadonlySet<string>
  /** Administrators of the contract's roles when it has no owner. */
  admins: Admins | undefined
  /** How temporarily renounced ownership comes back; `undefined` when no way was found. */
  ownershipReturns: string | undefined
  /** Balances of accounts that the contract names, and of pools, if they add up to more than the supply. */
  excess: Excess | undefined
  /** Live addresses that the code grants rights, most powerful first. */
  insiders: string[]
  /** Contracts with rights over the token that nobody controls, such as Permit2. */
  tools: ReadonlySet<string>
  /** Contracts that transfers or trades depend on (pool hooks, lists), and the accounts that control those. */
  dependencies: string[]
  creator: string
  /** Granularity of block times, seconds. Simulated moments follow it. */
  timeStep: number
}

/** Limits of one examination. */
export type ExamineOptions = {
  /** Maximum number of calls tried per contract. */
  limit: number
  /** Existing holders whose sale is simulated. */
  holders: number
}

/** A reader pinned to one block, and sources of facts that the chain's state does not hold. */
export type ExamineInput = {
  chain: ChainReader
  registry: ContractRegistry
  codes: CodeReader
  asked: string
  /** From the tables or from logs. */
  creatorOf: (token: string) => Promise<string>
  holdersOf: (token: string) => Promise<string[]>
  poolsOf: (token: string) => Promise<KnownPools>
  membersOf: (token: string) => Promise<string[]>
  isRenounced: (token: string) => Promise<boolean>
  prices: Prices
  /** Called as soon as the market is known, so that dependent reads need not wait for the simulations. */
  onMarket: (known: Pick<Examination, 'subject' | 'market' | 'markets' | 'usd' | 'usdPrices' | 'creator'>) => void
  /** Whether the token has a honeypot label in force. */
  hasHoneypotLabel: (token: string) => Promise<boolean>
  options: ExamineOptions
}
