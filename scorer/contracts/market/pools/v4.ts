/**
 * Reads pools of Uniswap V4's singleton from its storage in few calls: `extsload` returns any number of slots. Layout:
 * `StateLibrary.sol` of v4-core 1.0 (pools at slot 6; liquidity, ticks, bitmap and positions at offsets 3 to 6).
 */
import { numberToHex } from 'viem/utils'
import { keccakHex } from '../../../../platform/keccak.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { amountsBetween, type TickLiquidity } from './concentrated.ts'

/** Key of a pool, from an Initialize event or guessed. */
export type V4Pool = {
  id: string
  token0: string
  token1: string
  fee: number
  tickSpacing: number
  hooks: string
  /** Transaction of the Initialize event, when there is one. */
  announced?: string
}
/** Reserves of a V4 pool within reach of the price (base units), and the price: `sqrtPrice` in Q64.96. */
export type V4State = {
  sqrtPrice: bigint
  amount0: bigint
  amount1: bigint
  /** Ticks between which the amounts were read. */
  ticks: { lower: number; upper: number }
}
/** A position's range as the pool manager identifies it; `id` is the salt. */
export type V4Range = { manager: string; id: bigint; lower: number; upper: number }

/** Slot of the pools mapping in V4's manager. */
const POOLS = 6
const [LIQUIDITY, TICKS, BITMAP, POSITIONS] = [3n, 4n, 5n, 6n]
/** `extsload(bytes32[])` */
const EXTSLOAD = '0xdbd035ff'
/** Words of the tick bitmap read on each side of the price. */
const BITMAP_WORDS = 350
const MAX_TICK = 887_272
/** Maximum number of initialised ticks read, nearest to the price first. */
const MAX_TICKS = 600
/** Enough for the cold slots of one read. */
export const GAS = '0x1c9c380'

const word = (value: bigint | number): string => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
const padded = (text: string): string => text.slice(2).padStart(64, '0')
/** Keccak of whole words without a general encoder's checks: a token has dozens of possible pools. */
const hashOf = (...words: string[]): string => keccakHex(Buffer.from(words.join(''), 'hex'))

/** V4 pool id: keccak of the pool key. */
export const v4PoolId = ({ token0, token1, fee, tickSpacing, hooks }: Omit<V4Pool, 'id'>): string =>
  hashOf(padded(token0), padded(token1), word(fee), word(tickSpacing), padded(hooks))

/** Fees of the first deployments (hundredths of a basis point) with their tick spacings. */
const USUAL = [
  [100, 1],
  [500, 10],
  [3_000, 60],
  [10_000, 200],
] as const

/** The usual pool keys without hooks. */
export const commonV4Pools = (token: string, others: readonly string[]): V4Pool[] =>
  others.flatMap((other) =>
    USUAL.map(([fee, tickSpacing]) => {
      const [token0, token1] = token < other ? ([token, other] as const) : ([other, token] as const)
      const key = { token0, token1, fee, tickSpacing, hooks: ZERO }
      return { id: v4PoolId(key), ...key }
    }),
  )

/** Slot of a pool's state. `pools` is the slot of the mapping. */
export const stateSlot = (id: string, pools = POOLS): string => hashOf(padded(id), word(pools))
/** The slot `offset` words after another: a member of a struct. */
export const after = (slot: string, offset: bigint) => numberToHex(BigInt(slot) + offset, { size: 32 })
/**
 * The slot of a number's entry in a mapping at a slot (Solidity documentation, "Layout of State Variables in Storage").
 */
export const entry = (key: number, mapping: string) => hashOf(word(key), padded(mapping))

/** Reads words of a singleton's storage. */
export const loadSlots = async (
  chain: ChainReader,
  manager: string,
  slots: string[],
): Promise<bigint[] | undefined> => {
  if (slots.length === 0) return []
  const head = [32n, BigInt(slots.length)].map((value) => value.toString(16).padStart(64, '0')).join('')
  const data = `${EXTSLOAD}${head}${slots.map((slot) => slot.slice(2)).join('')}`
  const answer = await chain.call({ to: manager, data, gas: GAS })
  if (!answer || answer.length !== 2 + 64 * (slots.length + 2)) return undefined
  return slots.map((_, i) => BigInt(`0x${answer.slice(130 + i * 64, 194 + i * 64)}`))
}

const signed = (value: bigint, bits: bigint): bigint => (value >> (bits - 1n) === 1n ? value - (1n << bits) : value)

/**
 * Initialised ticks within reach of the price, and the ends of that reach unless it contains more ticks than are read.
 */
const ticksOf = async (
  chain: ChainReader,
  manager: string,
  state: string,
  tick: number,
  spacing: number,
): Promise<TickLiquidity[] | undefined> => {
  const compressed = Math.floor(tick / spacing)
  const last = Math.floor(MAX_TICK / spacing)
  const [low, high] = [Math.floor(-last / 256), Math.floor(last / 256)]
  const here = compressed >> 8
  const words: number[] = []
  for (let word = Math.max(low, here - BITMAP_WORDS); word <= Math.min(high, here + BITMAP_WORDS); word++)
    words.push(word)
  const bitmap = await loadSlots(
    chain,
    manager,
    words.map((word) => entry(word, after(state, BITMAP))),
  )
  if (!bitmap) return undefined
  const initialised = words.flatMap((word, i) => {
    const bits = bitmap[i] ?? 0n
    if (bits === 0n) return []
    return Array.from({ length: 256 }, (_, bit) => bit)
      .filter((bit) => (bits >> BigInt(bit)) & 1n)
      .map((bit) => (word * 256 + bit) * spacing)
  })
  const near = initialised.sort((a, b) => Math.abs(a - tick) - Math.abs(b - tick)).slice(0, MAX_TICKS)
  const infos = await loadSlots(
    chain,
    manager,
    near.map((at) => entry(at, after(state, TICKS))),
  )
  const clipped = (at: number) => Math.max(-MAX_TICK, Math.min(MAX_TICK, at))
  const ends = [words[0] ?? here, (words.at(-1) ?? here) + 1].map((word) => clipped(word * 256 * spacing))
  // Liquidity is known up to the ends, wherever the positions end beyond them.
  const reach = initialised.length > MAX_TICKS ? [] : ends.map((at) => ({ tick: at, net: 0n }))
  return infos && [...infos.map((info, i) => ({ tick: near[i] ?? 0, net: signed(info >> 128n, 128n) })), ...reach]
}

/**
 * The pools among the given keys that exist and hold liquidity, with their reserves within reach of the price. `slot`:
 * slot of the manager's pools mapping; the state must have V4's layout.
 */
export const readV4Pools = async (
  chain: ChainReader,
  manager: string,
  pools: readonly V4Pool[],
  slot = POOLS,
): Promise<(V4Pool & V4State)[]> => {
  const named = [...new Map(pools.toReversed().map((pool) => [pool.id, pool])).values()]
  const states = named.map((pool) => stateSlot(pool.id, slot))
  const words = await loadSlots(
    chain,
    manager,
    states.flatMap((state) => [state, after(state, LIQUIDITY)]),
  )
  if (!words) return []
  const found = named.map(async (pool, i) => {
    const [slot0, liquidity] = [words[i * 2] ?? 0n, words[i * 2 + 1] ?? 0n]
    const sqrtPrice = slot0 & ((1n << 160n) - 1n)
    if (sqrtPrice === 0n) return undefined
    const tick = Number(signed((slot0 >> 160n) & 0xffffffn, 24n))
    const ticks = await ticksOf(chain, manager, states[i] ?? '', tick, pool.tickSpacing)
    if (!ticks) return undefined
    const edges = ticks.map((item) => item.tick)
    const range = { lower: Math.min(tick, ...edges), upper: Math.max(tick, ...edges) }
    return { ...pool, sqrtPrice, ...amountsBetween(sqrtPrice, tick, liquidity, ticks), ticks: range }
  })
  return (await Promise.all(found)).filter((pool) => pool !== undefined)
}

const tickWord = (tick: number): string => BigInt.asUintN(24, BigInt(tick)).toString(16).padStart(6, '0')
/**
 * Slot of the pools mapping, and the preimage of a position's key: `Position` of v4-core, `CLPosition` of
 * infinity-core.
 */
const LAYOUTS = {
  v4: { slot: POOLS, key: (owner: string, ticks: string, salt: string) => `${owner}${ticks}${salt}` },
  'infinity-cl': { slot: 4, key: (owner: string, ticks: string, salt: string) => `${ticks}${owner}${salt}` },
} as const
/** Kinds that store positions as V4 does. */
export type RangeKind = keyof typeof LAYOUTS

/** Current liquidity of each range; 0 when there is none or it could not be read. */
export const readV4Ranges = async (
  chain: ChainReader,
  kind: RangeKind,
  manager: string,
  pool: string,
  ranges: readonly V4Range[],
): Promise<bigint[]> => {
  const { slot, key } = LAYOUTS[kind]
  const mapping = after(stateSlot(pool, slot), POSITIONS)
  const slots = ranges.map(({ manager: owner, lower, upper, id }) => {
    const position = hashOf(key(owner.slice(2), `${tickWord(lower)}${tickWord(upper)}`, word(id)))
    return hashOf(padded(position), padded(mapping))
  })
  const words = await loadSlots(chain, manager, slots)
  return ranges.map((_, i) => BigInt.asUintN(128, words?.[i] ?? 0n))
}
