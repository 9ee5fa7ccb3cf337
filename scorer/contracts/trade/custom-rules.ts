/**
 * Interprets trades in a pool with custom rules. The pool may cause a refusal or a bad price, so neither proves
 * anything about the token, unless the token's makers created the pool.
 */
import type { TradeFacts } from './facts.ts'
import { NO_HOLDERS } from './judged/holders.ts'

/** Share of its cost that a purchase must sell for to count as a sale. */
const MIN_BACK = 0.5

const unproven = ({ lastingTax }: TradeFacts, mayClose: boolean): Partial<TradeFacts> => ({
  ...UNPROVEN,
  closesByTransfer: mayClose ? undefined : false,
  lastingTax: { ...lastingTax, sell: undefined },
})
const UNPROVEN: Partial<TradeFacts> = {
  sell: undefined,
  canSell: undefined,
  neverSold: undefined,
  closesLater: false,
  lostAtTimes: false,
  valueDecays: false,
  cannotSellAll: undefined,
  limited: undefined,
  cooldown: undefined,
  holders: NO_HOLDERS,
  insiderSells: undefined,
  insiderFavoured: false,
}

/**
 * Reduces the facts to what such trades prove. `own`: the token's makers created the pool. `mayClose`: the token's code allows
 * that a transfer decides who can sell.
 */
export const judgeCustomRules = (trade: TradeFacts, own: boolean, mayClose: boolean): TradeFacts => {
  const back = trade.paidBack ?? 0
  if (own) {
    // A launch sale ends some day and may take no tokens back; those who cannot sell then cannot buy either.
    if (!trade.buysThroughout && (trade.canSell === false || trade.closesLater))
      return { ...trade, ...unproven(trade, mayClose), evidence: [] }
    // What the pool keeps of a sale is lost to the seller.
    const lost = trade.canSell && trade.sell && back < MIN_BACK ? 100 * (1 - back) : 0
    const sell = trade.sell && lost > trade.sell.tax ? { ...trade.sell, tax: lost } : trade.sell
    // Price-discovery pools let the price fall for days.
    const lastingTax = { ...trade.lastingTax, sell: Math.max(trade.lastingTax.sell ?? 0, lost) }
    return { ...trade, sell, lastingTax, valueDecays: false }
  }
  if (trade.canBuy === false)
    return { ...trade, ...unproven(trade, mayClose), buy: undefined, canBuy: undefined, evidence: [] }
  // The token itself refuses a transfer, which the pool has no part in.
  if (trade.canSell === false && trade.sentToPool === false) return trade
  if (trade.canSell && back >= MIN_BACK && !trade.closesLater)
    return {
      ...trade,
      cannotSellAll: undefined,
      limited: undefined,
      cooldown: undefined,
      valueDecays: false,
      holders: NO_HOLDERS,
      closesByTransfer: mayClose ? undefined : trade.closesByTransfer,
    }
  return { ...trade, ...unproven(trade, mayClose), evidence: [] }
}
