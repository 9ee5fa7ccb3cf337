/**
 * Simulates trades on a bonding curve by an account without code, in its own transactions: launchpads take tokens from
 * the caller, and tokens on a curve often allow transfers only by the launchpad, so no contract can trade in between.
 *
 * The launchpad itself may refuse a trade: it is not open, halted or full, or wants another amount. Refused trades are
 * therefore repeated with a token that accepts everything in the token's place. Only what works then was refused by the
 * token.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ChainCall, Moment, Overrides } from '../chain/call.ts'
import { type ChainReader, quantity } from '../chain/chain.ts'
import { willingCode, ZERO } from '../chain/simulator/script.ts'
import { type Market, wordAt } from '../market/market.ts'
import { stageQuestion } from '../market/pools/curves.ts'
import type { BaseAsset } from '../subject/registry.ts'
import { type TradeFacts, UNKNOWN_TRADE } from './facts.ts'
import { type Loss, lastingTax, median } from './judged/taxes.ts'
import { momentAt, taxOf } from './outcome.ts'
import { type BalanceSlot, merge, type SimulationSetup } from './simulation-setup.ts'
import { type After, addSpan, momentsOf, withFewBlocks } from './tried/moments.ts'
import type { TrialStep } from './tried/shown.ts'
import { isOpen } from './tried/weeks.ts'

type Curve = NonNullable<Market['curve']>
/** One curve, and an account with the means to trade there. */
export type CurveTradeInput = {
  chain: ChainReader
  token: string
  market: Market
  curve: Curve
  /** Its `person` trades. */
  simulation: SimulationSetup
  baseBalances: (base: BaseAsset) => Promise<BalanceSlot | undefined>
}

/** Gas of one trade: Virtuals stores its data in lists. */
const TRADE_GAS = 20_000_000
const READ_GAS = 3_000_000
/** Deadline of a trade without one. */
const NEVER = 2n ** 64n
/** Fraction (1/n) of the raised amount that is spent. */
const SPENT = 100n

const abi = parseAbi([
  'function approve(address,uint256)',
  'function balanceOf(address)',
  'function purchaseTokenAMAP(address,uint256,uint256)',
  'function saleToken(address,uint256)',
  'function buyTokenAMAP(address,uint256,uint256)',
  'function sellToken(address,uint256)',
  'function buy(uint256,address)',
  'function sell(uint256,address)',
  'function buy(uint256,address,uint256,uint256)',
  'function sell(uint256,address,uint256,uint256)',
  'function swapExactInput((address,address,uint256,uint256,bytes))',
])
const hex = (text: string) => text as `0x${string}`
const approve = (spender: string, amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'approve', args: [hex(spender), amount] })

type Design = {
  /** `base`: the asset to pay with; zero address for the native coin. */
  buy: (token: string, amount: bigint, base: string) => string
  sell: (token: string, amount: bigint, base: string) => string
  /** Amounts are multiples of this. */
  unit: bigint
  /** Coins sent in addition to the amount, for a fee on top; the rest is returned. */
  beside?: (amount: bigint) => bigint
}
const flapSwap = (from: string, to: string, amount: bigint): string =>
  encodeFunctionData({ abi, functionName: 'swapExactInput', args: [[hex(from), hex(to), amount, 0n, '0x']] })
const DESIGNS: Record<Curve['design'], Design> = {
  'four-meme-1': {
    buy: (token, amount) =>
      encodeFunctionData({ abi, functionName: 'purchaseTokenAMAP', args: [hex(token), amount, 0n] }),
    sell: (token, amount) => encodeFunctionData({ abi, functionName: 'saleToken', args: [hex(token), amount] }),
    unit: 10n ** 9n,
    // One percent, or a minimum amount.
    beside: (amount) => amount / 50n + 10n ** 16n,
  },
  'four-meme': {
    buy: (token, amount) => encodeFunctionData({ abi, functionName: 'buyTokenAMAP', args: [hex(token), amount, 0n] }),
    sell: (token, amount) => encodeFunctionData({ abi, functionName: 'sellToken', args: [hex(token), amount] }),
    unit: 10n ** 9n,
  },
  flap: {
    buy: (token, amount, base) => flapSwap(base, token, amount),
    sell: (token, amount, base) => flapSwap(token, base, amount),
    unit: 1n,
  },
  virtuals: {
    buy: (token, amount) => encodeFunctionData({ abi, functionName: 'buy', args: [amount, hex(token)] }),
    sell: (token, amount) => encodeFunctionData({ abi, functionName: 'sell', args: [amount, hex(token)] }),
    unit: 1n,
  },
  'virtuals-2': {
    buy: (token, amount) => encodeFunctionData({ abi, functionName: 'buy', args: [amount, hex(token), 0n, NEVER] }),
    sell: (token, amount) => encodeFunctionData({ abi, functionName: 'sell', args: [amount, hex(token), 0n, NEVER] }),
    unit: 1n,
  },
}

/**
 * A trade: amounts sent (`a`) and received (`b`), base units of the token. `ok` is `undefined` when they could not be
 * read.
 */
type Deal = { ok: boolean | undefined; a: bigint; b: bigint; accepted: boolean }
/** Amount of a sale, and its age after the purchase. */
type Sale = { amount: bigint; age: After }
/** `open`: whether the curve still trades after the purchase. */
type Deals = { bought: Deal; open: boolean; sales: Deal[] }

type Run = (sales: readonly Sale[], start: After, willing?: boolean) => Promise<Deals | undefined>

const moved = (before: bigint | undefined, after: bigint | undefined) =>
  before === undefined || after === undefined ? undefined : after - before

/** Simulates an account that buys at `start` and sells these amounts later. */
const runner = (input: CurveTradeInput, spent: bigint, overrides: Overrides): Run => {
  const { chain, token, market, curve, simulation } = input
  const { person } = simulation
  const { buy, sell, beside } = DESIGNS[curve.design]
  const base = market.base.address
  const native = base === ZERO
  const asked = stageQuestion(curve, token)
  const call = (to: string, data: string, gas: number, value = 0n): ChainCall => ({
    from: person,
    to,
    data,
    gas: quantity(gas),
    gasPrice: quantity(chain.gasPrice),
    ...(value > 0n ? { value: quantity(value) } : {}),
  })
  const held = (who: string) =>
    call(token, encodeFunctionData({ abi, functionName: 'balanceOf', args: [hex(who)] }), READ_GAS)
  const book = [held(person), held(market.pool)]
  const trade = (data: string, value = 0n) => [...book, call(curve.address, data, TRADE_GAS, value), ...book]
  return async (sales, start, willing = false) => {
    const bought = momentAt(chain, start.seconds, start.blocks)
    const at = ({ seconds, blocks }: After): Moment => ({ number: bought.number + blocks, time: bought.time + seconds })
    const total = sales.reduce((sum, { amount }) => sum + amount, 0n)
    const buying = [
      ...(native ? [] : [call(base, approve(curve.spender, spent), READ_GAS)]),
      ...trade(buy(token, spent, base), native ? spent + (beside?.(spent) ?? 0n) : 0n),
      call(asked.call.to, asked.call.data, READ_GAS),
      // Some tokens refuse approvals above the balance.
      ...[total, 2n ** 256n - 1n].map((amount) => call(token, approve(curve.spender, amount), READ_GAS)),
    ]
    const calls = [
      ...buying.map((one) => ({ call: one, moment: bought })),
      ...sales.flatMap(({ amount, age }) =>
        trade(sell(token, amount, base)).map((one) => ({ call: one, moment: at(age) })),
      ),
    ]
    const place = willing ? merge(overrides, { [token]: { code: willingCode } }) : overrides
    const answers = await chain.sequence(calls, place)
    if (!answers) return undefined
    const dealAt = (first: number, from: 'vault' | 'person'): Deal => {
      const [mine, theirs, done, mineAfter, theirsAfter] = answers.slice(first, first + 5)
      const [got, given] = [
        [mine, mineAfter],
        [theirs, theirsAfter],
      ].map(([before, after]) => moved(wordAt(before, 0), wordAt(after, 0)))
      const accepted = done !== undefined
      if (got === undefined || given === undefined) return { ok: undefined, a: 0n, b: 0n, accepted }
      const [a, b] = from === 'vault' ? [-given, got] : [-got, given]
      return { ok: accepted && (from === 'vault' ? b > 0n : a > 0n), a, b, accepted }
    }
    const first = native ? 0 : 1
    return {
      bought: dealAt(first, 'vault'),
      open: asked.stage(answers[first + 5]) === 'trading',
      sales: sales.map((_, i) => dealAt(buying.length + 5 * i, 'person')),
    }
  }
}

/**
 * Percent lost, including the stated tax on payments (`stated`, percent); `undefined` when the received amount is not
 * where it was looked for.
 */
const lostOf = ({ ok, a, b }: Deal, stated = 0): number | undefined =>
  ok && a > 0n && b > 0n ? 100 - ((100 - taxOf({ ok, a, b, gas: 0n, word: 0n })) * (100 - stated)) / 100 : undefined

const lossOf = (seconds: number, deal: Deal, stated?: number): Loss[] => {
  const tax = lostOf(deal, stated)
  return tax === undefined ? [] : [{ seconds, tax }]
}

/** Tax (percent) from which later purchases are tried as well. */
const TAXED = 10

const NOW: After = { seconds: 0, blocks: 0 }
const outcomeOf = (tax: number | undefined) => (tax === undefined ? undefined : { ok: true, tax, reason: '' })

/** Simulates trades on the curve and keeps the results that concern the token. */
export const tradeOnCurve = async (input: CurveTradeInput): Promise<TradeFacts> => {
  const { market, curve, simulation } = input
  const { unit, beside } = DESIGNS[curve.design]
  const { ages, far, weeks } = momentsOf(input.chain)
  const hours = weeks.map(withFewBlocks)
  const [soon, , anHour, aDay] = ages
  const purchasesAt = [anHour, far]
  const whole = (amount: bigint) => amount - (amount % unit)
  const spent = whole(market.baseReserve / SPENT)
  const native = market.base.address === ZERO
  const slot = native ? undefined : await input.baseBalances(market.base)
  if (spent === 0n || (!native && !slot)) {
    const unjudged = `no ${market.base.symbol} could be provided to trade with`
    return { ...UNKNOWN_TRADE, unjudged }
  }
  const { person } = simulation
  const balance = BigInt(simulation.overrides[person]?.balance ?? 0n) + spent + (beside?.(spent) ?? 0n)
  const paying = { [person]: { balance: quantity(balance) } }
  const given = slot && {
    [slot.contract]: { stateDiff: { [slot.slotOf(person)]: `0x${spent.toString(16).padStart(64, '0')}` } },
  }
  const run = runner(input, spent, merge(merge(simulation.overrides, paying), given ?? {}))

  const first = await run([], NOW)
  if (!first || first.bought.ok === undefined) return UNKNOWN_TRADE
  const refusedByLaunchpad: TradeFacts = {
    ...UNKNOWN_TRADE,
    simulated: true,
    unjudged: `${curve.name} currently refuses purchases on the token's curve`,
  }
  if (!first.bought.ok) {
    const willing = await run([], NOW, true)
    if (!willing?.bought.accepted) return refusedByLaunchpad
    const later = await Promise.all(hours.map((at) => run([], at)))
    if (later.some((seen) => seen?.bought.ok))
      return { ...UNKNOWN_TRADE, simulated: true, unjudged: 'the token can only be bought at other hours' }
    const buy = { ok: false, tax: 100, reason: '' }
    return { ...UNKNOWN_TRADE, simulated: true, buy, canBuy: false, evidence: ['buying is refused: no reason given'] }
  }
  if (!first.open) return { ...UNKNOWN_TRADE, simulated: true, unjudged: 'a single purchase fills the curve' }
  const bought = first.bought.b
  const sale = (part: bigint, age: After): Sale => ({ amount: whole(bought / part), age })
  const parts = ages.map((age) => sale(10n, age))
  /** Whether the token accepts each sale; `undefined` when the launchpad refused it or the result could not be read. */
  const judged = async (sales: readonly Sale[], start: After) => {
    const seen = await run(sales, start)
    const deals = seen?.bought.ok ? seen.sales : []
    const willing = deals.some(({ ok }) => ok === false) ? await run(sales, start, true) : undefined
    const oks = sales.map((_, i) => (deals[i]?.ok === false && !willing?.sales[i]?.accepted ? undefined : deals[i]?.ok))
    return { start, deals, oks }
  }
  const tried = (start: After) =>
    Promise.all([judged(parts, start), judged([sale(1n, soon)], start), judged([sale(1n, aDay)], start)])
  const early = await tried(NOW)
  // Tokens often treat buyers of the first blocks as bots, and later buyers not.
  const [{ start, deals, oks }, atOnce, aDayLater] = early[0].oks.every((ok) => ok === false) ? await tried(far) : early
  const never = oks.every((ok) => ok === false)
  // Trading hours are no trap.
  const suspect = never || (oks[0] === true && oks.slice(3).every((ok) => ok === false))
  const inWeeks = suspect
    ? (await Promise.all(hours.map((age) => judged([sale(10n, age)], start)))).map((week) => week.oks[0])
    : []
  const open = suspect ? isOpen(inWeeks) : true
  const canSell = [...oks, ...inWeeks].includes(true) ? true : never && open === false ? false : undefined
  const closed = suspect && open === false && canSell === true
  const closedForLate = canSell === true && oks[3] === true && aDayLater.oks[0] === false
  const losses = deals.flatMap((deal, i) => lossOf(ages[i]?.seconds ?? 0, deal, curve.taxes?.sell))
  const late = aDayLater.deals.flatMap((deal) => lossOf(aDay.seconds, deal, curve.taxes?.sell))
  const usual = [losses, late].flatMap((some) => (some.length > 0 ? [median(some.map(({ tax }) => tax))] : []))
  const sellTax = usual.length > 0 ? Math.max(...usual) : undefined
  const buyTax = lostOf(first.bought, curve.taxes?.buy)
  const purchases =
    buyTax === undefined || buyTax < TAXED ? [] : await Promise.all(purchasesAt.map((at) => run([], at)))
  const buyLosses = purchases.flatMap((seen, i) =>
    seen ? lossOf(purchasesAt[i]?.seconds ?? 0, seen.bought, curve.taxes?.buy) : [],
  )
  const evidence = [
    ...(canSell === false ? ['selling is refused at every moment: no reason given'] : []),
    ...(closed ? ['selling works at first and is refused later'] : []),
    ...(closedForLate && !closed ? ['selling is refused to those who did not sell on the first day'] : []),
  ]
  const lateSteps: TrialStep[] = [
    { action: 'buy', part: null, ...start, ok: true },
    { action: 'sell', part: 1, ok: aDayLater.oks[0], ...addSpan(start, aDay) },
  ]
  const steps: TrialStep[] = [
    { action: 'buy', part: null, ...start, ok: true },
    ...ages.map((age, i): TrialStep => ({ action: 'sell', part: 0.1, ok: oks[i], ...addSpan(start, age) })),
  ]
  const [everything] = atOnce.oks
  return {
    ...UNKNOWN_TRADE,
    simulated: true,
    buy: outcomeOf(buyTax),
    sell: outcomeOf(sellTax),
    lastingTax: { buy: lastingTax(buyTax, buyLosses), sell: lastingTax(sellTax, [...losses, ...late]) },
    canBuy: true,
    canSell,
    neverSold: canSell ? false : undefined,
    seenAllMoments: open !== undefined && oks.every((ok) => ok !== undefined),
    closesLater: closed || closedForLate,
    cannotSellAll: oks[0] === true && everything !== undefined ? !everything : undefined,
    evidence,
    ...(oks.includes(undefined) ? { unjudged: `${curve.name} refuses sales on the token's curve` } : {}),
    trials: [
      { trial: 'person', actor: 'person', account: null, steps },
      { trial: 'late_seller', actor: 'person', account: null, steps: lateSteps },
    ],
  }
}
