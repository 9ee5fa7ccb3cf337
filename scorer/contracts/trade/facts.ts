/** Facts about simulated trades of a token. */
import type { Moment } from '../chain/call.ts'
import { type HolderSales, NO_HOLDERS } from './judged/holders.ts'
import type { Outcome, TradeOutcome } from './outcome.ts'
import type { Trial } from './tried/shown.ts'

/** All facts are measured. A step that could not be run is `undefined`, never a refusal. */
export type TradeFacts = {
  /** Whether anything could be simulated at all. */
  simulated: boolean
  buy: TradeOutcome | undefined
  /** A usual sale, of those that worked. */
  sell: TradeOutcome | undefined
  /** Sales of an account that buys now, one per age of the purchase; empty when not tried. */
  atAges: readonly Outcome[]
  /** Loss of a purchase and of a sale, percent; of a falling tax, what it falls to. `undefined` when none worked. */
  lastingTax: { buy: number | undefined; sell: number | undefined }
  /** False when fresh buyers are refused at every moment. */
  canBuy: boolean | undefined
  canSell: boolean | undefined
  /**
   * Fresh accounts could buy at every moment, and no sale by them or by fresh holders was ever accepted. `undefined`
   * when one of these could not be run.
   */
  neverSold: boolean | undefined
  /** Whether every moment at which a sale may be refused was simulated. */
  seenAllMoments: boolean
  /** Sales work at first and are refused later, or for accounts that did not sell at first, or while others trade. */
  closesLater: boolean
  /** A later moment at which fresh accounts can sell, if they cannot now: calls then show more. */
  opensAt: Moment | undefined
  /** Some later trades lose nearly everything, after others that did not. */
  lostAtTimes: boolean
  /** Purchased tokens sell for next to nothing a day later, although nobody traded in between. */
  valueDecays: boolean
  /** Selling the full balance is refused while selling part of it works. */
  cannotSellAll: boolean | undefined
  /** A large purchase or transfer is refused while a small one works. */
  limited: boolean | undefined
  /** Trades in quick succession are refused while trades further apart work. */
  cooldown: boolean | undefined
  /** Sales of existing holders. */
  holders: HolderSales
  /** Insiders (owner, creator) can sell. */
  insiderSells: boolean | undefined
  /** Insiders pay at least two percentage points less tax than others, or trade when others cannot. */
  insiderFavoured: boolean
  /**
   * Accounts that sent or received tokens cannot sell, while accounts that only bought can. `undefined` when a trial
   * could not be run.
   */
  closesByTransfer: boolean | undefined
  /** Gas of a plain transfer; `undefined` when none was simulated. */
  transferGas: bigint | undefined
  /** Transfers between wallets work. */
  canMove: boolean | undefined
  /** Marginal price in base units of the base asset; `undefined` when nothing was bought. */
  price: number | undefined
  /** Highest proceeds of selling a whole purchase at any moment, as a share of its cost. */
  paidBack: number | undefined
  /** Whether buying worked at every moment that was simulated. */
  buysThroughout: boolean
  /**
   * Whether the token accepted a transfer of purchased tokens to the pool, at any moment; `undefined` when not tried.
   */
  sentToPool: boolean | undefined
  evidence: string[]
  /** Why refused trades prove nothing about the token, if they do not. */
  unjudged?: string
  /** The trials, for the explanation. */
  trials: Trial[]
}

/** Facts when nothing is known. */
export const UNKNOWN_TRADE: TradeFacts = {
  simulated: false,
  buy: undefined,
  sell: undefined,
  atAges: [],
  lastingTax: { buy: undefined, sell: undefined },
  canBuy: undefined,
  canSell: undefined,
  neverSold: undefined,
  seenAllMoments: false,
  closesLater: false,
  opensAt: undefined,
  lostAtTimes: false,
  valueDecays: false,
  cannotSellAll: undefined,
  limited: undefined,
  cooldown: undefined,
  holders: NO_HOLDERS,
  insiderSells: undefined,
  insiderFavoured: false,
  closesByTransfer: false,
  transferGas: undefined,
  canMove: undefined,
  price: undefined,
  paidBack: undefined,
  buysThroughout: false,
  sentToPool: undefined,
  evidence: [],
  trials: [],
}
