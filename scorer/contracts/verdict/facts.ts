/** Facts about a token that an explanation serves beside the verdict. */
import type { Simulation } from '../../../schema/records/explained/simulation.ts'
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import { decimalText } from '../../ledger/prices/amounts.ts'
import { reasonText } from '../chain/simulator/script.ts'
import type { Examination } from '../examine/examination.ts'
import { coins, poolAddressOf } from '../market/market.ts'
import type { Stakeholders } from '../stakeholders/stakeholders.ts'
import { NO_HOLDERS } from '../trade/judged/holders.ts'
import { median } from '../trade/judged/taxes.ts'
import { taxOf } from '../trade/outcome.ts'
import type { Trial, TrialStep } from '../trade/tried/shown.ts'

/**
 * Minimum code size for a comparison, in characters of 0x-hex: shorter code is a proxy or a stub, and equal code proves
 * nothing.
 */
const MIN_CODE = 2 + 2 * 300

const uncomparedOf = ({ subject }: Examination): string | null => {
  const [only, ...others] = subject.runningCode
  if (!only || subject.familyHash === '') return 'the code could not be read'
  if (others.length > 0) return 'the code is split over several contracts'
  return only.code.length < MIN_CODE ? 'the code is too short to compare' : null
}

const textOrNull = (text: string): string | null => (text === '' ? null : text)

const shownStep = (
  step: TrialStep,
  decimals: number,
  timeStep: number,
): Simulation['trials'][number]['steps'][number] => {
  const result = 'result' in step ? step.result : undefined
  const ok = 'ok' in step ? step.ok : result?.ok
  const accepted = result && ok === true ? result : undefined
  return {
    action: step.action,
    part: step.part,
    secondsLater: Math.max(timeStep, step.seconds),
    blocksLater: Math.max(1, step.blocks),
    outcome: ok === undefined ? 'not_run' : ok ? 'accepted' : 'refused',
    sent: accepted ? decimalText(accepted.a, decimals) : null,
    arrived: accepted ? decimalText(accepted.b, decimals) : null,
    tax: accepted ? Number(taxOf(accepted).toFixed(2)) : null,
    gas: result && ok !== undefined ? Number(result.gas) : null,
    reason: result && ok === false ? textOrNull(reasonText(result.word)) : null,
  }
}

/** Why no trades were simulated, or why they proved nothing. */
export const whyNotTraded = ({
  market,
  traded,
  listed,
  trade,
  poolsMissing,
}: Pick<Examination, 'market' | 'traded' | 'listed' | 'trade' | 'poolsMissing'>): string => {
  if (traded && trade.unjudged) return trade.unjudged
  if (traded?.customRules) return 'the creator of its only pool controls its prices and which trades it accepts'
  if (traded) return 'trades could not be simulated'
  if (!market) return poolsMissing ?? 'no market to trade on'
  const { base } = market
  if (!listed) return `its pool is too small to trade on: ${coins(market.baseReserve, base.decimals)} ${base.symbol}`
  return base.unregistered
    ? `its pool trades against ${base.symbol}, which is not a registered asset`
    : `no ${base.symbol} could be provided to trade with`
}

/** All simulated trades. */
const simulationOf = (examination: Examination): Simulation => {
  const { trade, opened, eoaSell, subject, timeStep } = examination
  const shown = (trials: readonly Trial[], isOpened: boolean) =>
    trials.map(({ steps, ...trial }) => ({
      ...trial,
      opened: isOpened,
      steps: steps.map((step) => shownStep(step, subject.decimals, timeStep)),
    }))
  const trials = [...shown(trade.trials, false), ...shown(opened?.trade.trials ?? [], true)]
  const { outcome, tries, tax, reason } = eoaSell ?? {}
  return {
    trials,
    plainAccount:
      outcome === undefined || tries === undefined
        ? null
        : { outcome, tries, tax: tax === undefined ? null : Number(tax.toFixed(2)), reason: textOrNull(reason ?? '') },
    why: trials.some(({ steps }) => steps.some((step) => step.outcome !== 'not_run'))
      ? null
      : whyNotTraded(examination),
  }
}

/** A transfer between two wallets. */
const walletTransferOf = ({ powers: { baseline } }: Examination): TokenFacts['walletTransfer'] => {
  if (!baseline) return { outcome: null, tax: null, why: 'the transfer could not be simulated' }
  if (baseline.victim === 0n) return { outcome: null, tax: null, why: 'no account could be given tokens to transfer' }
  const { ok, share } = baseline.victimMoves
  return ok
    ? { outcome: 'accepted', tax: Number(Math.min(100, Math.max(0, 100 - share / 10_000)).toFixed(2)), why: null }
    : { outcome: 'refused', tax: null, why: null }
}

const round = (percent: number): number => Number(percent.toFixed(2))

/** Why sales of holders are unknown, or only partly known. */
const whyNoSales = (examination: Examination): string | null => {
  const { tried, unanswered } = examination.trade.holders
  if (!examination.traded || (tried === 0 && !examination.trade.simulated)) return whyNotTraded(examination)
  if (examination.traded.curve) return 'sales of existing holders cannot be simulated on a bonding curve'
  if (unanswered > 0) return `sales of ${unanswered} more holders could not be simulated`
  if (tried > 0) return null
  return examination.trade.unjudged ?? 'no holder other than insiders is known to hold enough of the token'
}

/** Without a market the trials are transfers, so there are no sales to report. */
const holderSalesOf = (examination: Examination): Omit<TokenFacts['holderSales'], 'recent' | 'emptied'> => {
  const { holders } = examination.trade
  const { tried, blocked, siphoned, taxes } = examination.traded ? holders : NO_HOLDERS
  const [lowest, highest] = [taxes[0], taxes.at(-1)]
  return {
    tried,
    failed: blocked.length,
    siphoned: taxes.length > 0 || (tried > 0 && blocked.length === tried) ? siphoned.length : null,
    tax:
      lowest === undefined || highest === undefined
        ? null
        : { lowest: round(lowest), median: round(median(taxes)), highest: round(highest) },
    why: whyNoSales(examination),
  }
}

const MAX_POOLS = 20

/** The pools, deepest first; those without a USD price come last. */
const poolsOf = ({ markets, usdPrices }: Examination): TokenFacts['pools'] =>
  markets
    .filter(({ baseReserve }) => baseReserve > 0n)
    .map((market) => {
      const { base, baseReserve } = market
      const price = usdPrices.get(base.address)
      return { market, usd: price === undefined ? undefined : price * coins(baseReserve, base.decimals) }
    })
    .sort((a, b) => (b.usd ?? -1) - (a.usd ?? -1))
    .slice(0, MAX_POOLS)
    .map(({ market, usd }) => ({
      pairAddress: poolAddressOf(market),
      design: market.curve ? `curve of ${market.curve.name}` : market.kind,
      asset: market.base.symbol,
      liquidity: decimalText(market.baseReserve, market.base.decimals),
      usd: usd === undefined ? null : usd.toFixed(2),
    }))

/** Facts from the chain (`examination`), and from the tables and accounts (`stakeholders`). */
export type FactsInput = {
  examination: Examination
  stakeholders: Pick<
    Stakeholders,
    'holders' | 'emptied' | 'recentSales' | 'liquidityHolders' | 'insiders' | 'launchpad' | 'listing'
  >
  /** Whether the token is a canonical asset. */
  trusted: boolean
}

/** Facts that /rug/explain serves. None of them changes the verdict. Uncertain facts are null with the reason. */
export const factsOf = ({ examination, stakeholders, trusted }: FactsInput): TokenFacts => {
  const { curve } = examination
  const { name = stakeholders.launchpad.name } = curve
  return {
    holders: stakeholders.holders,
    holderSales: { ...holderSalesOf(examination), recent: stakeholders.recentSales, emptied: stakeholders.emptied },
    walletTransfer: walletTransferOf(examination),
    liquidityHolders: stakeholders.liquidityHolders,
    insiders: stakeholders.insiders,
    pools: poolsOf(examination),
    simulation: simulationOf(examination),
    launchpad: {
      name,
      why: curve.name === undefined ? stakeholders.launchpad.why : null,
      curve: curve.stage === undefined ? { stage: null, why: curve.missing } : { stage: curve.stage, why: null },
    },
    liquidityEvents: stakeholders.listing,
    trusted,
    uncompared: uncomparedOf(examination),
  }
}
