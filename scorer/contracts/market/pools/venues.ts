/**
 * Pools of exchanges without pair look-ups: Curve, Balancer and PancakeSwap Infinity. The tables name the pools; their
 * reserves are read here. Sources: Curve's stable-swap and twocrypto pools, Balancer's V2 and V3 vaults, and
 * infinity-core, whose managers keep pools at slots 4 (ranges) and 5 (bins).
 */
import { decodeFunctionResult, parseAbi } from 'viem/utils'
import { poolOfPair } from '../../../../schema/pairs.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { type VenueKind, ZERO } from '../../chain/simulator/script.ts'
import type { BaseAsset } from '../../subject/registry.ts'
import type { Market } from '../market.ts'
import { wordAt } from '../return-data.ts'
import { priceOfRoot } from './concentrated.ts'
import { after, entry, loadSlots, readV4Pools, stateSlot } from './v4.ts'

/**
 * A pool from events of its exchange, except V4: two tokens, or two of a pool of more. `announced`: the creating
 * transaction, when known.
 */
export type AnnouncedPool = {
  pool: string
  factory: string
  /** Empty for the native coin. */
  token0: string
  token1: string
  fee: number
  hooks?: string
  announced?: string
}

type Where = { chain: ChainReader; token: string; base: BaseAsset; pool: AnnouncedPool }
type Read = (where: Where) => Promise<Market | undefined>

const pad = (text: string) => text.replace(/^0x/, '').padStart(64, '0')
const uint = (value: number) => value.toString(16).padStart(64, '0')
const hex = (text: string) => text as `0x${string}`
const addressIn = (answer: string | undefined, index = 0) => {
  const word = wordAt(answer, index)
  return word === undefined ? undefined : `0x${word.toString(16).padStart(40, '0')}`
}

const factsOf = (kind: VenueKind, { base, pool }: Where) => ({
  kind,
  id: pool.pool,
  base,
  fee: Number(pool.fee),
  router: ZERO,
  hooks: pool.hooks || ZERO,
  ...(pool.announced === undefined ? {} : { announced: pool.announced }),
})
const tokenFirst = ({ token, pool }: Where) => pool.token0 === token

/** The pool's creator decides what it pays, so the price is only known after a simulated purchase. */
const UNPRICED = { price: 0, customRules: true } as const

/** Coins are identified by index: first the base asset's, then the token's. */
const curve: Read = async (where) => {
  const { chain } = where
  const { pool, numbers = [0, 1] } = poolOfPair(where.pool.pool)
  const [i, j] = tokenFirst(where) ? [numbers[1], numbers[0]] : numbers
  const ask = (data: string) => ({ to: pool, data })
  // `balances(uint256)`, and `gamma()`, which only pools with unsigned coin indexes have.
  const [baseReserve, tokenReserve, gamma] = await chain.words([
    ask(`0x4903b0d1${uint(i)}`),
    ask(`0x4903b0d1${uint(j)}`),
    ask('0xb1373929'),
  ])
  if (baseReserve === undefined || tokenReserve === undefined) return undefined
  const terms = BigInt(i + (j << 8) + (gamma === undefined ? 0 : 1 << 16))
  const facts = { ...factsOf('curve', where), ...UNPRICED, pool, shares: pool }
  return { ...facts, terms, baseReserve, tokenReserve, tokenFirst: tokenFirst(where) }
}

/** `getPoolTokenInfo(bytes32,address)`: cash first. Balances held by asset managers are ignored. */
const balancer2: Read = async (where) => {
  const { chain, token, base } = where
  const { factory } = where.pool
  const { pool } = poolOfPair(where.pool.pool)
  const cash = (asset: string) => ({ to: factory, data: `0xb05f8e48${pad(pool)}${pad(asset)}` })
  const [baseReserve, tokenReserve] = await chain.words([cash(base.address), cash(token)])
  if (baseReserve === undefined || tokenReserve === undefined) return undefined
  const facts = { ...factsOf('balancer-v2', where), ...UNPRICED, pool: factory, shares: pool.slice(0, 42) }
  return { ...facts, terms: BigInt(pool), baseReserve, tokenReserve }
}

const vault3 = parseAbi([
  'struct Info { uint8 kind; address rates; bool fees; }',
  'function getPoolTokenInfo(address) view returns (address[] tokens, Info[] info, uint256[] raw, uint256[] live)',
])

const balancer3: Read = async (where) => {
  const { chain, token, base } = where
  const { factory } = where.pool
  const { pool } = poolOfPair(where.pool.pool)
  const answer = await chain.call({ to: factory, data: `0x67e0e076${pad(pool)}` })
  if (!answer) return undefined
  let held: Map<string, bigint>
  try {
    const [tokens, , raw] = decodeFunctionResult({ abi: vault3, functionName: 'getPoolTokenInfo', data: hex(answer) })
    held = new Map(tokens.map((asset, i) => [asset.toLowerCase(), raw[i] ?? 0n]))
  } catch {
    return undefined
  }
  const [baseReserve, tokenReserve] = [held.get(base.address), held.get(token)]
  if (baseReserve === undefined || tokenReserve === undefined) return undefined
  const facts = { ...factsOf('balancer-v3', where), ...UNPRICED, pool: factory, shares: pool }
  return { ...facts, terms: BigInt(pool), baseReserve, tokenReserve }
}

/** Both managers of Infinity: `poolIdToPoolKey(bytes32)` and `vault()`. A pool without hooks has no custom rules. */
const infinityOf = async (kind: 'infinity-cl' | 'infinity-bin', where: Where) => {
  const { chain, pool } = where
  const [key, vault] = await Promise.all([
    chain.call({ to: pool.factory, data: `0x0e2d484a${pad(pool.pool)}` }),
    chain.call({ to: pool.factory, data: '0xfbfa77cf' }),
  ])
  const [hooks, keeper] = [addressIn(key, 2), addressIn(vault)]
  const [fee, parameters] = [wordAt(key, 4), wordAt(key, 5)]
  if (hooks === undefined || keeper === undefined || fee === undefined || parameters === undefined) return undefined
  const terms = fee | (parameters << 24n) | (BigInt(pool.factory) << 96n)
  const rule = hooks === ZERO ? {} : { customRules: true as const }
  return { facts: { ...factsOf(kind, where), ...rule, hooks, pool: keeper, terms }, fee, parameters }
}

/** The tick spacing or bin step follows 16 bits of hook flags in the parameters. */
const OPTIONS = 16n

const infinityRanges: Read = async (where) => {
  const found = await infinityOf('infinity-cl', where)
  if (!found) return undefined
  const { chain, pool } = where
  const tickSpacing = Number(BigInt.asIntN(24, found.parameters >> OPTIONS))
  const named = { id: pool.pool, token0: pool.token0, token1: pool.token1, fee: Number(found.fee), tickSpacing }
  const [state] = await readV4Pools(chain, pool.factory, [{ ...named, hooks: found.facts.hooks }], 4)
  if (!state) return undefined
  const { amount0, amount1, sqrtPrice, ticks } = state
  const [first, root] = [tokenFirst(where), priceOfRoot(sqrtPrice)]
  const [tokenReserve, baseReserve] = first ? [amount0, amount1] : [amount1, amount0]
  return { ...found.facts, tokenReserve, baseReserve, price: first ? root : 1 / root, ticks }
}

/** Slot of the pools mapping in the bin manager. */
export const BIN_POOLS = 5
/** Bins read on each side of the price. */
const BINS = 300
/** Ids of the bins around the active one. */
const binsAround = (active: number): number[] =>
  Array.from({ length: 2 * BINS + 1 }, (_, i) => active - BINS + i).filter((bin) => bin >= 0)
/** Offset of the reserves mapping in the state of a bin pool. */
const RESERVES = 1n
/** Id of the bin with price 1. */
const EVEN = 2 ** 23
const HALF = (1n << 128n) - 1n

const infinityBins: Read = async (where) => {
  const found = await infinityOf('infinity-bin', where)
  if (!found) return undefined
  const { chain, pool } = where
  const state = stateSlot(pool.pool, BIN_POOLS)
  const [slot0] = (await loadSlots(chain, pool.factory, [state])) ?? []
  if (slot0 === undefined || slot0 === 0n) return undefined
  const active = Number(slot0 & 0xffffffn)
  const bins = binsAround(active)
  // A bin's reserves are the two halves of one word.
  const words = await loadSlots(
    chain,
    pool.factory,
    bins.map((bin) => entry(bin, after(state, RESERVES))),
  )
  if (!words) return undefined
  const halves = words.map((word) => [word & HALF, word >> 128n] as const)
  const amount0 = halves.reduce((sum, [low]) => sum + low, 0n)
  const amount1 = halves.reduce((sum, [, high]) => sum + high, 0n)
  const step = Number((found.parameters >> OPTIONS) & 0xffffn)
  const price = (1 + step / 10_000) ** (active - EVEN)
  const first = tokenFirst(where)
  const [tokenReserve, baseReserve] = first ? [amount0, amount1] : [amount1, amount0]
  const held = bins.map((id, i) => ({ id, base: halves[i]?.[first ? 1 : 0] ?? 0n }))
  return { ...found.facts, tokenReserve, baseReserve, price: first ? price : 1 / price, bins: held }
}

const READERS: Record<VenueKind, Read> = {
  curve,
  'balancer-v2': balancer2,
  'balancer-v3': balancer3,
  'infinity-cl': infinityRanges,
  'infinity-bin': infinityBins,
}

/** Reads the market of a pool; `undefined` when it cannot be read. */
export const readVenue = (kind: VenueKind, where: Where): Promise<Market | undefined> => READERS[kind](where)
