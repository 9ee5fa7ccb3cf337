/**
 * Bonding curves of registered launchpads: whether a token trades on one now, and what lies in it. Only what a registered contract
 * states of the token counts. Sources: beside `CurveDesign`.
 */
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import type { BaseAsset, ContractRegistry, CurveLaunchpad } from '../../subject/registry.ts'
import type { Market } from '../market.ts'
import { wordAt } from '../words.ts'
import { balanceOf, pad, ratio } from './reserves.ts'

/**
 * Where a token is on its way. `closed`: the launchpad knows it, and it is not traded there now; `graduated`: it went
 * on to a pool.
 */
export type CurveStage = 'none' | 'trading' | 'closed' | 'graduated'

/** What the registered launchpads state of a token. */
export type CurveState =
  | {
      stage: CurveStage
      /** Name of the launchpad that knows the token. */
      name?: string
      /** Why there is no market although it trades. */
      missing?: string
      /** The curve as a market, where it trades and its base asset is registered. */
      market?: Market
    }
  | { stage: undefined; name?: undefined /** Why that is not known. */; missing: string; market?: undefined }

type Where = { chain: ChainReader; registry: ContractRegistry; token: string; launchpad: CurveLaunchpad }
type Design = {
  /** What the launchpad is asked about a token. */
  question: (token: string) => string
  /** What it answers; `undefined` where that is no answer. */
  stage: (answer: string) => CurveStage | undefined
  market: (where: Where, answer: string) => Promise<Market | undefined>
  /** What it means that it refuses to answer; not known unless stated. */
  refused?: CurveStage
}

const baseOf = ({ bases, assets }: ContractRegistry, address: string): BaseAsset | undefined => {
  const [native] = bases
  if (address === ZERO) return native && { ...native, address }
  return bases.find((base) => base.address === address) ?? assets.get(address)
}

const marketOf = ({ launchpad }: Where, base: BaseAsset, pool: string, spender: string) => ({
  ...({ kind: 'none', pool, id: pool, base, fee: 0, router: ZERO, hooks: ZERO } as const),
  curve: { ...launchpad, spender },
})

/** Whole tokens have 18 decimals there, and the last price is that of one. */
const WHOLE = 1e18
const STATES: readonly CurveStage[] = ['trading', 'closed', 'closed', 'graduated']

/**
 * `_tokenInfos(address)`: base, quote, template, totalSupply, maxOffers, maxRaising, launchTime, offers, funds, lastPrice, K, T, status.
 * The quote is zero for the native coin.
 */
const fourMeme: Design = {
  question: (token) => `0xe684626b${pad(token)}`,
  stage: (answer) => {
    const [base, status] = [wordAt(answer, 0), wordAt(answer, 12)]
    if (base === undefined || status === undefined) return undefined
    if (base === 0n) return 'none'
    return STATES[Number(status)]
  },
  market: async (where, answer) => {
    const base = baseOf(where.registry, addressOf(wordAt(answer, 1) ?? 0n))
    const [tokenReserve, baseReserve, last] = [7, 8, 9].map((at) => wordAt(answer, at))
    if (!base || tokenReserve === undefined || baseReserve === undefined || last === undefined) return undefined
    const { address } = where.launchpad
    return { ...marketOf(where, base, address, address), tokenReserve, baseReserve, price: Number(last) / WHOLE }
  },
}

/**
 * `_tokenInfos(address)` of the first manager: initialized, launchTime, K, T, offers, ethers, tradeEnable, liquidityAdded, tradingHalt.
 * Coins alone are paid there.
 */
const firstFourMeme: Design = {
  question: fourMeme.question,
  stage: (answer) => {
    const [known, enabled, left, halted] = [0, 6, 7, 8].map((at) => wordAt(answer, at))
    if (known === undefined || enabled === undefined || left === undefined || halted === undefined) return undefined
    if (known === 0n) return 'none'
    if (left !== 0n) return 'graduated'
    return enabled !== 0n && halted === 0n ? 'trading' : 'closed'
  },
  market: async (where, answer) => {
    const { chain, launchpad, registry, token } = where
    const { address } = launchpad
    const base = baseOf(registry, ZERO)
    const [tokenReserve, baseReserve] = [wordAt(answer, 4), wordAt(answer, 5)]
    if (!base || tokenReserve === undefined || baseReserve === undefined) return undefined
    // `lastPrice(address)`.
    const last = wordAt(await chain.call({ to: address, data: `0xf5a6ba2e${pad(token)}` }), 0) ?? 0n
    return { ...marketOf(where, base, address, address), tokenReserve, baseReserve, price: Number(last) / WHOLE }
  },
}

/** Base units of any token of Flap's, a billion whole ones. */
const FLAP_SUPPLY = 10n ** 27n
/** Invalid, tradable, in a duel, killed, on an exchange, announced. */
const FLAP_STATES: readonly CurveStage[] = ['none', 'trading', 'closed', 'closed', 'graduated', 'closed']
/** Parts of 10,000 as percent. */
const percentAt = (answer: string, at: number): number => Math.min(100, Number(wordAt(answer, at) ?? 0n) / 100)

/**
 * `getTokenV8Safe(address)`: status, reserve, circulatingSupply, price, tokenVersion, r, h, k, dexSupplyThresh, quote, nativeToQuote,
 * extension, buyTaxRate, sellTaxRate, pool, progress, lpFeeProfile, dexId. Of a token that is not its own the portal says nothing. A tax
 * is taken of what is paid, so that nobody misses a token.
 */
const flap: Design = {
  question: (token) => `0x62fafcca${pad(token)}`,
  stage: (answer) => (wordAt(answer, 13) === undefined ? undefined : FLAP_STATES[Number(wordAt(answer, 0))]),
  refused: 'none',
  market: async (where, answer) => {
    const base = baseOf(where.registry, addressOf(wordAt(answer, 9) ?? 0n))
    const [baseReserve, sold, last] = [1, 2, 3].map((at) => wordAt(answer, at))
    if (!base || baseReserve === undefined || sold === undefined || last === undefined) return undefined
    const { address } = where.launchpad
    const market = marketOf(where, base, address, address)
    return {
      ...market,
      curve: { ...market.curve, taxes: { buy: percentAt(answer, 12), sell: percentAt(answer, 13) } },
      ...{ tokenReserve: FLAP_SUPPLY - sold, baseReserve, price: (Number(last) / WHOLE) * 10 ** (base.decimals - 18) },
    }
  },
}

/**
 * `tokenInfo(address)`: creator, token, pair, agentToken, seven places of texts, trading, tradingOnUniswap. The price is that of the
 * pair's reserves, of which the base asset's are partly imagined; the pair holds what was raised.
 */
const virtuals: Design = {
  question: (token) => `0xf5dab711${pad(token)}`,
  stage: (answer) => {
    const [known, agent, trading, left] = [1, 3, 11, 12].map((at) => wordAt(answer, at))
    if (known === undefined || agent === undefined || trading === undefined || left === undefined) return undefined
    if (known === 0n) return 'none'
    if (left === 1n || agent !== 0n) return 'graduated'
    return trading === 1n ? 'trading' : 'closed'
  },
  market: async (where, answer) => {
    const { chain, launchpad } = where
    const pair = addressOf(wordAt(answer, 2) ?? 0n)
    // `router()`, which takes what is paid and sold.
    const router = addressOf(wordAt(await chain.call({ to: launchpad.address, data: '0xf887ea40' }), 0) ?? 0n)
    if (pair === ZERO || router === ZERO) return undefined
    // `assetToken()` and `getReserves()`, the token's first.
    const [asset, reserves] = await Promise.all([
      chain.call({ to: router, data: '0x1083f761' }),
      chain.call({ to: pair, data: '0x0902f1ac' }),
    ])
    const [paid, imagined, tokenReserve] = [wordAt(asset, 0), wordAt(reserves, 1), wordAt(reserves, 0)]
    const base = paid === undefined || paid === 0n ? undefined : baseOf(where.registry, addressOf(paid))
    if (!base || imagined === undefined || tokenReserve === undefined) return undefined
    const baseReserve = await balanceOf(chain, base.address, pair)
    return {
      ...marketOf(where, base, pair, router),
      ...{ tokenReserve, baseReserve, price: ratio(imagined, tokenReserve) },
    }
  },
}

/**
 * As `virtuals`, and four places more, the last of which is `launchExecuted`: before, nobody trades. What left its curve keeps its address.
 */
const laterVirtuals: Design = {
  ...virtuals,
  stage: (answer) => {
    const [stage, launched] = [virtuals.stage(answer), wordAt(answer, 16)]
    if (stage !== 'trading') return stage
    return launched === undefined ? undefined : launched === 1n ? stage : 'closed'
  },
}

const DESIGNS: Record<CurveLaunchpad['design'], Design> = {
  'four-meme-1': firstFourMeme,
  'four-meme': fourMeme,
  flap,
  virtuals,
  'virtuals-2': laterVirtuals,
}

/** The question about a token's curve, to see whether it still trades after a purchase, and what the answer states. */
export const stageQuestion = ({ address, design }: CurveLaunchpad, token: string) => ({
  call: { to: address, data: DESIGNS[design].question(token) },
  stage: (answer: string | undefined) => answer && DESIGNS[design].stage(answer),
})

const ask = async (where: Where): Promise<CurveState> => {
  const { chain, token, launchpad } = where
  const { name, design, address } = launchpad
  const answer = await chain.call({ to: address, data: DESIGNS[design].question(token) })
  // Before it was deployed, nobody launched anything there.
  if (answer === '0x' && (await chain.code(address)).length <= 2) return { stage: 'none' }
  const stage = answer === undefined ? DESIGNS[design].refused : DESIGNS[design].stage(answer)
  if (stage === 'none') return { stage }
  if (stage === undefined || answer === undefined)
    return { stage: undefined, missing: `what ${name} states of its curve could not be read` }
  if (stage !== 'trading') return { stage, name }
  const market = await DESIGNS[design].market(where, answer)
  return market
    ? { stage, name, market }
    : { stage, name, missing: `what lies in its curve on ${name} could not be read, or is no registered asset` }
}

/** What the registered launchpads state of a token. */
export const readCurve = async (chain: ChainReader, registry: ContractRegistry, token: string): Promise<CurveState> => {
  const states = await Promise.all(registry.curves.map((launchpad) => ask({ chain, registry, token, launchpad })))
  const known = states.find(({ name }) => name !== undefined)
  return known ?? states.find(({ stage }) => stage === undefined) ?? { stage: 'none' }
}
