/** What is asked of an examination of a contract, and what it finds. It holds no opinion: `verdict` has it. */
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

/** What a contract is, where it trades, what became of simulated trades, and what whom it obeys can do. All of one block. */
export type Examination = {
  subject: Subject
  /** The deepest market, however small. */
  market: Market | undefined
  /** Whether it is worth anything. */
  listed: boolean
  /** The same if it is, somebody vouches for the base asset, and it can be had: the one trades are simulated on. */
  traded: Market | undefined
  markets: Market[]
  /** What registered launchpads state of the token's curve. */
  curve: CurveState
  /** Why it may have other pools; `undefined` where it has none. */
  poolsMissing: string | undefined
  /** Dollars for a coin of the market's base asset. */
  usd: number | undefined
  /** The same for the base asset of each market, by address. */
  dollars: ReadonlyMap<string, number | undefined>
  trade: TradeFacts
  /** The same once trading is opened by a call of the owner's; only when buying is closed as things are. */
  opened: { trade: TradeFacts; by: Power } | undefined
  /** Sales of an account without code: tried where the simulator's own actors cannot sell, or where a label says so. */
  eoaSell: EoaSell | undefined
  powers: PowerFacts
  /** Powers left after the owner renounces, or, with no living owner, powers there are. */
  hidden: PowerFacts | undefined
  /** Places callers are compared with that getters show: `slot:shift`, or addresses of the code. */
  shown: ReadonlySet<string>
  /** Who administers roles that rule, although no owner is left. */
  admins: Admins | undefined
  /** How ownership given up for a time comes back; `undefined` when no way was found. */
  returned: string | undefined
  /** Addresses other than the owner the code obeys, live ones. */
  insiders: string[]
  /** Contracts that the code obeys and that nobody rules. */
  tools: ReadonlySet<string>
  /** Contracts that a transfer or a trade asks: hooks of pools, lists, and whom these obey. */
  asked: string[]
  creator: string
  /** Seconds between blocks, of which simulated moments are a whole number apart. */
  timeStep: number
}

/** Bounds of one examination. */
export type ExamineOptions = {
  /** Calls tried per contract at most. */
  limit: number
  /** Existing holders whose sale is simulated. */
  holders: number
}

/** What an examination needs: a reader pinned to one block, and facts that the chain's state does not hold. */
export type ExamineInput = {
  chain: ChainReader
  registry: ContractRegistry
  codes: CodeReader
  asked: string
  /** Facts from elsewhere: tables or logs. */
  creatorOf: (token: string) => Promise<string>
  holdersOf: (token: string) => Promise<string[]>
  poolsOf: (token: string) => Promise<KnownPools>
  membersOf: (token: string) => Promise<string[]>
  givenUp: (token: string) => Promise<boolean>
  prices: Prices
  /** Told as soon as the market is known: what else depends on it need not wait for the simulations. */
  onMarket: (known: Pick<Examination, 'subject' | 'market' | 'markets' | 'usd' | 'dollars' | 'creator'>) => void
  /** Whether the token stands accused of refusing sales. */
  accused: (token: string) => Promise<boolean>
  options: ExamineOptions
}
