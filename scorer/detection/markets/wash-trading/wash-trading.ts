/**
 * Organised wash trading (semantics row 5; Victor and Weintraud, WWW 2021): a handful of wallets that the creator funded make most of the
 * volume of the creator's pool. Each buys and sells in circles and ends where it began.
 */
import type { Network } from '../../../../schema/networks.ts'
import type { LoadContext } from '../../context.ts'
import { fundersOf } from '../../shared/first-funders.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import type { OwnPool, PoolEvent } from '../pools/pools.ts'

/** Maximum number of wallets of a ring, and minimum share of the pool's volume (semantics row 5). */
const MAX_TRADERS = 5
const VOLUME_SHARE = 0.6
/** Minimum volume of the ring, US dollars (semantics row 5). */
const LEAST_USD = 10_000
/** Minimum purchases and sales of each trader, and maximum change of its position as a share of its volume. */
export const MIN_ROUNDS = 3
const LEFT_OVER = 0.25
/** A single wallet trades with the public, not with itself. */
const MIN_TRADERS = 2

/** A ring that makes most of the volume of a pool. */
export type Wash = {
  pool: string
  token: string
  base: string
  traders: string[]
  /** Share of the pool's volume, 0 to 1. */
  share: number
  /** Base units of the pool's other token. */
  volume: bigint
  swaps: number
  transactions: string[]
}

type Book = { buys: number; sells: number; volume: bigint; net: bigint }

const bookOf = (swaps: readonly PoolEvent[]): Map<string, Book> => {
  const book = new Map<string, Book>()
  for (const { actor, base } of swaps) {
    const entry = book.get(actor) ?? { buys: 0, sells: 0, volume: 0n, net: 0n }
    book.set(actor, {
      buys: entry.buys + (base > 0 ? 1 : 0),
      sells: entry.sells + (base < 0 ? 1 : 0),
      volume: entry.volume + (base < 0n ? -base : base),
      net: entry.net + base,
    })
  }
  return book
}

const goesRound = ({ buys, sells, volume, net }: Book): boolean =>
  buys >= MIN_ROUNDS && sells >= MIN_ROUNDS && Math.abs(Number(net)) <= LEFT_OVER * Number(volume)

/** The busiest wallets that trade in circles, if together they make most of the volume. Funding is checked later. */
const ringOf = (network: Network, pool: OwnPool, events: readonly PoolEvent[]): Wash | undefined => {
  const swaps = events.filter(({ event }) => event === 'swap')
  const book = bookOf(swaps)
  const ring = [...book]
    .filter(([, entry]) => goesRound(entry))
    .sort(([, a], [, b]) => Number(b.volume - a.volume))
    .slice(0, MAX_TRADERS)
  const volume = ring.reduce((sum, [, entry]) => sum + entry.volume, 0n)
  const all = [...book.values()].reduce((sum, entry) => sum + entry.volume, 0n)
  const least = usdThresholds(network, LEAST_USD).get(pool.base) ?? Number.POSITIVE_INFINITY
  if (ring.length < MIN_TRADERS || Number(volume) < VOLUME_SHARE * Number(all) || volume < least) return undefined
  const traders = ring.map(([actor]) => actor)
  const made = swaps.filter(({ actor }) => traders.includes(actor))
  return {
    pool: pool.pool,
    token: pool.token,
    base: pool.base,
    traders,
    share: Math.round((Number(volume) / Number(all)) * 1e4) / 1e4,
    volume,
    swaps: made.length,
    transactions: [...new Set(made.map(({ tx_hash }) => tx_hash))].slice(0, 10),
  }
}

/** Loads rings in which every member is the creator, or was first funded by the creator or another member. */
export const loadWashTrading = async (
  context: LoadContext,
  pools: ReadonlyMap<OwnPool, readonly PoolEvent[]>,
): Promise<[string, Wash][]> => {
  const rings = [...pools].flatMap(([pool, events]) => {
    const ring = ringOf(context.network, pool, events)
    return ring ? [{ creator: pool.address, ring }] : []
  })
  if (rings.length === 0) return []
  const funderOf = await fundersOf(
    context,
    rings.flatMap(({ ring }) => ring.traders),
  )
  const reaches = (creator: string, traders: readonly string[], trader: string, left = MAX_TRADERS): boolean => {
    const funder = funderOf.get(trader) ?? ''
    if (trader === creator || funder === creator) return true
    return left > 0 && traders.includes(funder) && reaches(creator, traders, funder, left - 1)
  }
  return rings
    .filter(({ creator, ring }) => ring.traders.every((trader) => reaches(creator, ring.traders, trader)))
    .map(({ creator, ring }) => [creator, ring])
}
