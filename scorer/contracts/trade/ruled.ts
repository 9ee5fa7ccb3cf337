/**
 * Trades in a pool whose maker makes its rules. There a refusal may be the pool's, and so may what is paid: neither says anything of
 * the token, unless the token's own makers made the pool.
 */
import type { TradeFacts } from './facts.ts'
import { NO_HOLDERS } from './judged/holders.ts'

/** Part of its cost below which what a purchase can be sold for is no sale. */
const LEAST_BACK = 0.5

const unproven = ({ lastingTax }: TradeFacts): Partial<TradeFacts> => ({
  ...UNPROVEN,
  lastingTax: { ...lastingTax, sell: undefined },
})
const UNPROVEN: Partial<TradeFacts> = {
  sell: undefined,
  canSell: undefined,
  neverSold: undefined,
  closesLater: false,
  melts: false,
  cannotSellAll: undefined,
  limited: undefined,
  cooldown: undefined,
  holders: NO_HOLDERS,
  insiderSells: undefined,
  insiderFavoured: false,
  closesByTransfer: false,
}

/** What such trades prove. `own`: whoever made the pool stands behind the token. */
export const judgedUnderRules = (trade: TradeFacts, own: boolean): TradeFacts => {
  const back = trade.paidBack ?? 0
  if (own) {
    // A sale of new tokens ends some day, and may take none back: whoever cannot sell then cannot buy either.
    if (!trade.buysThroughout && (trade.canSell === false || trade.closesLater))
      return { ...trade, ...unproven(trade), evidence: [] }
    // What the pool keeps of a sale, people lose.
    const lost = trade.canSell && trade.sell && back < LEAST_BACK ? 100 * (1 - back) : 0
    const sell = trade.sell && lost > trade.sell.tax ? { ...trade.sell, tax: lost } : trade.sell
    // Pools that find a token's first price let it fall for days.
    const lastingTax = { ...trade.lastingTax, sell: Math.max(trade.lastingTax.sell ?? 0, lost) }
    return { ...trade, sell, lastingTax, melts: false }
  }
  if (trade.canBuy === false) return { ...trade, ...unproven(trade), buy: undefined, canBuy: undefined, evidence: [] }
  // The token refuses what nobody but it decides.
  if (trade.canSell === false && trade.sentToPool === false) return trade
  if (trade.canSell && back >= LEAST_BACK && !trade.closesLater)
    return {
      ...trade,
      cannotSellAll: undefined,
      limited: undefined,
      cooldown: undefined,
      melts: false,
      holders: NO_HOLDERS,
    }
  return { ...trade, ...unproven(trade), evidence: [] }
}
