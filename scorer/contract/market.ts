/** Finds where a token trades: asks factories for pools against base assets and takes the deepest. */
import { encodeAbiParameters, keccak256 } from 'viem'
import type { ChainReader } from './chain.ts'
import { addressOf } from './code/interpret.ts'
import type { BaseAsset, ContractRegistry } from './registry.ts'
import { type MarketKind, ZERO } from './simulator/script.ts'

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
  /** In the pool now. */
  baseReserve: bigint
  tokenReserve: bigint
}

/** A V4 pool as an Initialize event names it. */
export type V4Pool = { id: string; token0: string; token1: string; fee: number; tickSpacing: number; hooks: string }

const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
const uint = (value: number) => value.toString(16).padStart(64, '0')
export const wordAt = (data: string | undefined, index: number): bigint | undefined => {
  const text = data?.slice(2 + index * 64, 66 + index * 64)
  return text && text.length === 64 ? BigInt(`0x${text}`) : undefined
}

const readUint = async (chain: ChainReader, to: string, data: string) => wordAt(await chain.call({ to, data }), 0)
const readAddress = async (chain: ChainReader, to: string, data: string) => {
  const word = await readUint(chain, to, data)
  return word ? addressOf(word) : undefined
}
export const balanceOf = async (chain: ChainReader, token: string, who: string): Promise<bigint> =>
  (await readUint(chain, token, `0x70a08231${pad(who)}`)) ?? 0n

const reservesOf = async (chain: ChainReader, pool: string, token: string, base: string) => {
  const answer = await chain.call({ to: pool, data: '0x0902f1ac' })
  const [r0, r1] = [wordAt(answer, 0) ?? 0n, wordAt(answer, 1) ?? 0n]
  return token < base ? { tokenReserve: r0, baseReserve: r1 } : { tokenReserve: r1, baseReserve: r0 }
}

const balancesOf = async (chain: ChainReader, pool: string, token: string, base: string) => {
  const [tokenReserve, baseReserve] = await Promise.all([balanceOf(chain, token, pool), balanceOf(chain, base, pool)])
  return { tokenReserve, baseReserve }
}

const v4Reserves = async (chain: ChainReader, stateView: string, pool: V4Pool, token: string) => {
  const [slot0, liquidity] = await Promise.all([
    chain.call({ to: stateView, data: `0xc815641c${pool.id.slice(2)}` }),
    readUint(chain, stateView, `0xfa6793d5${pool.id.slice(2)}`),
  ])
  const price = wordAt(slot0, 0) ?? 0n
  if (price === 0n || !liquidity) return { tokenReserve: 0n, baseReserve: 0n }
  // Virtual reserves at the current price: L / sqrtP and L * sqrtP, sqrtP in Q64.96.
  const r0 = (liquidity << 96n) / price
  const r1 = (liquidity * price) >> 96n
  return token === pool.token0 ? { tokenReserve: r0, baseReserve: r1 } : { tokenReserve: r1, baseReserve: r0 }
}

/** Every pool of the token the registry's exchanges know, deepest last not promised. */
export const findMarkets = async (
  chain: ChainReader,
  registry: ContractRegistry,
  token: string,
  v4Pools: V4Pool[] = [],
): Promise<Market[]> => {
  const none = { router: ZERO, hooks: ZERO }
  const found: Promise<Market | undefined>[] = []
  const add = (
    pool: Promise<string | undefined>,
    build: (pool: string) => Omit<Market, 'baseReserve' | 'tokenReserve'>,
    reserves: typeof reservesOf,
  ) =>
    found.push(
      pool.then(async (address) => {
        if (!address || address === ZERO) return undefined
        const market = build(address)
        return { ...market, ...(await reserves(chain, address, token, market.base.address)) }
      }),
    )
  for (const base of registry.bases) {
    if (base.address === token) continue
    for (const exchange of registry.exchanges) {
      if (exchange.kind === 'v2') {
        const pool = readAddress(chain, exchange.factory, `0xe6a43905${pad(token)}${pad(base.address)}`)
        add(
          pool,
          (id) => ({ kind: 'v2', pool: id, id, base, fee: exchange.fee, router: exchange.router, hooks: ZERO }),
          reservesOf,
        )
      } else if (exchange.kind === 'v3') {
        for (const fee of exchange.fees) {
          const pool = readAddress(chain, exchange.factory, `0x1698ee82${pad(token)}${pad(base.address)}${uint(fee)}`)
          add(pool, (id) => ({ kind: 'v3', pool: id, id, base, fee, ...none }), balancesOf)
        }
      } else if (exchange.kind === 'solidly') {
        for (const stable of [0, 1]) {
          const pool = readAddress(
            chain,
            exchange.factory,
            `0x79bc57d5${pad(token)}${pad(base.address)}${uint(stable)}`,
          )
          add(pool, (id) => ({ kind: 'solidly', pool: id, id, base, fee: 0, ...none }), reservesOf)
        }
      }
    }
  }
  const v4 = registry.exchanges.find((exchange) => exchange.kind === 'v4')
  if (v4?.kind === 'v4') {
    for (const pool of v4Pools) {
      const other = pool.token0 === token ? pool.token1 : pool.token0
      const wrapped = registry.bases[0]
      const base =
        other === ZERO && wrapped
          ? { ...wrapped, address: ZERO }
          : registry.bases.find((asset) => asset.address === other)
      if (!base) continue
      found.push(
        v4Reserves(chain, v4.stateView, pool, token).then((reserves) => ({
          kind: 'v4',
          pool: v4.manager,
          id: pool.id,
          base,
          fee: pool.fee | (pool.tickSpacing << 24),
          router: ZERO,
          hooks: pool.hooks,
          ...reserves,
        })),
      )
    }
  }
  return (await Promise.all(found)).filter((market) => market !== undefined)
}

/** Base units as a number of whole coins. */
export const coins = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals

/**
 * US dollars for one whole coin of the base asset: 1 for stables, the deepest wrapped/stable pool for the native coin;
 * `undefined` when no such pool answers.
 */
export const baseUsd = async (
  chain: ChainReader,
  registry: ContractRegistry,
  base: BaseAsset,
): Promise<number | undefined> => {
  if (base.stable) return 1
  const wrapped = registry.wrappedNative
  const stables = registry.bases.filter((asset) => asset.stable)
  const markets = await findMarkets(chain, { ...registry, bases: stables }, wrapped)
  const usable = markets.filter(
    (market) => market.kind === 'v2' && coins(market.baseReserve, market.base.decimals) > 10_000,
  )
  usable.sort((a, b) => coins(b.baseReserve, b.base.decimals) - coins(a.baseReserve, a.base.decimals))
  const best = usable[0]
  if (!best) return undefined
  return coins(best.baseReserve, best.base.decimals) / coins(best.tokenReserve, 18)
}

/** The deepest pool, dollars compared where known; a native coin of unknown price counts as 1,000 dollars for the comparison only. */
export const deepest = (markets: Market[], usd: number | undefined): Market | undefined => {
  const depth = (market: Market) =>
    coins(market.baseReserve, market.base.decimals) * (market.base.stable ? 1 : (usd ?? 1_000))
  return markets.filter((market) => market.baseReserve > 0n).sort((a, b) => depth(b) - depth(a))[0]
}

/** V4 pool id: keccak of the pool key. */
export const v4PoolId = (pool: Omit<V4Pool, 'id'>): string =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [
        pool.token0 as `0x${string}`,
        pool.token1 as `0x${string}`,
        pool.fee,
        pool.tickSpacing,
        pool.hooks as `0x${string}`,
      ],
    ),
  )
