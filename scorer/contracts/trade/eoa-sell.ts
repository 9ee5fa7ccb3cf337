/**
 * Simulates sales by a fresh account without code. It buys, approves in its own transactions, and tries every way to
 * sell, from seconds to two years later. The simulator's actors are contracts, and a token that refuses only contracts
 * is no trap. The sequence ends with another purchase, which tells a node that gave up half-way from a token that
 * refuses.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ChainCall, Moment } from '../chain/call.ts'
import { type ChainReader, quantity } from '../chain/chain.ts'
import { decodeRun, encodeRun, reasonText, type Step, ZERO } from '../chain/simulator/script.ts'
import type { Market } from '../market/market.ts'
import { lastingTax, lossAt, median } from './judged/taxes.ts'
import { outcome, refusedCall } from './outcome.ts'
import { GAS_LIMIT, personCall, runScript, type SimulationSetup } from './simulation-setup.ts'
import { momentsOf } from './tried/moments.ts'
import { roundDown, swapData } from './tried/router-sales.ts'

/** Result of sales by an account without code. */
export type EoaSell = {
  /** `refused`: by the token itself, in every way, at every moment. `unknown`: neither is proved. */
  outcome: 'sold' | 'refused' | 'unknown'
  /** Percent lost in a usual sale; `undefined` when none was measured. */
  tax: number | undefined
  /** The same; of a falling tax, what it falls to. */
  lastingTax: number | undefined
  /** Number of sales and transfers tried. */
  tries: number
  /** Text of the refusal; empty when there was none. */
  reason: string
}

/** Pools that transfers are tried to: the trading pool, then those with most tokens. */
const MAX_POOLS = 8

const erc20 = parseAbi([
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function balanceOf(address)',
])
const MAX = 2n ** 256n - 1n
const hex = (address: string) => address as `0x${string}`

type Kind = 'buy' | 'approve' | 'transfer' | 'router' | 'sell'
type Try = { kind: Kind; call: ChainCall; steps: Step[]; moment: Moment }

/** Tries sales on the token's markets; `market` is the one used for trades. */
export const simulateEoaSell = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  market: Market,
  markets: readonly Market[],
): Promise<EoaSell> => {
  const { token, base, small } = simulation.setup
  const { person } = simulation
  const noTax = { tax: undefined, lastingTax: undefined }
  const unknown: EoaSell = { outcome: 'unknown', ...noTax, tries: 0, reason: '' }
  const buying: Step[] = [...simulation.funding, { op: 'buy', actor: person, amount: small }]
  const { ages, years } = momentsOf(chain)
  const moments = [...ages, years]
  const start = { number: chain.height + 1, time: chain.time + chain.timeStep }
  const bought = (await runScript(chain, simulation, buying, start))?.at(-1)
  if (bought?.ok !== true) return unknown
  const part = roundDown(bought.b / 20n)
  if (part === 0n) return unknown

  const personal = (to: string, data: string) => personCall(chain, simulation, to, data)
  const approval = (spender: string, amount: bigint) =>
    personal(token, encodeFunctionData({ abi: erc20, functionName: 'approve', args: [hex(spender), amount] }))
  const transfer = (to: string) =>
    personal(token, encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [hex(to), part] }))
  const through = (router: string, time: number) => personal(router, swapData(part, [token, base], person, time))
  const scripted = (steps: Step[]): ChainCall => ({
    from: person,
    gasPrice: quantity(chain.gasPrice),
    to: simulation.director,
    data: encodeRun(simulation.setup, steps),
    gas: quantity(GAS_LIMIT),
  })
  // Calls to an address without code always succeed, so the router must have code.
  const routed = market.router !== ZERO && (await chain.code(market.router)).length > 2
  const others = [...markets].sort((a, b) => (a.tokenReserve < b.tokenReserve ? 1 : -1))
  const pools = [...new Set([market, ...others].map(({ pool }) => pool))].slice(0, MAX_POOLS)
  const spenders = [simulation.director, ...(routed ? [market.router] : [])]
  const add = (kind: Kind, moment: Moment, call: ChainCall, steps: Step[] = []): Try => ({ kind, call, steps, moment })
  // Some tokens refuse approvals above the balance.
  const approvals = spenders.flatMap((spender) =>
    [bought.b, MAX].map((amount) => add('approve', start, approval(spender, amount))),
  )
  const selling: Step[] = [{ op: 'sell', actor: person, amount: part }]
  const times = moments.map(({ seconds, blocks }) => ({ number: start.number + blocks, time: start.time + seconds }))
  // If the account still has its tokens and can buy, the node ran the whole sequence.
  const balance = encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [hex(person)] })
  const closing: Step[] = [
    { op: 'read', target: token, data: balance },
    { op: 'buy', actor: person, amount: small },
  ]
  const end = times.at(-1) ?? start
  const whole = (tries: Try[]): Try[] => [
    add('buy', start, scripted(buying), buying),
    ...tries,
    add('buy', { number: end.number + 1, time: end.time + chain.timeStep }, scripted(closing), closing),
  ]
  // Tokens that a transfer left in a pool would pay for a later sale that sends none, so transfers are a sequence of their own.
  const sequences = [
    whole([
      ...approvals,
      ...times.flatMap((moment) => [
        ...(routed ? [add('router', moment, through(market.router, moment.time))] : []),
        add('sell', moment, scripted(selling), selling),
      ]),
    ]),
    whole(times.flatMap((moment) => pools.map((pool) => add('transfer', moment, transfer(pool))))),
  ]
  const answered = await Promise.all(sequences.map((tries) => chain.sequence(tries, simulation.overrides)))
  const runs = sequences.map((tries, i) => {
    const answers = answered[i]
    if (!answers || answers.length !== tries.length) return undefined
    return tries.map((item, at) => ({ ...item, answer: answers[at], results: decodeRun(item.steps, answers[at]) }))
  })
  const [offered, sent] = runs
  if (!offered || !sent) return unknown
  const seen = [...offered, ...sent]
  const of = (kind: Kind) => seen.filter((item) => item.kind === kind)
  const sales = of('sell').map(({ results }) => results?.[0])
  const losses = sales.flatMap((result, i) => lossAt(moments[i]?.seconds ?? 0, outcome(result)))
  const tax = losses.length > 0 ? median(losses.map((loss) => loss.tax)) : undefined
  const counted = seen.filter(({ kind }) => kind === 'transfer' || kind === 'router' || kind === 'sell').length
  const words = sales.find((result) => result?.ok === false)
  const reason = words ? reasonText(words.word) : ''
  if (losses.length > 0 || of('router').some(({ answer }) => answer !== undefined))
    return { outcome: 'sold', tax, lastingTax: lastingTax(tax, losses), tries: counted, reason: '' }
  const ran = [offered, sent].every((run) => {
    const [opened, closed] = [run[0]?.results?.at(-1), run.at(-1)?.results]
    return opened?.ok === true && closed?.[1]?.ok === true && (closed[0]?.a ?? 0n) >= opened.b
  })
  const refused =
    of('transfer').every(({ answer }) => refusedCall(answer)) && sales.every((result) => result?.ok === false)
  return { outcome: ran && refused ? 'refused' : 'unknown', ...noTax, tries: counted, reason }
}
