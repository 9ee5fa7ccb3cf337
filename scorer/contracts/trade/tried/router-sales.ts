/**
 * Sales by an account without code through the exchange's router, in its own transactions: the way most people sell. A
 * token can see who moves it and treat the router differently.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { Moment } from '../../chain/call.ts'
import { type ChainReader, quantity } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { type Market, wordAt } from '../../market/market.ts'
import { MIN_UNITS, momentAt, type TradeOutcome, taxOf } from '../outcome.ts'
import { personCall, runCallsAndScripts, type Script, type SimulationSetup } from '../simulation-setup.ts'
import type { Variation } from '../variation.ts'
import { type After, beforeSpan, momentsOf, type Sample, withFewBlocks } from './moments.ts'
import { NOW } from './trials.ts'

/** A sale through the router; `undefined` when it could not be run. */
export type RouterSale = { seconds: number; sale: TradeOutcome | undefined }

/** Results of sales through the router. */
export type RouterSales = {
  /** One per age of the purchase, as in `runAges`. */
  sales: RouterSale[]
  /**
   * Whether a purchase through the router worked, by somebody else at first or by the account at the end: then the token,
   * not the router, refused the sales.
   */
  works: boolean
  /** Sales of another purchase at many later moments; empty when trades cannot vary. */
  later: RouterSale[]
  /**
   * Sales minutes after a purchase, an hour, a day and a month later; empty when trades cannot vary between blocks. The
   * same minutes as the second of `sales`.
   */
  fresh: RouterSale[]
}

/** A market with a router. */
export type RouterInput = {
  chain: ChainReader
  simulation: SimulationSetup
  market: Market
  /** Steps that open trading first. */
  opening: Step[]
  /** How far trades may vary. */
  variation: Variation
}

const abi = parseAbi([
  'function approve(address,uint256)',
  'function balanceOf(address)',
  'function getReserves()',
  'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
])
const hex = (address: string) => address as `0x${string}`
const balanceOf = (who: string) => encodeFunctionData({ abi, functionName: 'balanceOf', args: [hex(who)] })
const approve = (spender: string, amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'approve', args: [hex(spender), amount] })

/** A swap through a V2 router without a minimum output. */
export const swapData = (amount: bigint, path: readonly [string, string], to: string, time: number): string =>
  encodeFunctionData({
    abi,
    functionName: 'swapExactTokensForTokensSupportingFeeOnTransferTokens',
    args: [amount, 0n, path.map(hex), hex(to), BigInt(time) + 10_000n],
  })

/** Rounds down to a power of ten: some tokens are only sold in round amounts. */
export const roundDown = (amount: bigint): bigint => (amount === 0n ? 0n : 10n ** BigInt(amount.toString().length - 1))

/** Fraction (1/n) of a small purchase that each sale sells. */
const PART = 20n
/** Fraction (1/n) of the pool that a small purchase takes. */
const SMALL = 1_000n
/** Unit of fees: millionths. */
const WHOLE = 1_000_000n
/** Approvals after the exact amount: one that fits counters of 96 bits, and one without a limit. */
const APPROVED = [10n ** 28n, 2n ** 256n - 1n]

/** Output of a swap in base units, from the pair's reserves before it. */
const quoteOf = (reserves: string | undefined, { token, base, fee }: SimulationSetup['setup'], amount: bigint) => {
  const [first, second] = [wordAt(reserves, 0), wordAt(reserves, 1)]
  if (first === undefined || second === undefined) return undefined
  const [tokens, coins] = BigInt(token) < BigInt(base) ? [first, second] : [second, first]
  const net = amount * (WHOLE - BigInt(fee))
  return (net * coins) / (tokens * WHOLE + net)
}

const REFUSED: TradeOutcome = { ok: false, tax: 100, reason: '' }

/** Purchases and sales: when the account buys, and when it sells a little each. */
type Schedule = { start: After; sales: readonly (After & Partial<Sample>)[]; closing?: boolean }
type Sold = Pick<RouterSales, 'sales' | 'works'>

/** No sales when nothing could be bought; `undefined` when it could not be run. */
const runSchedule = async (input: RouterInput, schedule: Schedule): Promise<Sold | undefined> => {
  const sold = await runBought(input, schedule, 'pool')
  // Some tokens change the pool's balance during a transfer, so a purchase computed from the reserves fails.
  return sold && sold.sales.length > 0 ? sold : runBought(input, schedule, 'router')
}

const runBought = async (
  input: RouterInput,
  { start: bought, sales: planned, closing = false }: Schedule,
  from: 'pool' | 'router',
): Promise<Sold | undefined> => {
  const { chain, simulation, market, opening } = input
  const { setup, person, director } = simulation
  const { token, base, pool, small } = setup
  const { router } = market
  const part = roundDown(market.tokenReserve / SMALL / PART)
  if (part < MIN_UNITS) return { sales: [], works: false }
  const wanted = part * BigInt(planned.length)
  const plain = (to: string, data: string) => ({ from: person, to, data, gas: quantity(1_000_000) })
  const balance: Step = { op: 'read', target: base, data: balanceOf(person) }
  const guest = simulation.fresh('router guest')
  const heldBy = (who: string): Step => ({ op: 'read', target: token, data: balanceOf(who) })
  const bySelf = (target: string, data: string): Step => ({ op: 'call', actor: director, target, data })
  const swap = (to: string, time: number): Step[] => [
    bySelf(base, approve(router, small)),
    bySelf(router, swapData(small, [base, token], to, time)),
  ]
  const start = momentAt(chain, bought.seconds, bought.blocks)
  const shownSwap = (to: string, time: number): Step[] => [heldBy(to), ...swap(to, time), heldBy(to)]
  const purchase: Step[] = from === 'pool' ? [{ op: 'buy', actor: person, amount: small }] : swap(person, start.time)
  const selling = planned.map(({ seconds, blocks, prevRandao, coinbase, tip }, i): Script => {
    const at = momentAt(chain, seconds, blocks)
    const gasPrice = tip === undefined ? undefined : at.baseFee + tip
    const personal = (to: string, data: string) => personCall(chain, simulation, to, data, gasPrice)
    const approvals = [wanted, ...APPROVED].map((amount) => personal(token, approve(router, amount)))
    const before = [
      plain(base, balanceOf(person)),
      plain(pool, encodeFunctionData({ abi, functionName: 'getReserves' })),
      personal(router, swapData(part, [token, base], person, at.time)),
    ]
    const moment: Moment = { ...at, ...(prevRandao && { prevRandao }), ...(coinbase && { coinbase }) }
    return {
      before: [...(i === 0 ? approvals : []), ...before],
      steps: [balance],
      moment,
      ...(gasPrice && { gasPrice }),
    }
  })
  const end = selling.at(-1)?.moment ?? start
  const last: Script = {
    steps: shownSwap(person, end.time),
    moment: { number: end.number + 1, time: end.time + 12 },
  }
  const buying = [...simulation.funding, ...opening, ...purchase]
  const answers = await runCallsAndScripts(chain, simulation, [
    { steps: [...buying, heldBy(person), ...(closing ? shownSwap(guest, start.time) : [])], moment: start },
    ...selling,
    ...(closing ? [last] : []),
  ])
  const [first, ...rest] = answers ?? []
  const holding = first?.results?.[buying.length]
  if (!first?.results) return undefined
  if (holding?.ok !== true || holding.a < wanted) return { sales: [], works: false }
  const sales = planned.map(({ seconds }, i): RouterSale => {
    const { calls = [], results } = rest[i] ?? {}
    const [before, reserves, sold] = calls.slice(-3)
    const [was, is] = [wordAt(before, 0), results?.[0]?.ok ? results[0].a : undefined]
    const full = quoteOf(reserves, setup, part)
    if (was === undefined || is === undefined || !full) return { seconds, sale: undefined }
    if (sold === undefined || is <= was) return { seconds, sale: REFUSED }
    const tax = taxOf({ ok: true, a: full, b: is - was, gas: 0n, word: 0n })
    return { seconds, sale: { ok: true, tax, reason: '' } }
  })
  const swaps = closing ? [first.results.slice(buying.length + 1), rest.at(-1)?.results ?? []] : []
  return {
    sales,
    works: swaps.some(([before, , swapped, after]) => swapped?.ok && (after?.a ?? 0n) > (before?.a ?? 0n)),
  }
}

/** One sale at each moment at which a purchase at `buyAt` works. */
const runEach = async (input: RouterInput, moments: readonly After[], buyAt: (sale: After) => After) => {
  const sales = await Promise.all(
    moments.map(async (moment): Promise<RouterSale[]> => {
      const sold = await runSchedule(input, { start: buyAt(moment), sales: [moment] })
      return sold?.sales ?? [{ seconds: moment.seconds, sale: undefined }]
    }),
  )
  return sales.flat()
}

/** Sales at the times of these moments, minutes after a purchase: the second of the ages. */
const runFresh = (input: RouterInput, moments: readonly After[]) => {
  const [, minutes] = momentsOf(input.chain).ages
  return runEach(input, moments.map(withFewBlocks), (sale) => beforeSpan(sale, minutes))
}

/**
 * Accounts buy and sell a little at each age of the purchase and, when trades can vary, at many later moments.
 * `undefined` when it could not be run or nothing could be sold.
 */
export const runRouterSales = async (input: RouterInput): Promise<RouterSales | undefined> => {
  const { chain, variation } = input
  const { ages, routerSamples: samples, repeats } = momentsOf(chain)
  const [atAges, later, fresh] = await Promise.all([
    runSchedule(input, { start: NOW, sales: ages, closing: true }),
    variation.byTrades ? runSchedule(input, { start: NOW, sales: samples }) : { sales: [] },
    variation.byBlock ? runFresh(input, repeats) : [],
  ])
  if (!atAges || atAges.sales.length === 0) return undefined
  const unknown = samples.map(({ seconds }): RouterSale => ({ seconds, sale: undefined }))
  return { ...atAges, later: later?.sales ?? unknown, fresh }
}

/** Sales in each two hours of the following weeks, of a purchase of now. */
export const runHeldWeeks = (input: RouterInput): Promise<RouterSale[]> =>
  runEach(input, momentsOf(input.chain).weeks.map(withFewBlocks), () => NOW)

/** Sales at the same times minutes after a purchase. */
export const runFreshWeeks = (input: RouterInput): Promise<RouterSale[]> =>
  runFresh(input, momentsOf(input.chain).weeks)
