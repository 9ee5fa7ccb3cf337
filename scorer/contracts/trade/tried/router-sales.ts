/**
 * Sales by an account without code through the exchange's router, in its own transactions: the way most people sell. A
 * token can see who moves it and treat the router differently.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { type ChainReader, quantity } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { type Market, wordAt } from '../../market/market.ts'
import { MIN_UNITS, momentAt, type TradeOutcome, taxOf } from '../outcome.ts'
import { personCall, runCallsAndScripts, type Script, type SimulationSetup } from '../simulation-setup.ts'
import { momentsOf } from './moments.ts'
import { NOW } from './trials.ts'

/** Result of sales through the router. */
export type RouterSales = {
  /** One per age of the purchase, as in `runAges`. */
  sales: { seconds: number; sale: TradeOutcome | undefined }[]
  /** Whether a purchase through the router worked at the end: then the token, not the router, refused the sales. */
  works: boolean
}

/** A market with a router. */
export type RouterInput = {
  chain: ChainReader
  simulation: SimulationSetup
  market: Market
  /** Steps that open trading first. */
  opening: Step[]
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

/** One account buys, then sells a little at each age. `undefined` when it could not be run or nothing could be sold. */
export const runRouterSales = async (input: RouterInput): Promise<RouterSales | undefined> =>
  // Some tokens change the pool's balance during a transfer, so a purchase computed from the reserves fails.
  (await runBought(input, 'pool')) ?? runBought(input, 'router')

const runBought = async (input: RouterInput, from: 'pool' | 'router'): Promise<RouterSales | undefined> => {
  const { chain, simulation, market, opening } = input
  const { setup, person, director } = simulation
  const { token, base, pool, small } = setup
  const { router } = market
  const part = roundDown(market.tokenReserve / SMALL / PART)
  if (part < MIN_UNITS) return undefined
  const { ages } = momentsOf(chain)
  const personal = (to: string, data: string) => personCall(chain, simulation, to, data)
  const plain = (to: string, data: string) => ({ from: person, to, data, gas: quantity(1_000_000) })
  const balance: Step = { op: 'read', target: base, data: balanceOf(person) }
  const held: Step = { op: 'read', target: token, data: balanceOf(person) }
  const moments = ages.map(({ seconds, blocks }) => momentAt(chain, seconds, blocks))
  const end = moments.at(-1) ?? momentAt(chain, 0, 0)
  const bySelf = (target: string, data: string): Step => ({ op: 'call', actor: director, target, data })
  const swap = (to: string, time: number): Step[] => [
    bySelf(base, approve(router, small)),
    bySelf(router, swapData(small, [base, token], to, time)),
  ]
  const start = momentAt(chain, NOW.seconds, NOW.blocks)
  const bought: Step[] = from === 'pool' ? [{ op: 'buy', actor: person, amount: small }] : swap(person, start.time)
  const scripts: Script[] = [
    { steps: [...simulation.funding, ...opening, ...bought, held], moment: start },
    ...moments.map((moment, i): Script => {
      const approvals = [part * BigInt(ages.length), ...APPROVED].map((amount) =>
        personal(token, approve(router, amount)),
      )
      const sale = personal(router, swapData(part, [token, base], person, moment.time))
      const before = [
        plain(base, balanceOf(person)),
        plain(pool, encodeFunctionData({ abi, functionName: 'getReserves' })),
      ]
      return { before: [...(i === 0 ? approvals : []), ...before, sale], steps: [balance], moment }
    }),
    {
      steps: [held, ...swap(person, end.time), held],
      moment: { number: end.number + 1, time: end.time + 12 },
    },
  ]
  const answers = await runCallsAndScripts(chain, simulation, scripts)
  const [first, ...rest] = answers ?? []
  const holding = first?.results?.at(-1)
  if (holding?.ok !== true || holding.a < part * BigInt(ages.length)) return undefined
  const closing = rest.at(-1)?.results
  const sales = ages.map(({ seconds }, i) => {
    const { calls = [], results } = rest[i] ?? {}
    const [before, reserves, sold] = calls.slice(-3)
    const [was, is] = [wordAt(before, 0), results?.[0]?.ok ? results[0].a : undefined]
    const full = quoteOf(reserves, setup, part)
    if (was === undefined || is === undefined || !full) return { seconds, sale: undefined }
    if (sold === undefined || is <= was) return { seconds, sale: REFUSED }
    return {
      seconds,
      sale: { ok: true, tax: taxOf({ ok: true, a: full, b: is - was, gas: 0n, word: 0n }), reason: '' },
    }
  })
  return { sales, works: closing?.[2]?.ok === true && (closing[3]?.a ?? 0n) > (closing[0]?.a ?? 0n) }
}
