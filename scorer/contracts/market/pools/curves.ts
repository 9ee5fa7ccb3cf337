/**
 * Bonding curves of registered launchpads: whether a token trades on one now, and its reserves. Only answers of
 * registered contracts count. Sources: beside `CurveDesign`.
 */
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import type { BaseAsset, ContractRegistry, CurveLaunchpad } from '../../subject/registry.ts'
import type { Market } from '../market.ts'
import { wordAt } from '../return-data.ts'
import { balanceOf, pad, ratio } from './reserves.ts'

/**
 * Stage of a token. `closed`: the launchpad knows the token, but it is not traded there now. `graduated`: it moved to a
 * pool.
 */
export type CurveStage = 'none' | 'trading' | 'closed' | 'graduated'

/** State of a token's bonding curve, from registered launchpads. */
export type CurveState =
  | {
      stage: CurveStage
      /** Name of the launchpad of the token. */
      name?: string
      /** Why there is no market although the token trades. */
      missing?: string
      /** The curve as a market, when it trades against a registered base asset. */
      market?: Market
    }
  | { stage: undefined; name?: undefined /** Why the stage is unknown. */; missing: string; market?: undefined }

type Where = { chain: ChainReader; registry: ContractRegistry; token: string; launchpad: CurveLaunchpad }
type Design = {
  /** Call data of the question about a token. */
  question: (token: string) => string
  /** Reads the stage from the answer; `undefined` when it is not a valid answer. */
  stage: (answer: string) => CurveStage | undefined
  market: (where: Where, answer: string) => Promise<Market | undefined>
  /** Stage when the call reverts; unknown unless stated. */
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

/** Tokens have 18 decimals there; the last price is that of one whole token. */
const WHOLE = 1e18
const STATES: readonly CurveStage[] = ['trading', 'closed', 'closed', 'graduated']

/**
 * `_tokenInfos(address)`: base, quote, template, totalSupply, maxOffers, maxRaising, launchTime, offers, funds,
 * lastPrice, K, T, status. The quote is the zero address for the native coin.
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
 * `_tokenInfos(address)` of the first manager: initialized, launchTime, K, T, offers, ethers, tradeEnable,
 * liquidityAdded, tradingHalt. Only native coins are paid there.
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

/** Supply of every Flap token: a billion, in base units. */
const FLAP_SUPPLY = 10n ** 27n
/** Statuses of Flap: invalid, tradable, in a duel, killed, on an exchange, announced. */
const FLAP_STATES: readonly CurveStage[] = ['none', 'trading', 'closed', 'closed', 'graduated', 'closed']
/** Basis points as percent. */
const percentAt = (answer: string, at: number): number => Math.min(100, Number(wordAt(answer, at) ?? 0n) / 100)

/**
 * `getTokenV8Safe(address)`: status, reserve, circulatingSupply, price, tokenVersion, r, h, k, dexSupplyThresh, quote,
 * nativeToQuote, extension, buyTaxRate, sellTaxRate, pool, progress, lpFeeProfile, dexId. The call reverts for tokens
 * of others. A tax is taken from the payment, so no tokens are missing.
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
      tokenReserve: FLAP_SUPPLY - sold,
      baseReserve,
      price: (Number(last) / WHOLE) * 10 ** (base.decimals - 18),
    }
  },
}

/**
 * `tokenInfo(address)`: creator, token, pair, agentToken, seven words of texts, trading, tradingOnUniswap. The price
 * comes from the pair's reserves, whose base asset part is partly virtual; the pair holds what was raised.
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
    // `router()`, which receives payments and sold tokens.
    const router = addressOf(wordAt(await chain.call({ to: launchpad.address, data: '0xf887ea40' }), 0) ?? 0n)
    if (pair === ZERO || router === ZERO) return undefined
    // `assetToken()`, and `getReserves()` with the token first.
    const [asset, reserves] = await Promise.all([
      chain.call({ to: router, data: '0x1083f761' }),
      chain.call({ to: pair, data: '0x0902f1ac' }),
    ])
    const [paid, virtualReserve, tokenReserve] = [wordAt(asset, 0), wordAt(reserves, 1), wordAt(reserves, 0)]
    const base = paid === undefined || paid === 0n ? undefined : baseOf(where.registry, addressOf(paid))
    if (!base || virtualReserve === undefined || tokenReserve === undefined) return undefined
    const baseReserve = await balanceOf(chain, base.address, pair)
    return {
      ...marketOf(where, base, pair, router),
      tokenReserve,
      baseReserve,
      price: ratio(virtualReserve, tokenReserve),
    }
  },
}

/**
 * As `virtuals` with four more words, the last of which is `launchExecuted`: nobody trades before. A graduated token
 * keeps its address.
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

/**
 * The question about a token's curve, and how to read its stage from the answer. Asked again after a simulated
 * purchase.
 */
export const stageQuestion = ({ address, design }: CurveLaunchpad, token: string) => ({
  call: { to: address, data: DESIGNS[design].question(token) },
  stage: (answer: string | undefined) => answer && DESIGNS[design].stage(answer),
})

const ask = async (where: Where): Promise<CurveState> => {
  const { chain, token, launchpad } = where
  const { name, design, address } = launchpad
  const answer = await chain.call({ to: address, data: DESIGNS[design].question(token) })
  // No code: the launchpad was not deployed yet.
  if (answer === '0x' && (await chain.code(address)).length <= 2) return { stage: 'none' }
  const stage = answer === undefined ? DESIGNS[design].refused : DESIGNS[design].stage(answer)
  if (stage === 'none') return { stage }
  if (stage === undefined || answer === undefined)
    return { stage: undefined, missing: `the state of its curve on ${name} could not be read` }
  if (stage !== 'trading') return { stage, name }
  const market = await DESIGNS[design].market(where, answer)
  return market
    ? { stage, name, market }
    : { stage, name, missing: `the reserves of its curve on ${name} could not be read, or are not a registered asset` }
}

/** Reads the state of a token's bonding curve from the registered launchpads. */
export const readCurve = async (chain: ChainReader, registry: ContractRegistry, token: string): Promise<CurveState> => {
  const states = await Promise.all(registry.curves.map((launchpad) => ask({ chain, registry, token, launchpad })))
  const known = states.find(({ name }) => name !== undefined)
  return known ?? states.find(({ stage }) => stage === undefined) ?? { stage: 'none' }
}
