/** What simulated trades show. */
import type { Examination } from '../../examine/examination.ts'
import type { TradeFacts } from '../../trade/facts.ts'
import { TRAP_TAX } from '../../trade/outcome.ts'
import type { Finding } from './finding.ts'

/** Whether what was bought can be sold again, as things are or once trading is opened. Unknown where a moment was not seen. */
const honeypotOf = (facts: TradeFacts, opened: TradeFacts | undefined): Finding => {
  const trade = facts.canBuy === false && opened ? opened : facts
  if (!trade.simulated) return { holds: undefined, evidence: ['nothing could be simulated'] }
  const evidence: string[] = []
  const { tried, blocked } = trade.holders
  if (trade.canBuy && (trade.canSell === false || trade.closesLater))
    evidence.push(...trade.evidence.filter((line) => line.startsWith('selling')))
  if (trade.melts) evidence.push('what was bought sells for less than a tenth a day later')
  // A tax that falls when time passes keeps nobody in, however high it begins.
  const { buy, sell } = trade.lastingTax
  if (trade.canSell && (sell ?? 0) >= TRAP_TAX) evidence.push(`a sale loses ${sell?.toFixed(0)}%`)
  if (trade.canBuy && (buy ?? 0) >= TRAP_TAX) evidence.push(`a purchase loses ${buy?.toFixed(0)}%`)
  if (tried >= 2 && blocked.length * 2 > tried)
    evidence.push(`${blocked.length} of ${tried} existing holders cannot sell: ${blocked.slice(0, 3).join(', ')}`)
  if (evidence.length > 0) return { holds: true, evidence }
  // A trap that springs at a moment nobody saw is not excluded.
  return { holds: trade.canSell === undefined || !trade.seenAllMoments ? undefined : false, evidence }
}

/** A finding of a trade that was tried; `undefined` where it was not. */
const known = (value: boolean | undefined, evidence: string): Finding => ({
  holds: value,
  evidence: value ? [evidence] : [],
})

const UNTRADED: Finding = { holds: undefined, evidence: [] }

/** What trades show of a token. Taxes are percent, one decimal kept. */
export type TradeFindings = {
  honeypot: Finding
  cannotBuy: Finding
  cannotSellAll: Finding
  antiWhale: Finding
  cooldown: Finding
  buyTax: number | undefined
  sellTax: number | undefined
  /** What trades lose, percent, or if it falls, what it falls to; `undefined` where none worked. */
  lastingTax: TradeFacts['lastingTax']
}

const sellTaxOf = (trade: TradeFacts, best: TradeFacts): number | undefined => {
  if (trade.canSell === undefined) return best.sell?.tax
  if (trade.canSell) return trade.sell?.tax
  return trade.canBuy ? 100 : best.sell?.tax
}

/** Trades as they are, or as they are once an insider opened them. */
export const bestOf = ({ trade, opened }: Examination): TradeFacts =>
  trade.canBuy === false && opened ? opened.trade : trade

/** Where there is no market that is believed, nothing is known of trades. */
export const tradeFindingsOf = (examination: Examination): TradeFindings => {
  const { trade, opened, traded } = examination
  const best = bestOf(examination)
  return {
    honeypot: traded ? honeypotOf(trade, opened?.trade) : UNTRADED,
    cannotBuy: known(trade.canBuy === undefined ? undefined : !trade.canBuy, trade.evidence[0] ?? 'buying is refused'),
    cannotSellAll: known(traded && best.cannotSellAll, 'selling everything is refused, selling part works'),
    antiWhale: known(traded && best.limited, 'a large purchase is refused, a small one works'),
    cooldown: known(traded && best.cooldown, 'trades close together are refused, apart they work'),
    buyTax: trade.canBuy === undefined ? undefined : trade.canBuy ? trade.buy?.tax : 100,
    sellTax: traded && sellTaxOf(trade, best),
    lastingTax: best.lastingTax,
  }
}

/** Accounts that a token tells apart: by what somebody may set (`byPowers`), or by what became of their trades. */
export const toldApart = ({ insiderFavoured, closesByTransfer }: TradeFacts, byPowers: Finding): Finding => {
  const evidence = [
    ...(insiderFavoured ? ['insiders trade on better terms than others'] : []),
    ...(closesByTransfer ? ['who only bought tokens can sell them, who sent some or was sent some cannot'] : []),
  ]
  if (evidence.length > 0) return { holds: true, evidence: [...evidence, ...byPowers.evidence] }
  const untried = byPowers.holds === false && closesByTransfer === undefined
  return untried ? { ...byPowers, holds: undefined, why: 'a sale after a transfer could not be tried' } : byPowers
}
