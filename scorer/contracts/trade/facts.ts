/** What is found out about trades of a token. */
import { type HolderSales, NO_HOLDERS } from './judged/holders.ts'
import type { Outcome, TradeOutcome } from './outcome.ts'
import type { Trial } from './tried/shown.ts'

/** Everything is measured; a step that could not be run is `undefined`, never a refusal. */
export type TradeFacts = {
  /** Whether anything could be simulated at all. */
  simulated: boolean
  buy: TradeOutcome | undefined
  /** A usual sale, of those that worked. */
  sell: TradeOutcome | undefined
  /** Sales of who buys now, one for each age of the purchase; none where that was not tried. */
  atAges: readonly Outcome[]
  /** What a purchase and a sale lose, percent, or if it falls, what it falls to; `undefined` where none worked. */
  lastingTax: { buy: number | undefined; sell: number | undefined }
  /** Fresh buyers refused at every moment although someone holds tokens to sell. */
  canBuy: boolean | undefined
  canSell: boolean | undefined
  /**
   * Fresh buyers bought at every moment, and no sale of theirs, nor of fresh holders, was ever accepted. `undefined` when
   * one of these could not be run.
   */
  neverSold: boolean | undefined
  /** Whether all moments were simulated at which a sale may be refused. */
  seenAllMoments: boolean
  /** Sells work at first and are refused later on, or to whoever did not sell at first, or while others trade. */
  closesLater: boolean
  /** What was bought sells for next to nothing a day later, though nobody traded meanwhile. */
  melts: boolean
  /** Selling everything is refused while selling part works. */
  cannotSellAll: boolean | undefined
  /** A large buy or transfer is refused while a small one works. */
  limited: boolean | undefined
  /** Trades close together are refused, apart they work. */
  cooldown: boolean | undefined
  /** Sales of existing holders. */
  holders: HolderSales
  /** Insiders (owner, creator) can sell. */
  insiderSells: boolean | undefined
  /** Insiders pay less tax than others by two percent or more, or trade where others may not. */
  insiderFavoured: boolean
  /** Whoever sent tokens, or was sent some, cannot sell, and whoever only bought can. `undefined` where a trial of it could not be run. */
  closesByTransfer: boolean | undefined
  /** Gas of a plain transfer; `undefined` where none was simulated. */
  transferGas: bigint | undefined
  /** Transfers between wallets work. */
  canMove: boolean | undefined
  /** What the base asset is paid for a token at the margin, base units; `undefined` when nothing was bought. */
  price: number | undefined
  /** Most that selling a whole purchase paid back at any moment, as a share of what it cost. */
  paidBack: number | undefined
  /** Whether buying worked at every moment that was simulated. */
  buysThroughout: boolean
  /** Whether the token let what was bought be sent to the pool, at any moment; `undefined` where that was not tried. */
  sentToPool: boolean | undefined
  evidence: string[]
  /** Why trades that were refused say nothing of the token, where they do not. */
  unjudged?: string
  /** What was tried, for people to read. */
  trials: Trial[]
}

/** Nothing is known. */
export const NOTHING: TradeFacts = {
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
  melts: false,
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
