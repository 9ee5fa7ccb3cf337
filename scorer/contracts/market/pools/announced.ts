/**
 * Reads pools from events of known exchanges, against any asset and not only those that factories are asked about. The
 * other asset may be anything, so its value must be read from its own pools.
 */
import type { ChainReader } from '../../chain/chain.ts'
import { isVenue, ZERO } from '../../chain/simulator/script.ts'
import { announcerOf, type BaseAsset, type ContractRegistry } from '../../subject/registry.ts'
import type { Market } from '../market.ts'
import { textOf, wordAt } from '../return-data.ts'
import { algebraReservesOf, concentratedReservesOf, type Reserves, reservesOf, stableReservesOf } from './reserves.ts'
import { type AnnouncedPool, readVenue } from './venues.ts'

/** Maximum number of unregistered assets that are looked at. */
const MAX_UNREGISTERED = 4
/** Maximum number of pools read per token. */
const MAX_POOLS = 20
const MAX_SYMBOL = 20

/** Describes an unregistered asset by its own symbol and decimals; `undefined` when it states no decimals. */
const describe = async (chain: ChainReader, address: string): Promise<BaseAsset | undefined> => {
  const [symbol, decimals] = await Promise.all([
    chain.call({ to: address, data: '0x95d89b41' }).then(textOf),
    chain.call({ to: address, data: '0x313ce567' }).then((answer) => wordAt(answer, 0)),
  ])
  if (decimals === undefined || decimals > 77n) return undefined
  const shown = symbol.toLowerCase().slice(0, MAX_SYMBOL) || address
  return { address, symbol: shown, decimals: Number(decimals), stable: false, unregistered: true }
}

const read = async (
  chain: ChainReader,
  registry: ContractRegistry,
  token: string,
  base: BaseAsset,
  announced: AnnouncedPool,
): Promise<Market | undefined> => {
  const { pool, factory, fee } = announced
  const exchange = registry.exchanges.find((item) => announcerOf(item) === factory)
  if (exchange && isVenue(exchange.kind)) return readVenue(exchange.kind, { chain, token, base, pool: announced })
  const word = async (data: string) => wordAt(await chain.call({ to: pool, data }), 0) ?? 0n
  const market = async (known: { key: number; router?: string; reserves: Reserves }): Promise<Market | undefined> => {
    if (!exchange || exchange.kind === 'v4') return undefined
    const { key, router = ZERO, reserves } = known
    const facts = { kind: exchange.kind, pool, id: pool, base, fee: key, router, hooks: ZERO }
    return { ...facts, ...(await reserves(chain, pool, token, base.address)) }
  }
  if (exchange?.kind === 'v2') return market({ key: exchange.fee, router: exchange.router, reserves: reservesOf })
  if (exchange?.kind === 'solidly') {
    // `stable()`
    return market({ key: 0, reserves: (await word('0x22be3de1')) === 1n ? stableReservesOf : reservesOf })
  }
  if (exchange?.kind !== 'v3') return undefined
  if (exchange.by === 'pair') return market({ key: 0, reserves: algebraReservesOf })
  // `tickSpacing()`
  const key = exchange.by === 'fee' ? fee : Number(BigInt.asIntN(24, await word('0xd0c93a7c')))
  return market({ key, reserves: concentratedReservesOf })
}

/** Pools of one token from events; at most twenty are read. */
export type AnnouncedInput = {
  chain: ChainReader
  registry: ContractRegistry
  token: string
  pools: readonly AnnouncedPool[]
  /** Reads pools against unregistered assets instead of registered ones. */
  unregistered: boolean
}

/**
 * Markets of a token that factories are not asked about: pools of exchanges without pair look-ups, and pools of the
 * others against assets that are not base assets.
 */
export const announcedMarkets = async (input: AnnouncedInput): Promise<Market[]> => {
  const { chain, registry, token, unregistered } = input
  const asked = new Set(registry.bases.map(({ address }) => address))
  const [wrapped] = registry.bases
  const assets = new Map([...registry.assets, ...registry.bases.map((base) => [base.address, base] as const)])
  if (wrapped) assets.set(ZERO, { ...wrapped, address: ZERO })
  const venues = new Set(registry.exchanges.filter(({ kind }) => isVenue(kind)).map(announcerOf))
  const otherOf = ({ token0, token1 }: AnnouncedPool) => (token0 === token ? token1 : token0) || ZERO
  const wanted = input.pools.filter((pool) => {
    const other = otherOf(pool)
    if (other === token || assets.has(other) === unregistered) return false
    return venues.has(pool.factory) || (other !== ZERO && !asked.has(other))
  })
  const others = [...new Set(wanted.map(otherOf))].slice(0, unregistered ? MAX_UNREGISTERED : MAX_POOLS)
  const described = await Promise.all(
    others.map(async (other) => [other, assets.get(other) ?? (await describe(chain, other))] as const),
  )
  const known = new Map(described)
  const markets = await Promise.all(
    wanted.slice(0, MAX_POOLS).map((pool) => {
      const base = known.get(otherOf(pool))
      return base && read(chain, registry, token, base, pool)
    }),
  )
  return markets.filter((market) => market !== undefined)
}
