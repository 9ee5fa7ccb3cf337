/** Finds where a token trades: asks factories for pools against base assets and takes the deepest. */
import type { ChainReader } from '../chain/chain.ts'
import { type MarketKind, ZERO } from '../chain/simulator/script.ts'
import { addressOf } from '../code/abstract/facts.ts'
import type { BaseAsset, ContractRegistry, Exchange } from '../subject/registry.ts'
import { priceOfRoot } from './pools/concentrated.ts'
import { readV4Pools, usualV4Pools, type V4Pool } from './pools/v4.ts'

export type { V4Pool } from './pools/v4.ts'

export type Market = {
  kind: MarketKind
  /** Pool contract; V4: the PoolManager. */
  pool: string
  /** What the record names: the pool contract, or V4's pool id. */
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
  /** V4: ticks between which the reserves were read. */
  ticks?: { lower: number; upper: number }
}

const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
const uint = (value: number) => value.toString(16).padStart(64, '0')
export const wordAt = (data: string | undefined, index: number): bigint | undefined => {
  const text = data?.slice(2 + index * 64, 66 + index * 64)
  return text && text.length === 64 ? BigInt(`0x${text}`) : undefined
}

const readUint = async (chain: ChainReader, to: string, data: string) => wordAt(await chain.call({ to, data }), 0)
/** `balanceOf` of a token. */
export const balanceCall = (token: string, who: string) => ({ to: token, data: `0x70a08231${pad(who)}` })
export const balanceOf = async (chain: ChainReader, token: string, who: string): Promise<bigint> =>
  wordAt(await chain.call(balanceCall(token, who)), 0) ?? 0n
/** Balances of some accounts, 0 where none could be read; few requests however many. */
export const balancesOf = async (chain: ChainReader, token: string, people: readonly string[]): Promise<bigint[]> => {
  const answers = await chain.words(people.map((who) => balanceCall(token, who)))
  return answers.map((answer) => answer ?? 0n)
}

type Reserves = Pick<Market, 'tokenReserve' | 'baseReserve' | 'price'>
type ReadReserves = (chain: ChainReader, pool: string, token: string, base: string) => Promise<Reserves>

const ratio = (baseReserve: bigint, tokenReserve: bigint) =>
  tokenReserve === 0n ? 0 : Number(baseReserve) / Number(tokenReserve)

const reservesOf: ReadReserves = async (chain, pool, token, base) => {
  const answer = await chain.call({ to: pool, data: '0x0902f1ac' })
  const [r0, r1] = [wordAt(answer, 0) ?? 0n, wordAt(answer, 1) ?? 0n]
  const [tokenReserve, baseReserve] = token < base ? [r0, r1] : [r1, r0]
  return { tokenReserve, baseReserve, price: ratio(baseReserve, tokenReserve) }
}

/** The curve of a stable pair is not the ratio of its reserves: the pool says what a thousandth of them sells for. */
const stableReservesOf: ReadReserves = async (chain, pool, token, base) => {
  const reserves = await reservesOf(chain, pool, token, base)
  const part = reserves.tokenReserve / 1_000n
  const word = part.toString(16).padStart(64, '0')
  const paid = part === 0n ? 0n : await readUint(chain, pool, `0xf140a35a${word}${pad(token)}`)
  return { ...reserves, price: ratio(paid ?? 0n, part) }
}

/** `question`: what is answered with the root of the price first. */
const concentrated =
  (question: string): ReadReserves =>
  async (chain, pool, token, base) => {
    const [tokenReserve, baseReserve, root] = await Promise.all([
      balanceOf(chain, token, pool),
      balanceOf(chain, base, pool),
      readUint(chain, pool, question),
    ])
    const price = priceOfRoot(root ?? 0n)
    return { tokenReserve, baseReserve, price: token < base || price === 0 ? price : 1 / price }
  }
/** `slot0()` */
const concentratedReservesOf = concentrated('0x3850c7bd')
/** `globalState()` */
const algebraReservesOf = concentrated('0xe76c01e4')

type Candidate = { exchange: Exchange; factory: string; data: string; key: number; reserves: ReadReserves }

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
  if (pool === ZERO || exchange.kind === 'v4') return undefined
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
    return [{ ...facts, tokenReserve, baseReserve, price: first ? root : 1 / root, ticks }]
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

/** Dollars (or base coins where no price is known) below which nothing is concluded from a pool: anybody can put that much in. */
const DUST_USD = 100
const DUST_COINS = 0.03

/** Whether an amount of the base asset is more than a stranger would spend on appearances. `usd`: dollars for one coin. */
export const isWorth = (amount: bigint, base: BaseAsset, usd: number | undefined): boolean => {
  const whole = coins(amount, base.decimals)
  return usd === undefined ? whole >= DUST_COINS : whole * usd >= DUST_USD
}

/** Whole coins of the base asset for one whole token of that many decimals. */
export const priceOf = (market: Market, decimals: number): number =>
  market.price * 10 ** (decimals - market.base.decimals)

/** The deepest pool, dollars compared where known; a native coin of unknown price counts as 1,000 dollars for the comparison only. */
export const deepest = (markets: Market[], usdOf: (market: Market) => number | undefined): Market | undefined => {
  const depth = (market: Market) => coins(market.baseReserve, market.base.decimals) * (usdOf(market) ?? 1_000)
  return markets.filter((market) => market.baseReserve > 0n).sort((a, b) => depth(b) - depth(a))[0]
}
