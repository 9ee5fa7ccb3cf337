/**
 * Trade simulation: what happens to people who buy, move and sell, now and later. Everything is measured, nothing is
 * read from names. A step that could not be run is `undefined`, never a refusal.
 */
import type { Moment } from '../chain/call.ts'
import type { ChainReader } from '../chain/chain.ts'
import type { Step, StepResult } from '../chain/simulator/script.ts'
import { AGES, type Ages, FAR, runAges, type Start } from './ages.ts'
import { judgeLaterSales, type LaterSales, type LaterSalesInput, runLaterSales, type Variation } from './later-sales.ts'
import { DAY, momentsOf } from './moments.ts'
import { FEW_UNITS, momentAt, outcome, type TradeOutcome } from './outcome.ts'
import { type Plan, plans } from './plans.ts'
import { type Trial, type TrialStep, trialsOf } from './shown.ts'
import { runScript, type SimulationSetup } from './simulation-setup.ts'
import { fallsLater, firstSales, lastingTax, lossAt, median } from './taxes.ts'

export type TradeFacts = {
  /** Whether anything could be simulated at all. */
  simulated: boolean
  buy: TradeOutcome | undefined
  /** A usual sale, of those that worked. */
  sell: TradeOutcome | undefined
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
  /** Existing holders tried, and those who cannot sell at any moment. */
  holdersTried: number
  holdersBlocked: string[]
  /** Insiders (owner, creator) can sell. */
  insiderSells: boolean | undefined
  /** Insiders pay less tax than others by two percent or more, or trade where others may not. */
  insiderFavoured: boolean
  /** Gas of a plain transfer, and of an approval. */
  transferGas: bigint
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

/** Pools whose swaps do not show what arrived. (Those of V3 refuse a sale of which less arrives.) */
const UNSEEN: ReadonlySet<string> = new Set(['curve', 'balancer-v2'])
/** Part of its first price for which a holding that melted sells a day later. */
const MELTED = 0.1

type Results = Map<string, StepResult[]>

const runPlans = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  opening: Step[],
  list: Plan[],
  moment: Moment,
): Promise<Results | undefined> => {
  const steps: Step[] = [
    ...simulation.funding,
    ...opening,
    ...list.map((plan): Step => ({ op: 'branch', steps: plan.steps })),
  ]
  const results = await runScript(chain, simulation, steps, moment)
  if (!results) return undefined
  const offset = simulation.funding.length + opening.length
  return new Map(list.map((plan, i) => [plan.name, results[offset + i]?.steps ?? []]))
}

/** Tax that keeps a bot's money, percent. */
const CAUGHT_TAX = 50
const isCaught = (sale: TradeOutcome | undefined) => sale && (!sale.ok || sale.tax >= CAUGHT_TAX)

/** The larger of two taxes, where there are two. */
const most = (tax: number | undefined, other: number | undefined): number | undefined =>
  tax === undefined || other === undefined ? (tax ?? other) : Math.max(tax, other)

/** A tax, or what was lost of a whole purchase that was sold for this share of its cost, if that is less. */
const leastOf = (tax: number | undefined, paidBack: number | undefined): number | undefined =>
  tax === undefined || paidBack === undefined ? tax : Math.min(tax, Math.max(0, 100 * (1 - paidBack)))

const byTax = (a: TradeOutcome | undefined, b: TradeOutcome | undefined) => (b?.tax ?? 0) - (a?.tax ?? 0)

const some = (values: (boolean | undefined)[]): boolean | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.includes(true)
}

/** Sales of a person who buys later. Refused as well: a longer protection or a trap, and nobody can tell which. */
const laterBuyer = async (chain: ChainReader, simulation: SimulationSetup, opening: Step[], first: Ages) => {
  const later = await runAges(chain, simulation, opening, FAR)
  return later?.sales?.some((sale) => sale?.ok) ? later : { ...first, sales: undefined }
}

/** Whether fresh buyers can sell in the month that follows. `undefined` where they cannot buy, or that could not be run. */
const sellsInMonth = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  opening: Step[],
  list: readonly Plan[],
) => {
  const plans = list.filter(({ name }) => name === 'half' || name === 'round')
  const runs = await Promise.all(
    momentsOf(chain.seed).month.map(({ seconds, blocks }) =>
      runPlans(chain, simulation, opening, plans, momentAt(chain, seconds, blocks)),
    ),
  )
  const all = runs.map((run) => run?.get('half') ?? [])
  const sold = runs.flatMap((run) => [run?.get('half')?.[1]?.ok, run?.get('round')?.[1]?.ok])
  return sold.includes(true)
    ? true
    : all.every(([bought, sale]) => bought?.ok && sale?.ok === false)
      ? false
      : undefined
}

/** Later sales of who bought when nobody is caught as a bot, approved as the token wants it. */
const settledSales = async (tried: LaterSales | undefined, lived: Ages | undefined, input: LaterSalesInput) => {
  if (!tried || !lived?.sales?.some((sale) => sale?.ok)) return tried
  if (lived.start.blocks !== input.start.blocks) return runLaterSales({ ...input, start: lived.start })
  const refused = tried.held > 0n && tried.tried.every(({ sale }) => sale?.ok === false)
  // Tokens with vesting approve no more than what one has.
  return refused ? runLaterSales({ ...input, approved: tried.held / 2n }) : tried
}

const shownAs = (trial: Trial['trial'], steps: TrialStep[]): Trial[] =>
  steps.length === 0 ? [] : [{ trial, actor: 'person', account: null, steps }]
const shownPeople = ({ steps, lateSteps }: Ages): Trial[] => [
  ...shownAs('person', steps),
  ...shownAs('late_seller', lateSteps),
]

export type TradeInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first; empty for the state as it is. */
  opening: Step[]
  insiders: string[]
  holders: string[]
  /** Tokens below which a sale of a holder's pays nothing to speak of. */
  leastHeld: bigint
  /** Whether trades may differ from moment to moment: where they cannot, one moment stands for all. */
  variation: Variation
}

const NOW: Start = { seconds: 0, blocks: 0 }

/** Simulates trades now and at later moments. */
export const simulateTrades = async ({
  chain,
  simulation,
  opening,
  insiders,
  holders,
  leastHeld,
  variation,
}: TradeInput): Promise<TradeFacts> => {
  const list = plans(simulation, insiders, holders)
  const later = list.filter((plan) => /^(half|injected|injectedAll|round|holder|poolTax)/.test(plan.name))
  const selling: LaterSalesInput = { chain, simulation, opening, start: NOW }
  const moments: Start[] = [NOW, ...momentsOf(chain.seed).repeats]
  const market = simulation.setup.kind !== 'none'
  const [first, laterSales, ...made] = await Promise.all([
    market ? runAges(chain, simulation, opening) : undefined,
    market && variation.byTrades ? runLaterSales(selling) : undefined,
    ...moments
      .slice(0, variation.byBlock ? undefined : 1)
      .map(({ seconds, blocks }, i) =>
        runPlans(chain, simulation, opening, i === 0 ? list : later, momentAt(chain, seconds, blocks)),
      ),
  ])
  // Markets with hours may be closed at each of these moments.
  const bought = [first?.bought?.ok, ...made.map((run) => outcome(run?.get('half')?.[0])?.ok)]
  if (market && variation.byBlock && !bought.includes(true)) {
    const { month } = momentsOf(chain.seed)
    const trades = list.filter(({ name }) => name === 'half' || name === 'round')
    const more = month.map(({ seconds, blocks }) =>
      runPlans(chain, simulation, opening, trades, momentAt(chain, seconds, blocks)),
    )
    made.push(...(await Promise.all(more)))
    moments.push(...month)
  }
  // What cannot differ from block to block happens at each moment as it does now.
  const runs = variation.byBlock ? made : moments.map(() => made[0])
  const evidence: string[] = []
  const now = runs[0]
  const within = (run: Results | undefined, name: string, step: number) => {
    const results = run?.get(name)
    const [first] = results ?? []
    // Parts of a purchase of a few units are nothing to sell.
    const parts = name === 'round' && step > 0 && first?.ok === true && first.b < FEW_UNITS
    return parts ? undefined : outcome(results?.[step])
  }
  const at = (name: string, step: number) => within(now, name, step)
  const over = (name: string, step: number) => runs.map((run) => within(run, name, step))
  const buys = simulation.setup.kind === 'none' ? [] : over('half', 0)
  const canBuy = some([...buys, first?.bought].map((buy) => buy?.ok))
  const freshSells = [...over('half', 1), ...over('round', 1)].filter((_, i) => buys[i % runs.length]?.ok)
  // Who buys in the first blocks of a market is often caught as a bot, of whatever kind, and nobody who buys later is.
  const atOnce = [...(first?.sales ?? [undefined]), at('half', 1), at('round', 1)]
  const inAnHour = [over('half', 1)[1], over('round', 1)[1]]
  const caughtAtFirst =
    (atOnce.every((sale) => sale?.ok === false) && freshSells.some((sale) => sale?.ok === true)) ||
    (atOnce.every((sale) => isCaught(sale)) && inAnHour.some((sale) => isCaught(sale) === false))
  const lived = first && caughtAtFirst ? await laterBuyer(chain, simulation, opening, first) : first
  const ages = lived?.sales
  // Where contracts may not buy, what they met says nothing about people.
  const peopleOnly = lived?.bought?.ok === true && buys.every((buy) => buy?.ok === false)
  const injectedSells = [...over('injected', 1), ...over('injectedAll', 0)]
  const aged = ages ?? []
  const ageSells = aged.map((result) => result?.ok)
  // What a person met counts, where one got so far.
  // Sales of the first minutes come before all of these, unless they are of who bought elsewhere.
  const soon =
    lived?.start === selling.start ? aged.slice(0, 2).flatMap((sale, i) => lossAt(AGES[i]?.seconds ?? 0, sale)) : []
  const sales = await settledSales(laterSales, lived, selling)
  const judged = sales && judgeLaterSales(sales, soon)
  const canSell =
    some([...ageSells, ...(judged?.open ? [true] : [])]) ??
    some([...freshSells.map((sell) => sell?.ok), ...(canBuy ? [] : injectedSells.map((sell) => sell?.ok))])
  const sizes = ['size2', 'size3', 'large'].filter((name) => at(name, 0)?.ok !== false)
  const larger = sizes.map((name) => (at(name, 0)?.ok ? at(name, 1) : undefined))
  // Traders in one transaction, holders who never bought, and buyers of long ago: one of the last two has to be seen.
  const patient = [...(simulation.injected ? injectedSells : []), ...(ages ?? (simulation.injected ? [] : [undefined]))]
  const ran = (sales?.tried ?? []).flatMap(({ sale }) => sale ?? [])
  const saleOks = [...freshSells, ...over('round', 2), ...larger, ...patient, ...ran].map((sale) => sale?.ok)
  const buyOks = buys.map((buy) => buy?.ok)
  const neverSold =
    buys.length === 0 || buyOks.includes(false) || saleOks.includes(true)
      ? false
      : [...buyOks, ...saleOks].includes(undefined)
        ? undefined
        : true
  const worked = (results: (TradeOutcome | undefined)[]) => results.filter((result) => result?.ok === true)
  const [buy = buys[0]] = worked([buys.find((one) => one?.ok), first?.bought ?? lived?.bought]).sort(byTax)
  const freshWorked = worked(freshSells)
  const soldWell = freshWorked.length > 0 ? freshWorked : worked(aged).length > 0 ? worked(aged) : worked(injectedSells)
  // What these pools were sent is only seen in a plain transfer.
  const unseen = UNSEEN.has(simulation.setup.kind)
  const poolTaxes = unseen ? worked(over('poolTax', 1)) : []
  const sellTaxes = (poolTaxes.length > 0 ? poolTaxes : soldWell).map((sell) => sell?.tax ?? 0)
  const refusal = freshSells.find((sell) => sell?.ok === false) ?? injectedSells.find((sell) => sell?.ok === false)
  const personal = poolTaxes.length > 0 ? [] : aged
  const late = poolTaxes.length > 0 ? [] : lossAt(DAY, lived?.lateSale)
  const personalLosses = personal.flatMap((sale, i) => lossAt(AGES[i]?.seconds ?? 0, sale))
  const usual = Math.max(
    ...[sellTaxes, ...[personalLosses, late].map((some) => some.map(({ tax }) => tax))].map(median),
  )
  const sell: TradeOutcome | undefined =
    soldWell.length > 0 ? { ok: true, tax: usual, reason: '' } : canBuy === false ? undefined : refusal
  const seen = (results: readonly (TradeOutcome | undefined)[]) =>
    results.flatMap((result, i) => lossAt(moments[i]?.seconds ?? 0, result))
  const buyLosses = [...lossAt(0, buy), ...seen(buys)]
  const sellLosses = [
    ...personalLosses,
    // Contracts buy and sell at once, which may be taxed as bots are: they count where people have nothing to sell in parts.
    ...(personal.length > 0 || !lived ? [] : seen(poolTaxes.length > 0 ? over('poolTax', 1) : over('half', 1))),
    ...late,
  ]
  const refusedAtOnce = freshSells.length > 0 && freshSells.every((sale) => sale?.ok === false)
  const falls = fallsLater(usual, sellLosses) || fallsLater(buy?.tax, buyLosses)
  const asked = !caughtAtFirst && lived?.sales !== undefined && (falls || (refusedAtOnce && canSell === true))
  const firsts = asked ? await firstSales(chain, simulation, opening) : []
  for (const { seconds, sale, buy } of firsts ?? []) {
    buyLosses.push(...lossAt(seconds, buy))
    if (poolTaxes.length === 0) sellLosses.push(...lossAt(seconds, sale))
  }
  if (buy && !buy.ok) evidence.push(`buying is refused: ${buy.reason || 'no reason given'}`)
  if (canSell === false && worked(freshSells).length > 0)
    evidence.push('selling is refused to people, and allowed to contracts')
  else if (canSell === false)
    evidence.push(`selling is refused at every moment: ${refusal?.reason || 'no reason given'}`)

  const soldAtOnce = [at('half', 1)?.ok, at('round', 1)?.ok].includes(true)
  const lateSteps = ageSells.slice(3)
  const lateRuns = runs
    .slice(2)
    .map((run) => [within(run, 'half', 0)?.ok, within(run, 'half', 1)?.ok, within(run, 'round', 1)?.ok])
  const closedForNew =
    lateRuns.length > 0 && lateRuns.every(([bought, all, part]) => bought === true && all === false && part === false)
  const closedForOld = lateSteps.length > 0 && lateSteps.every((ok) => ok === false)
  const mayBeClosed = judged !== undefined && ((judged.open && soldAtOnce && closedForNew) || judged.open === false)
  const soldInMonth = mayBeClosed && canSell ? await sellsInMonth(chain, simulation, opening, list) : undefined
  const closed =
    ((soldAtOnce || ageSells[0] === true) && closedForOld && !judged?.open) ||
    (soldAtOnce && closedForNew && !soldInMonth)
  const closedMostly = judged?.open === false && soldInMonth === false
  const closedForLate = ageSells.includes(true) && lived?.lateSale?.ok === false
  const closedToAll = firsts !== undefined && firsts.length > 0 && firsts.every(({ sale }) => sale?.ok === false)
  if (closed) evidence.push('selling works at first and is refused later')
  else if (closedMostly) evidence.push('selling is refused at nearly every moment of the weeks that follow')
  else if (closedForLate) evidence.push('selling is refused to those who did not sell on the first day')
  else if (closedToAll)
    evidence.push('selling is refused to those who did not sell in the first hour, or while others trade')

  const heldAll = [at('half', 1), at('injectedAll', 0)].map((result) => result?.ok)
  const heldPart = [at('round', 1), at('injected', 1)].map((result) => result?.ok)
  const cannotSellAll =
    peopleOnly || (heldPart[0] === undefined && heldPart[1] === undefined)
      ? undefined
      : (heldPart[0] === true && over('half', 1).every((result) => result?.ok === false)) ||
        (canBuy === false && heldPart[1] === true && heldAll[1] === false) ||
        (at('round', 1)?.ok === true &&
          [at('size2', 1), at('size3', 1)].filter((r) => r?.ok === false).length > 0 &&
          at('size2', 0)?.ok === true &&
          at('size2', 1)?.ok === false)
  const limited =
    canBuy !== true || peopleOnly || at('large', 0) === undefined
      ? undefined
      : at('large', 0)?.ok === false || at('size3', 0)?.ok === false || at('size2', 0)?.ok === false
  const together = [at('twice', 1)?.ok, at('round', 1)?.ok, at('round', 2)?.ok].includes(false)
  const apart = ageSells.slice(1).includes(true)
  const cooldown =
    canBuy !== true || peopleOnly || ages === undefined
      ? undefined
      : together && apart && !cannotSellAll && (at('round', 1)?.ok === false || at('twice', 1)?.ok === false)
  // Anybody can be sent a few units of a token, whose sale pays nothing.
  const sellers = holders.filter((holder) => (now?.get(`holder ${holder}`)?.[0]?.a ?? leastHeld) >= leastHeld)
  const blocked = sellers.filter((holder) => {
    const tries = over(`holder ${holder}`, 1).filter((result) => result !== undefined)
    return tries.length > 0 && tries.every((result) => !result?.ok)
  })
  const insiderBuys = insiders.map((insider) => at(`insider ${insider}`, 0))
  const insiderSellsList = insiders.flatMap((insider) => [at(`insider ${insider}`, 1), at(`insiderSell ${insider}`, 0)])
  const insiderSells = some(insiderSellsList.map((result) => result?.ok))
  const cheaper = (mine: (TradeOutcome | undefined)[], others: TradeOutcome | undefined) =>
    others?.ok === true && mine.some((result) => result?.ok === true && result.tax + 2 <= others.tax)
  const moved = at('move', 1) ?? at('injected', 0)
  const firstBuy = now?.get('half')?.[0]
  const spent = Number(simulation.setup.small)
  const sent = runs.map((run, i) => (buys[i]?.ok ? within(run, 'poolTax', 1)?.ok : undefined))
  const back = runs.flatMap((run) => {
    const [bought, sold] = run?.get('half') ?? []
    if (bought?.ok !== true || sold?.ok === undefined) return []
    return [sold.ok ? Number(sold.word) / spent : 0]
  })
  if (lived?.paidBack !== undefined) back.push(lived.paidBack)
  return {
    simulated: now !== undefined,
    buy,
    sell,
    lastingTax: {
      buy: buy?.ok ? most(lastingTax(buy.tax, buyLosses), judged?.buyTax) : undefined,
      sell: sell?.ok
        ? most(leastOf(lastingTax(sell.tax, sellLosses), unseen ? lived?.paidBack : undefined), judged?.sellTax)
        : undefined,
    },
    canBuy,
    canSell,
    neverSold,
    seenAllMoments:
      runs.every((run) => run !== undefined) &&
      (canBuy !== true || (ages !== undefined && lived?.whole === true)) &&
      firsts !== undefined &&
      (!(market && variation.byTrades) || canBuy !== true || judged?.whole === true),
    closesLater: closed || closedMostly || closedForLate || closedToAll,
    melts: lived?.kept !== undefined && lived.kept <= MELTED,
    cannotSellAll,
    limited,
    cooldown,
    holdersTried: sellers.length,
    holdersBlocked: blocked,
    insiderSells,
    insiderFavoured:
      cheaper(insiderBuys, buy) ||
      cheaper(insiderSellsList, sell) ||
      (canSell === false && insiderSells === true) ||
      (canBuy === false && insiderBuys.some((result) => result?.ok === true)),
    transferGas: now?.get('move')?.[1]?.gas ?? now?.get('injected')?.[0]?.gas ?? 0n,
    canMove: moved?.ok,
    price: firstBuy?.ok && firstBuy.a > 0n ? spent / Number(firstBuy.a) : undefined,
    paidBack: back.length > 0 ? Math.max(...back) : undefined,
    buysThroughout: buys.every((buy) => buy?.ok === true),
    sentToPool: some(sent),
    evidence,
    trials: [
      ...[first, lived].flatMap((one, i) => (one && (i === 0 || one.steps !== first?.steps) ? shownPeople(one) : [])),
      ...(sales && judged?.whole ? shownAs('person', sales.steps) : []),
      ...(firsts ?? []).flatMap(({ steps }) => shownAs('late_seller', steps)),
      ...trialsOf(
        simulation.setup,
        list,
        made.map((results, i) => ({ ...(moments[i] ?? NOW), results })),
      ),
    ],
  }
}
