/** Finds where a token trades: asks factories for pools against base assets and takes the deepest. */
import { type PoolOfTwo, poolOfPair } from '../../../schema/pairs.ts'
import type { ChainReader } from '../chain/chain.ts'
import { type MarketKind, ZERO } from '../chain/simulator/script.ts'
import { addressOf } from '../code/abstract/facts.ts'
import type { BaseAsset, ContractRegistry, CurveLaunchpad, Exchange } from '../subject/registry.ts'
import { priceOfRoot } from './pools/concentrated.ts'
import {
  algebraReservesOf,
  concentratedReservesOf,
  pad,
  type Reserves,
  reservesOf,
  stableReservesOf,
} from './pools/reserves.ts'
import { readV4Pools, usualV4Pools, type V4Pool } from './pools/v4.ts'

export { balanceCall, balanceOf, balancesOf } from './pools/reserves.ts'
export type { V4Pool } from './pools/v4.ts'
export { wordAt } from './words.ts'

/** A bin of a pool, and the base units of the base asset in it. */
export type Bin = { id: number; base: bigint }

/**
 * A pool or curve where the token trades, as it lay in the pinned block. Reserves are base units, `fee` as its kind has
 * it.
 */
export type Market = {
  /** `none` for a curve, on which people trade and no contract of ours. */
  kind: MarketKind
  /** Pool contract; V4: the PoolManager. */
  pool: string
  /** What the tables name it by: the pool contract or V4's pool id; of a pool of more than two tokens, the id of the pair. */
  id: string
  base: BaseAsset
  fee: number
  router: string
  hooks: string
  /** In the pool now. V4: what could be taken out within reach of the price. */
  baseReserve: bigint
  tokenReserve: bigint
  /** Base units of the base asset for one base unit of the token, at the margin; 0 when unknown. */
  price: number
  /** V4 and PancakeSwap Infinity: ticks between which the reserves were read. */
  ticks?: { lower: number; upper: number }
  /** PancakeSwap Infinity's bins that were read, with and without something in them. */
  bins?: readonly Bin[]
  /** What `Venues.sol` has to know of the pool. */
  terms?: bigint
  /**
   * Whoever made the pool decides what a trade in it pays, or whether it is accepted: by a hook, by a contract of its own,
   * or by the oracle it chose.
   */
  ruled?: true
  /** Transaction that announced the pool, where that is known. */
  announced?: string
  /** Token whose holders own the liquidity, where it is not the pool. */
  shares?: string
  /**
   * The bonding curve that this market is. `spender`: who takes the tokens that are sold, and base assets that are no coins. `taxes`: percent
   * of what is paid that the launchpad keeps for the token, beside its own fee.
   */
  curve?: CurveLaunchpad & { spender: string; taxes?: { buy: number; sell: number } }
  /** Whether the token comes first in the pool, where that does not follow from the addresses. */
  tokenFirst?: boolean
}

/** What a record names: the pool behind the id. */
export const shownPool = (market: Pick<Market, 'id'> | undefined): string => (market ? poolOfPair(market.id).pool : '')

/** The singleton that announces changes of the pool and keeps its positions. Infinity's vault holds what its managers state. */
export const managerOf = ({ kind, pool, terms = 0n }: Pick<Market, 'kind' | 'pool' | 'terms'>): string =>
  kind === 'v4' ? pool : addressOf(terms >> 96n)

/** Whether changes of liquidity in the pool are stored without amounts. */
export const isUnmeasured = (market: Pick<Market, 'kind'> | undefined): boolean =>
  market?.kind === 'v4' || market?.kind === 'infinity-cl'

/** Token whose holders own the liquidity; `undefined` where it is in positions. */
export const sharesOf = ({ kind, pool, shares }: Market): string | undefined =>
  shares ?? (kind === 'v2' || kind === 'solidly' ? pool : undefined)

/** Of two amounts as the tables have them, that of the base asset. */
export const baseAmountOf = <T>(
  token: string,
  { base, tokenFirst = token < base.address }: Pick<Market, 'base' | 'tokenFirst'>,
  row: { amount0: T; amount1: T },
): T => (tokenFirst ? row.amount1 : row.amount0)

/** The other one of the two. */
export const tokenAmountOf = <T>(
  token: string,
  { base, tokenFirst = token < base.address }: Pick<Market, 'base' | 'tokenFirst'>,
  row: { amount0: T; amount1: T },
): T => (tokenFirst ? row.amount0 : row.amount1)

/** A market as the tables have it. */
export const announcedAs = (token: string, { id, base, tokenFirst = token < base.address }: Market): PoolOfTwo =>
  tokenFirst ? { id, token0: token, token1: base.address } : { id, token0: base.address, token1: token }

const uint = (value: number) => value.toString(16).padStart(64, '0')

type Candidate = { exchange: Exchange; factory: string; data: string; key: number; reserves: Reserves }

/** What the factories are asked about one pair. */
const candidatesOf = (exchange: Exchange, token: string, base: string): Candidate[] => {
  const pair = `${pad(token)}${pad(base)}`
  if (exchange.kind === 'v2') {
    const { factory, fee: key } = exchange
    return [{ exchange, factory, data: `0xe6a43905${pair}`, key, reserves: reservesOf }]
  }
  if (exchange.kind === 'v3') {
    const { factory, by, keys } = exchange
    if (by === 'pair') return [{ exchange, factory, data: `0xd9a641e1${pair}`, key: 0, reserves: algebraReservesOf }]
    const selector = by === 'fee' ? '0x1698ee82' : '0x28af8d0b'
    const reserves = concentratedReservesOf
    return keys.map((key) => ({ exchange, factory, data: `${selector}${pair}${uint(key)}`, key, reserves }))
  }
  if (exchange.kind === 'solidly') {
    const { factory, pairs } = exchange
    return [reservesOf, stableReservesOf].map((reserves, stable) => ({
      exchange,
      factory,
      data: `${pairs ? '0x6801cc30' : '0x79bc57d5'}${pair}${uint(stable)}`,
      key: 0,
      reserves,
    }))
  }
  return []
}

const readMarket = async (
  chain: ChainReader,
  token: string,
  base: BaseAsset,
  { exchange, key, reserves }: Candidate,
  pool: string,
): Promise<Market | undefined> => {
  if (pool === ZERO) return undefined
  const router = exchange.kind === 'v2' ? exchange.router : ZERO
  const facts = { kind: exchange.kind, pool, id: pool, base, fee: key, router, hooks: ZERO }
  return { ...facts, ...(await reserves(chain, pool, token, base.address)) }
}

const v4Markets = async (
  chain: ChainReader,
  registry: ContractRegistry,
  token: string,
  known: readonly V4Pool[],
): Promise<Market[]> => {
  const manager = registry.exchanges.find((exchange) => exchange.kind === 'v4')?.manager
  if (!manager) return []
  const [wrapped] = registry.bases
  const coin = wrapped ? [{ ...wrapped, address: ZERO }] : []
  const bases = new Map([...coin, ...registry.bases].map((base) => [base.address, base]))
  const others = [...bases.keys()].filter((address) => address !== token)
  // Keys are guessed against base assets only; pools that were announced may be against any asset of the registry.
  for (const [address, asset] of registry.assets) if (!bases.has(address)) bases.set(address, asset)
  const pools = await readV4Pools(chain, manager, [...known, ...usualV4Pools(token, others)])
  return pools.flatMap((pool): Market[] => {
    const first = token === pool.token0
    const base = bases.get(first ? pool.token1 : pool.token0)
    if (!base) return []
    const { amount0, amount1, hooks, ticks } = pool
    const [tokenReserve, baseReserve] = first ? [amount0, amount1] : [amount1, amount0]
    const root = priceOfRoot(pool.sqrtPrice)
    const fee = pool.fee | (pool.tickSpacing << 24)
    const facts = { kind: 'v4', pool: manager, id: pool.id, base, fee, router: ZERO, hooks } as const
    const rule = hooks === ZERO ? {} : { ruled: true as const }
    const made = pool.announced === undefined ? {} : { announced: pool.announced }
    return [{ ...facts, ...rule, ...made, tokenReserve, baseReserve, price: first ? root : 1 / root, ticks }]
  })
}

/** Every pool of the token the registry's exchanges know, in no order. `v4Pools`: those that events named. */
export const findMarkets = async (
  chain: ChainReader,
  registry: ContractRegistry,
  token: string,
  v4Pools: readonly V4Pool[] = [],
): Promise<Market[]> => {
  const bases = registry.bases.filter((base) => base.address !== token)
  const asked = bases.flatMap((base) =>
    registry.exchanges
      .flatMap((exchange) => candidatesOf(exchange, token, base.address))
      .map((candidate) => ({ base, candidate, to: candidate.factory, data: candidate.data })),
  )
  const [singleton, answers] = await Promise.all([v4Markets(chain, registry, token, v4Pools), chain.words(asked)])
  const found = asked.map(({ base, candidate }, i) =>
    readMarket(chain, token, base, candidate, addressOf(answers[i] ?? 0n)),
  )
  return [...(await Promise.all(found)).filter((market) => market !== undefined), ...singleton]
}

/** Base units as a number of whole coins. */
export const coins = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals

/** Dollars below which nothing is concluded from a pool: anybody can put that much in. */
const DUST_USD = 100

/** Dollars that an amount of the base asset is worth; by its low price where no pool prices it. `usd`: dollars for one coin. */
const dollarsOf = (amount: bigint, base: BaseAsset, usd: number | undefined): number =>
  coins(amount, base.decimals) * (usd ?? base.lowUsd ?? 0)

/** Whether an amount of the base asset is more than a stranger would spend on appearances. `usd`: dollars for one coin. */
export const isWorth = (amount: bigint, base: BaseAsset, usd: number | undefined): boolean =>
  dollarsOf(amount, base, usd) >= DUST_USD

/** Whole coins of the base asset for one whole token of that many decimals. */
export const priceOf = (market: Market, decimals: number): number =>
  market.price * 10 ** (decimals - market.base.decimals)

/** The pool with most dollars of its base asset in it. */
export const deepest = (markets: Market[], usdOf: (market: Market) => number | undefined): Market | undefined => {
  const depth = (market: Market) => dollarsOf(market.baseReserve, market.base, usdOf(market))
  return markets.filter((market) => market.baseReserve > 0n).sort((a, b) => depth(b) - depth(a))[0]
}
