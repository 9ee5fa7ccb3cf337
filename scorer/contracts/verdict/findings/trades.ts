/** Findings from simulated trades. */
import type { Examination } from '../../examine/examination.ts'
import type { TradeFacts } from '../../trade/facts.ts'
import { TRAP_TAX } from '../../trade/outcome.ts'
import type { Finding } from './finding.ts'

/**
 * Whether tokens that were bought can be sold, as things are or after trading is opened. Unknown when a moment could
 * not be simulated.
 */
const honeypotOf = (facts: TradeFacts, opened: TradeFacts | undefined): Finding => {
  const trade = facts.canBuy === false && opened ? opened : facts
  if (!trade.simulated) return { holds: undefined, evidence: ['nothing could be simulated'] }
  const evidence: string[] = []
  const { tried, blocked } = trade.holders
  if (trade.canBuy && (trade.canSell === false || trade.closesLater))
    evidence.push(...trade.evidence.filter((line) => line.startsWith('selling')))
  if (trade.valueDecays) evidence.push('purchased tokens sell for less than a tenth of their price a day later')
  // A tax that falls over time traps nobody, however high it starts.
  const { buy, sell } = trade.lastingTax
  if (trade.canSell && (sell ?? 0) >= TRAP_TAX) evidence.push(`a sale loses ${sell?.toFixed(0)}%`)
  if (trade.canBuy && (buy ?? 0) >= TRAP_TAX) evidence.push(`a purchase loses ${buy?.toFixed(0)}%`)
  if (tried >= 2 && blocked.length * 2 > tried)
    evidence.push(`${blocked.length} of ${tried} existing holders cannot sell: ${blocked.slice(0, 3).join(', ')}`)
  if (evidence.length > 0) return { holds: true, evidence }
  if (trade.lostAtTimes) return { holds: undefined, evidence, why: 'some trades lose nearly everything' }
  // A trap may act at a moment that was not simulated.
  return { holds: trade.canSell === undefined || !trade.seenAllMoments ? undefined : false, evidence }
}

/** A finding from one trial; unknown when it was not run. */
const tradeFinding = (value: boolean | undefined, evidence: string): Finding => ({
  holds: value,
  evidence: value ? [evidence] : [],
})

const UNTRADED: Finding = { holds: undefined, evidence: [] }

/** Findings about trades. Taxes are percent, with one decimal. */
export type TradeFindings = {
  honeypot: Finding
  cannotBuy: Finding
  cannotSellAll: Finding
  antiWhale: Finding
  cooldown: Finding
  buyTax: number | undefined
  sellTax: number | undefined
  /** Loss of trades in percent; of a falling tax, what it falls to. `undefined` when no trade worked. */
  lastingTax: TradeFacts['lastingTax']
}

const sellTaxOf = (trade: TradeFacts, best: TradeFacts): number | undefined => {
  if (trade.canSell === undefined) return best.sell?.tax
  if (trade.canSell) return trade.sell?.tax
  return trade.canBuy ? 100 : best.sell?.tax
}

/** Trades as things are, or after an insider opened trading. */
export const bestOf = ({ trade, opened }: Examination): TradeFacts =>
  trade.canBuy === false && opened ? opened.trade : trade

/** Without a trusted market nothing is known of trades. */
export const tradeFindingsOf = (examination: Examination): TradeFindings => {
  const { trade, opened, traded } = examination
  const best = bestOf(examination)
  return {
    honeypot: traded ? honeypotOf(trade, opened?.trade) : UNTRADED,
    cannotBuy: tradeFinding(
      trade.canBuy === undefined ? undefined : !trade.canBuy,
      trade.evidence[0] ?? 'buying is refused',
    ),
    cannotSellAll: tradeFinding(
      traded && best.cannotSellAll,
      'selling the full balance is refused, selling part of it works',
    ),
    antiWhale: tradeFinding(traded && best.limited, 'a large purchase is refused, a small one works'),
    cooldown: tradeFinding(
      traded && best.cooldown,
      'trades in quick succession are refused, trades further apart work',
    ),
    buyTax: trade.canBuy === undefined ? undefined : trade.canBuy ? trade.buy?.tax : 100,
    sellTax: traded && sellTaxOf(trade, best),
    lastingTax: best.lastingTax,
  }
}

/** Whether the token treats accounts differently: by a power (`byPowers`), or in simulated trades. */
export const whitelistFinding = ({ insiderFavoured, closesByTransfer }: TradeFacts, byPowers: Finding): Finding => {
  const evidence = [
    ...(insiderFavoured ? ['insiders trade on better terms than others'] : []),
    ...(closesByTransfer ? ['accounts that sent or received tokens cannot sell, accounts that only bought can'] : []),
  ]
  if (evidence.length > 0) return { holds: true, evidence: [...evidence, ...byPowers.evidence] }
  const untried = byPowers.holds === false && closesByTransfer === undefined
  return untried ? { ...byPowers, holds: undefined, why: 'a sale after a transfer could not be tried' } : byPowers
}
