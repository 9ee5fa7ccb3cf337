/**
 * Simulates what happens to accounts that buy, move and sell a token, now and later. Everything is measured. `tried`
 * holds the trials, `judged` interprets them.
 */
import type { TradeFacts } from './facts.ts'
import { areRefused, judgeClosing } from './judged/closing.ts'
import { judgeHolders } from './judged/holders.ts'
import { judgeInsiders } from './judged/insiders.ts'
import { judgeLimits } from './judged/limits.ts'
import { hidesReceived, judgeLosses, type Losses } from './judged/losses.ts'
import type { Possible } from './judged/sales.ts'
import { fallsLater, higherTax, lastingTax, lossAt } from './judged/taxes.ts'
import { anyOf, momentAt, worked } from './outcome.ts'
import { refusesAfterRise } from './tried/after-rise.ts'
import { type AfterTransfer, sellAfterTransfer } from './tried/after-transfer.ts'
import { A_DAY_LATER, AFTER_RISE, type Ages } from './tried/ages.ts'
import { type FirstSale, firstSales } from './tried/first-sales.ts'
import { type People, tradesAsPeople } from './tried/people.ts'
import { shownTrials, type Trial, type TrialStep } from './tried/shown.ts'
import { isMarket, NOW, type TrialInput, type Trials } from './tried/trials.ts'
import { hoursOf, runWeeks } from './tried/weeks.ts'
import { type Tried, tryTrades } from './try-trades.ts'

/** Share of the first price below which a holding has lost its value a day later. */
const DECAYED_SHARE = 0.1

/** Input of the trials, with the minimum holding. */
export type TradeInput = TrialInput & {
  /** Base units below which a holder's sale pays almost nothing. */
  minHeld: bigint
}

/** The smaller of a tax and the loss of a whole purchase that was sold. */
const leastOf = (tax: number | undefined, paidBack: number | undefined): number | undefined =>
  tax === undefined || paidBack === undefined ? tax : Math.min(tax, Math.max(0, 100 * (1 - paidBack)))

/**
 * First sales by accounts that kept everything, tried when taxes fall or sales open later. `undefined` when one could
 * not be run.
 */
const firstsOf = async (input: TradeInput, { freshSells }: Trials, people: People, found: Possible & Losses) => {
  const { canSell, usual, buy, buyLosses, sellLosses } = found
  const refusedAtOnce = freshSells.length > 0 && freshSells.every((sale) => sale?.ok === false)
  const falls = fallsLater(usual, sellLosses) || fallsLater(buy?.tax, buyLosses)
  const asked = !people.caughtAtFirst && people.counted?.sales !== undefined
  return asked && (falls || (refusedAtOnce && canSell === true))
    ? firstSales(input.chain, input.simulation, input.opening)
    : []
}

/** Whether sales are refused after the price rose; `undefined` when that could not be run. */
const afterRise = async ({ chain, simulation, opening }: TradeInput, { counted }: People) => {
  const [before, after] = counted?.sales?.slice(AFTER_RISE - 1) ?? []
  return counted ? refusesAfterRise({ chain, simulation, opening, start: counted.start, before, after }) : false
}

/** Sales after a transfer, tried when the token's code stores more than balances and accounts can trade. */
const afterTransfer = async (input: TradeInput, { counted, sales }: People): Promise<AfterTransfer> => {
  const { chain, simulation, opening, variation } = input
  const untried = (closes: false | undefined) => ({ closes, senderSteps: [], recipientSteps: [] })
  if (!tradesAsPeople(simulation) || !variation.byTrades) return untried(false)
  const unsent = counted?.sales?.slice(A_DAY_LATER) ?? []
  if (!counted || !sales || unsent.includes(undefined)) return untried(undefined)
  const open = unsent.length > 0 && unsent.every((sale) => sale?.ok) && sales.held > 0n
  return open
    ? sellAfterTransfer({ chain, simulation, opening, start: counted.start, held: sales.held, unsent })
    : untried(false)
}

/** Blocks before calls are tried in a market that opens later: delayed powers need most of what nodes simulate. */
const FEW_BLOCKS = 16

const sellsAtOnce = ({ runs, within }: Trials, i: number): boolean =>
  [within(runs[i], 'half', 1), within(runs[i], 'round', 1)].some((sale) => sale?.ok)
const firstOpen = (trials: Trials) => trials.moments.find((_, i) => sellsAtOnce(trials, i))

const refusalsOf = ({ freshSells }: Trials, { canSell, buy, refusal }: Possible & Losses): string[] => {
  const selling =
    worked(freshSells).length > 0
      ? 'selling is refused to people, and allowed to contracts'
      : `selling is refused at every moment: ${refusal?.reason || 'no reason given'}`
  return [
    ...(buy && !buy.ok ? [`buying is refused: ${buy.reason || 'no reason given'}`] : []),
    ...(canSell === false ? [selling] : []),
  ]
}

/** Proceeds of selling whole purchases, as shares of their cost. */
const paidBackOf = ({ runs }: Trials, { counted }: People, spent: number): number[] => {
  const back = runs.flatMap((run) => {
    const [bought, sold] = run?.get('half') ?? []
    if (bought?.ok !== true || sold?.ok === undefined) return []
    return [sold.ok ? Number(sold.word) / spent : 0]
  })
  return counted?.paidBack === undefined ? back : [...back, counted.paidBack]
}

const shownAs = (trial: Trial['trial'], steps: TrialStep[]): Trial[] =>
  steps.length === 0 ? [] : [{ trial, actor: 'person', account: null, steps }]
const shownPeople = ({ steps, lateSteps }: Ages): Trial[] => [
  ...shownAs('person', steps),
  ...shownAs('late_seller', lateSteps),
]

type Shown = Pick<Tried, 'trials' | 'people' | 'later'> & { firsts: FirstSale[] | undefined; sent: AfterTransfer }
const shown = ({ simulation }: TradeInput, { trials, people, later, firsts = [], sent }: Shown): Trial[] => {
  const { first, counted, sales } = people
  const { list, made, moments } = trials
  return [
    ...(first ? shownPeople(first) : []),
    ...(counted && counted.steps !== first?.steps ? shownPeople(counted) : []),
    ...(sales && later?.complete ? shownAs('person', sales.steps) : []),
    ...firsts.flatMap(({ steps }) => shownAs('late_seller', steps)),
    ...shownAs('sender', sent.senderSteps),
    ...shownAs('recipient', sent.recipientSteps),
    ...shownTrials(
      simulation.setup,
      list,
      made.map((results, i) => ({ ...(moments[i] ?? NOW), results })),
    ),
  ]
}

/** Simulates trades now and at later moments. */
export const simulateTrades = async (input: TradeInput): Promise<TradeFacts> => {
  const { simulation, insiders, holders, variation } = input
  const { kind, small } = simulation.setup
  const spent = Number(small)
  const { trials, people, later, possible, late, hours: triedHours } = await tryTrades(input)
  const { counted } = people
  const { canBuy } = possible
  const losses = judgeLosses(trials, people, kind, canBuy)
  const { buy, sell } = losses
  const firsts = await firstsOf(input, trials, people, { ...possible, ...losses })
  // First sales may all fall into hours at which the market is closed.
  const mayBeClosed = isMarket(simulation) && variation.byBlock && areRefused(firsts)
  const hours = triedHours ?? (mayBeClosed ? await hoursOf(input, await runWeeks(input), trials, people) : undefined)
  const buyLosses = [...losses.buyLosses, ...(firsts ?? []).flatMap((one) => lossAt(one.seconds, one.buy))]
  const firstLosses = (firsts ?? []).flatMap((one) => lossAt(one.seconds, one.sale))
  const sellLosses = [...losses.sellLosses, ...(losses.byTransfer ? [] : firstLosses)]
  const [refusedAfterRise, sent] = await Promise.all([afterRise(input, people), afterTransfer(input, people)])
  const closing =
    judgeClosing({ late, people, later, hours, firsts }) ??
    (refusedAfterRise ? 'selling is refused, or loses nearly everything, once the price has risen' : undefined)
  // Earlier buyers can still sell, so that hardly anyone can buy proves nothing.
  const sellsOn = later?.open === true && !late.closedForOld
  const hoursKnown = !hours || sellsOn || (hours.open !== undefined && hours.refusedToHolders !== undefined)
  const { at, buys, runs, within } = trials
  const opening = sellsAtOnce(trials, 0) ? undefined : (firstOpen(trials) ?? hours?.opensAt)
  const [now] = runs
  const [firstBuy] = now?.get('half') ?? []
  const back = paidBackOf(trials, people, spent)
  const moved = at('move', 1) ?? at('injected', 0)
  return {
    simulated: now !== undefined,
    buy,
    sell,
    atAges: people.first?.sales ?? [],
    lastingTax: {
      buy: buy?.ok ? higherTax(lastingTax(buy.tax, buyLosses), later?.buyTax) : undefined,
      sell: sell?.ok
        ? higherTax(
            leastOf(lastingTax(sell.tax, sellLosses), hidesReceived(kind) ? counted?.paidBack : undefined),
            later?.sellTax,
          )
        : undefined,
    },
    ...possible,
    seenAllMoments:
      runs.every((run) => run !== undefined) &&
      (canBuy !== true || (counted?.sales !== undefined && counted.complete)) &&
      firsts !== undefined &&
      refusedAfterRise !== undefined &&
      hoursKnown &&
      (!(isMarket(simulation) && variation.byTrades) || canBuy !== true || later?.complete === true),
    closesLater: closing !== undefined,
    opensAt: opening ? momentAt(input.chain, opening.seconds, opening.blocks % FEW_BLOCKS) : undefined,
    lostAtTimes: later?.lostAtTimes === true,
    valueDecays: counted?.valueAfterDay !== undefined && counted.valueAfterDay <= DECAYED_SHARE,
    ...judgeLimits(trials, people, canBuy),
    holders: judgeHolders(trials, {
      holders,
      minHeld: input.minHeld,
      usual: sell,
      canSell: possible.canSell,
      showsReceived: !hidesReceived(kind),
    }),
    ...judgeInsiders(trials, people, insiders, possible),
    closesByTransfer: sent.closes,
    transferGas: now?.get('move')?.[1]?.gas ?? now?.get('injected')?.[0]?.gas,
    canMove: moved?.ok,
    price: firstBuy?.ok && firstBuy.a > 0n ? spent / Number(firstBuy.a) : undefined,
    paidBack: back.length > 0 ? Math.max(...back) : undefined,
    buysThroughout: buys.every((one) => one?.ok === true),
    sentToPool: anyOf(runs.map((run, i) => (buys[i]?.ok ? within(run, 'poolTax', 1)?.ok : undefined))),
    evidence: [...refusalsOf(trials, { ...possible, ...losses }), ...(closing === undefined ? [] : [closing])],
    trials: shown(input, { trials, people, later, firsts, sent }),
  }
}
