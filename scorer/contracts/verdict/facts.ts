/** What an analysis states of a token beside its verdict. */
import type { Simulation } from '../../../schema/records/explained/simulation.ts'
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import { decimalText } from '../../ledger/prices/amounts.ts'
import { reasonText } from '../chain/simulator/script.ts'
import type { Examination } from '../examine.ts'
import { coins } from '../market/market.ts'
import type { Stakeholders } from '../stakeholders/stakeholders.ts'
import { taxOf } from '../trade/outcome.ts'
import type { Trial, TrialStep } from '../trade/shown.ts'

/** Characters of 0x-hex below which equal code says nothing: proxies and stubs. */
const LEAST_CODE = 2 + 2 * 300

const uncomparedOf = ({ subject }: Examination): string | null => {
  const [only, ...others] = subject.runs
  if (!only || subject.familyHash === '') return 'the code could not be read'
  if (others.length > 0) return 'the code is that of several contracts'
  return only.code.length < LEAST_CODE ? 'the code is too short to compare' : null
}

const textOrNull = (text: string): string | null => (text === '' ? null : text)

const shownStep = (step: TrialStep, decimals: number): Simulation['trials'][number]['steps'][number] => {
  const result = 'result' in step ? step.result : undefined
  const ok = 'ok' in step ? step.ok : result?.ok
  const accepted = result && ok === true ? result : undefined
  return {
    action: step.action,
    part: step.part,
    secondsLater: Math.max(1, step.seconds),
    blocksLater: Math.max(1, step.blocks),
    outcome: ok === undefined ? 'not_run' : ok ? 'accepted' : 'refused',
    sent: accepted ? decimalText(accepted.a, decimals) : null,
    arrived: accepted ? decimalText(accepted.b, decimals) : null,
    tax: accepted ? Number(taxOf(accepted).toFixed(2)) : null,
    gas: result && ok !== undefined ? Number(result.gas) : null,
    reason: result && ok === false ? textOrNull(reasonText(result.word)) : null,
  }
}

/** Why no trades were simulated, or nothing came of it. */
export const whyNotTraded = ({
  market,
  traded,
  listed,
  trade,
}: Pick<Examination, 'market' | 'traded' | 'listed' | 'trade'>): string => {
  if (traded && trade.unjudged) return trade.unjudged
  if (traded?.ruled) return 'whoever made its only pool decides what trades there pay and which are refused'
  if (traded) return 'trades could not be simulated'
  if (!market) return 'no market to trade on'
  const { base } = market
  if (!listed) return `its pool is too small to trade on: ${coins(market.baseReserve, base.decimals)} ${base.symbol}`
  return base.unvouched
    ? `its pool is against ${base.symbol}, for which nobody vouches`
    : `nobody could be given any ${base.symbol} to trade with`
}

/** All trades that were simulated. */
const simulationOf = (examination: Examination): Simulation => {
  const { trade, opened, eoaSell, subject } = examination
  const shown = (trials: readonly Trial[], isOpened: boolean) =>
    trials.map(({ steps, ...trial }) => ({
      ...trial,
      opened: isOpened,
      steps: steps.map((step) => shownStep(step, subject.decimals)),
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

export type FactsInput = {
  examination: Examination
  stakeholders: Pick<Stakeholders, 'holders' | 'launchpad' | 'listing'>
  /** Whether the token is a canonical asset. */
  trusted: boolean
}

export const factsOf = ({ examination, stakeholders, trusted }: FactsInput): TokenFacts => {
  const { trade, curve } = examination
  const { name = stakeholders.launchpad.name } = curve
  return {
    holders: stakeholders.holders,
    holderSales: { tried: trade.holdersTried, failed: trade.holdersBlocked.length },
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
