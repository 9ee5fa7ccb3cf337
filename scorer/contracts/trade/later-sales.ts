/**
 * Sales at many later moments, where what a trade costs may differ from one to the other: with the hour, the day, the
 * block, its proposer's dice, the price of gas, another contract's answer, or how often anybody traded. A tax that falls for
 * good is what honest tokens do at first; one that comes back is found by trying at moments nobody could foresee.
 */
import type { Moment } from '../chain/call.ts'
import type { ChainReader } from '../chain/chain.ts'
import type { Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { approvalsBy, type Start } from './ages.ts'
import { DAY, HOUR, momentsOf } from './moments.ts'
import { FEW_UNITS, momentAt, outcome, type TradeOutcome } from './outcome.ts'
import type { TrialStep } from './shown.ts'
import { runCallsAndScripts, type Script, type SimulationSetup, withAnother } from './simulation-setup.ts'
import { LOWER, type Loss, lossAt } from './taxes.ts'

/** Part of what is left that each sale is of, basis points. */
const PART = 100n
/** Trades of others between the first day and those after it. */
const CROWD = 12
/** Percent lost from which a sale is one into a trap. */
const LOST = 90
/** Part of the moments that has to differ before a token is judged by it. */
const SHARE = 1 / 8

type Tried = { seconds: number; sale: TradeOutcome | undefined; buy: TradeOutcome | undefined }
export type LaterSales = {
  tried: Tried[]
  /** Base units bought first. */
  held: bigint
  steps: TrialStep[]
}

export type LaterSalesInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first. */
  opening: Step[]
  /** When the person buys. */
  start: Start
  /** What it approves, base units; everything unless told. */
  approved?: bigint
}

/** One person buys and sells a little each time, after which somebody else buys. `undefined` when it could not be run. */
export const runLaterSales = async (input: LaterSalesInput): Promise<LaterSales | undefined> => {
  const { chain, opening, start, approved } = input
  const [simulation, guest] = withAnother(chain, input.simulation, 'guest')
  const { setup, person } = simulation
  const { samples } = momentsOf(chain.seed)
  const later = samples.map((sample) => ({
    ...sample,
    seconds: start.seconds + sample.seconds,
    blocks: start.blocks + sample.blocks,
  }))
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const sale: Step = { op: 'sell', actor: person, amount: PART }
  const crowd = Array.from({ length: CROWD }, (): Step[] => [
    buy(setup.bystander),
    { op: 'sell', actor: setup.bystander, amount: 10_000n },
  ]).flat()
  const afterDay = samples.findIndex(({ seconds }) => seconds >= DAY)
  const scripts: Script[] = [
    {
      steps: [...simulation.funding, ...opening, buy(person)],
      moment: momentAt(chain, start.seconds, start.blocks),
    },
    ...later.map(({ seconds, blocks, prevRandao, coinbase, tip }, i): Script => {
      const moment: Moment = { ...momentAt(chain, seconds, blocks), prevRandao, ...(coinbase ? { coinbase } : {}) }
      return {
        ...{ before: i === 0 ? approvalsBy(chain, simulation, approved ? [approved] : undefined) : [], moment },
        ...{ steps: [sale, buy(guest), ...(i === afterDay - 1 ? crowd : [])], gasPrice: chain.baseFee + tip },
      }
    }),
  ]
  const answers = await runCallsAndScripts(chain, simulation, scripts)
  const [bought, ...sold] = answers ?? []
  const first = bought?.results?.at(-1)
  if (!first || first.ok === undefined) return undefined
  return {
    held: first.ok ? first.b : 0n,
    tried: sold.map(({ results }, i) => ({
      seconds: later[i]?.seconds ?? 0,
      sale: first.ok ? outcome(results?.[0]) : undefined,
      buy: outcome(results?.[1]),
    })),
    steps: [
      { action: 'buy', part: 0.001, ...start, result: first },
      ...sold.map(
        ({ results }, i): TrialStep => ({
          ...{ action: 'sell', part: 0.01, result: results?.[0] },
          ...{ seconds: later[i]?.seconds ?? 0, blocks: later[i]?.blocks ?? 0 },
        }),
      ),
    ],
  }
}

export type LaterVerdict = {
  /** What a sale loses that was once cheaper, percent; `undefined` where nothing came back. */
  sellTax: number | undefined
  /** The same of purchases. */
  buyTax: number | undefined
  /** Whether sales work at some hours of the days after the first; `undefined` where too few could be run. */
  open: boolean | undefined
  /** Whether every sale could be run, if there was anything to sell. */
  whole: boolean
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** What is lost later, if it is ever more than it was before. */
export const returningTax = (losses: readonly Loss[]): number | undefined => {
  let least = Number.POSITIVE_INFINITY
  const returns = losses.some(({ tax }) => {
    least = Math.min(least, tax)
    return tax >= least + LOWER
  })
  const late = losses.filter(({ seconds }) => seconds >= HOUR).map(({ tax }) => tax)
  if (!returns || late.length === 0) return undefined
  const lost = late.filter((tax) => tax >= LOST)
  return lost.length >= late.length * SHARE ? mean(lost) : mean(late)
}

/**
 * What such sales say, after what the person lost in its first minutes. They accuse nobody where nothing was bought that can be
 * sold in parts.
 */
export const judgeLaterSales = ({ tried, held }: LaterSales, soon: readonly Loss[]): LaterVerdict => {
  const losses = (pick: (one: Tried) => TradeOutcome | undefined) =>
    tried.flatMap((one) => lossAt(one.seconds, pick(one)))
  const sellTax = held < FEW_UNITS ? undefined : returningTax([...soon, ...losses(({ sale }) => sale)])
  const buyTax = returningTax(losses(({ buy }) => buy))
  const days = tried.filter(({ seconds }) => seconds >= DAY).map(({ sale }) => sale?.ok)
  const open =
    held < FEW_UNITS || days.includes(undefined) ? undefined : days.filter((ok) => ok).length >= days.length * SHARE
  const whole = held < FEW_UNITS || tried.every(({ sale }) => sale !== undefined)
  return { sellTax, buyTax, open, whole }
}

const TRANSFERS = ['0xa9059cbb', '0x23b872dd']
const LOOKS = ['0x70a08231', '0x095ea7b3', 'fallback']

/** How far a trade may depend on more than on who trades how much. */
export type Variation = {
  /** It may differ from block to block. */
  byBlock: boolean
  /** It may differ with what was traded before. */
  byTrades: boolean
}

/** What the code of a token without a proxy shows about its transfers. Whatever is not known may vary. */
export const variationOf = (functions: readonly FunctionFacts[], complete: boolean): Variation => {
  const found = (selectors: readonly string[]) => functions.filter(({ selector }) => selectors.includes(selector))
  const transfers = found(TRANSFERS)
  const all = [...transfers, ...found(LOOKS)]
  const known = complete && transfers.length === TRANSFERS.length
  const byBlock =
    !known ||
    all.some(({ readsBlock, calls, asks, delegates, creates }) => readsBlock || calls || asks || delegates || creates)
  const kept = new Set(
    found(['0x70a08231', '0xdd62ed3e', '0x095ea7b3']).flatMap(({ maps, stores }) => [
      ...maps.map((base) => `map:${base}`),
      ...stores,
    ]),
  )
  return { byBlock, byTrades: byBlock || transfers.some(({ stores }) => stores.some((place) => !kept.has(place))) }
}
