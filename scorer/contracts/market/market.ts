/** Finds the markets of a token by asking factories for pools against base assets. */
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
import { commonV4Pools, readV4Pools, type V4Pool } from './pools/v4.ts'

export { balanceCall, balanceOf, balancesOf } from './pools/reserves.ts'
export type { V4Pool } from './pools/v4.ts'
export { wordAt } from './return-data.ts'

/** A bin of a pool, and the base asset in it (base units). */
export type Bin = { id: number; base: bigint }

/**
 * A pool or bonding curve of the token at the pinned block. Reserves are base units; the unit of `fee` depends on
 * `kind`.
 */
export type Market = {
  /** `none` for a bonding curve: accounts without code trade there, not the simulator's contracts. */
  kind: MarketKind
  /** Pool contract; V4: the PoolManager. */
  pool: string
  /** Id in the tables: the pool contract or V4's pool id; for a pool of more than two tokens, the id of the pair. */
  id: string
  base: BaseAsset
  fee: number
  router: string
  hooks: string
  /** Reserve in the pool now. V4: the amount that could be taken out within reach of the price. */
  baseReserve: bigint
  tokenReserve: bigint
  /** Marginal price: base units of the base asset per base unit of the token; 0 when unknown. */
  price: number
  /** V4 and PancakeSwap Infinity: ticks between which the reserves were read. */
  ticks?: { lower: number; upper: number }
  /** PancakeSwap Infinity: the bins that were read, empty ones included. */
  bins?: readonly Bin[]
  /** Pool parameters for `Venues.sol`. */
  terms?: bigint
  /**
   * The pool's creator decides what trades pay and whether they are accepted: by a hook, by its own contract, or by the
   * oracle it chose.
   */
  customRules?: true
  /** Transaction that created the pool, when known. */
  announced?: string
  /** Token whose holders own the liquidity, when it is not the pool itself. */
  shares?: string
  /**
   * The bonding curve, for a market that is one. `spender`: the contract that takes sold tokens, and base assets other
   * than the native coin. `taxes`: percent of the payment that the launchpad keeps for the token, beside its own fee.
   */
  curve?: CurveLaunchpad & { spender: string; taxes?: { buy: number; sell: number } }
  /** Whether the token is the pool's first, when the addresses do not decide that. */
  tokenFirst?: boolean
}

/** Pool address that a record shows. */
export const poolAddressOf = (market: Pick<Market, 'id'> | undefined): string =>
  market ? poolOfPair(market.id).pool : ''

/**
 * The singleton contract that emits the pool's events and holds its positions. (Infinity keeps balances in a vault.)
 */
export const managerOf = ({ kind, pool, terms = 0n }: Pick<Market, 'kind' | 'pool' | 'terms'>): string =>
  kind === 'v4' ? pool : addressOf(terms >> 96n)

/** Whether the tables have liquidity events of the pool without amounts. */
export const isStoredWithoutAmounts = (market: Pick<Market, 'kind'> | undefined): boolean =>
  market?.kind === 'v4' || market?.kind === 'infinity-cl'

/** Token whose holders own the liquidity; `undefined` when the liquidity is in positions. */
export const sharesOf = ({ kind, pool, shares }: Market): string | undefined =>
  shares ?? (kind === 'v2' || kind === 'solidly' ? pool : undefined)

/** Of a row's two amounts, that of the base asset. */
export const baseAmountOf = <T>(
  token: string,
  { base, tokenFirst = token < base.address }: Pick<Market, 'base' | 'tokenFirst'>,
  row: { amount0: T; amount1: T },
): T => (tokenFirst ? row.amount1 : row.amount0)

/** Of a row's two amounts, that of the token. */
export const tokenAmountOf = <T>(
  token: string,
  { base, tokenFirst = token < base.address }: Pick<Market, 'base' | 'tokenFirst'>,
  row: { amount0: T; amount1: T },
): T => (tokenFirst ? row.amount0 : row.amount1)

/** The market's pair in the order of the tables. */
export const pairOf = (token: string, { id, base, tokenFirst = token < base.address }: Market): PoolOfTwo =>
  tokenFirst ? { id, token0: token, token1: base.address } : { id, token0: base.address, token1: token }

const uint = (value: number) => value.toString(16).padStart(64, '0')

type Candidate = { exchange: Exchange; factory: string; data: string; key: number; reserves: Reserves }

/** Questions to the factories about one pair. */
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
  // Pool keys are guessed for base assets only; pools from events may be against any registered asset.
  for (const [address, asset] of registry.assets) if (!bases.has(address)) bases.set(address, asset)
  const pools = await readV4Pools(chain, manager, [...known, ...commonV4Pools(token, others)])
  return pools.flatMap((pool): Market[] => {
    const first = token === pool.token0
    const base = bases.get(first ? pool.token1 : pool.token0)
    if (!base) return []
    const { amount0, amount1, hooks, ticks } = pool
    const [tokenReserve, baseReserve] = first ? [amount0, amount1] : [amount1, amount0]
    const root = priceOfRoot(pool.sqrtPrice)
    const fee = pool.fee | (pool.tickSpacing << 24)
    const facts = { kind: 'v4', pool: manager, id: pool.id, base, fee, router: ZERO, hooks } as const
    const rule = hooks === ZERO ? {} : { customRules: true as const }
    const made = pool.announced === undefined ? {} : { announced: pool.announced }
    return [{ ...facts, ...rule, ...made, tokenReserve, baseReserve, price: first ? root : 1 / root, ticks }]
  })
}

/** All pools of the token on the registry's exchanges, in no order. `v4Pools`: those known from events. */
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
  const [v4, answers] = await Promise.all([v4Markets(chain, registry, token, v4Pools), chain.words(asked)])
  const found = asked.map(({ base, candidate }, i) =>
    readMarket(chain, token, base, candidate, addressOf(answers[i] ?? 0n)),
  )
  return [...(await Promise.all(found)).filter((market) => market !== undefined), ...v4]
}

/** Base units as whole coins. */
export const coins = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals

/** Minimum USD value of a pool's base asset: anyone can put in less. */
const DUST_USD = 100

/**
 * USD value of an amount of the base asset, at the asset's low fixed price when no pool prices it. `usd`: price of one
 * coin.
 */
const dollarsOf = (amount: bigint, base: BaseAsset, usd: number | undefined): number =>
  coins(amount, base.decimals) * (usd ?? base.lowUsd ?? 0)

/**
 * Whether an amount of the base asset is worth at least $100, more than anyone would spend to fake a market. `usd`:
 * price of one coin.
 */
export const isAboveDust = (amount: bigint, base: BaseAsset, usd: number | undefined): boolean =>
  dollarsOf(amount, base, usd) >= DUST_USD

/** Price of one whole token in whole coins of the base asset; `decimals` are the token's. */
export const priceOf = (market: Market, decimals: number): number =>
  market.price * 10 ** (decimals - market.base.decimals)

/** The pool whose base asset reserve has the highest USD value. */
export const deepest = (markets: Market[], usdOf: (market: Market) => number | undefined): Market | undefined => {
  const depth = (market: Market) => dollarsOf(market.baseReserve, market.base, usdOf(market))
  return markets.filter((market) => market.baseReserve > 0n).sort((a, b) => depth(b) - depth(a))[0]
}
