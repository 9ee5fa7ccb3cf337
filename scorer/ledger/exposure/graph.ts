/** The transfers around wallets from the tables. Each address is read once for all walks and both directions. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import { wrappedNative } from '../../../schema/registry/index.ts'
import { type Numbers, POPULAR_USERS, SERVICE_COUNTERPARTIES } from '../labels/guard.ts'
import type { Heights } from '../reading/settled.ts'
import { loadTiers, readByTier, type TieredStore, type Tiers } from '../reading/tiers.ts'
import { type Attribution, loadAttributions } from './attribution.ts'
import type { Graph } from './exposure.ts'
import { loadListings, loadMarkets } from './markets.ts'
import { flowsOf, type Movement } from './movements.ts'
import { UNCAPPED, type Valuation } from './valuation.ts'

const MOVEMENTS = readSql(import.meta.url, './sql/movements.sql')
const BUSY = readSql(import.meta.url, './sql/busy.sql')
const TOTALS = readSql(import.meta.url, './sql/totals.sql')
const NUMBERS = readSql(import.meta.url, './sql/numbers.sql')

/**
 * Counts below which an address cannot be a service or too large, because it has at most as many parties as movements. Half of the bounds,
 * because distinct parties are estimates. Reading their states costs ten times as much as reading counts.
 */
const BUSY_FROM = { received: POPULAR_USERS / 2, movements: SERVICE_COUNTERPARTIES / 2 }

/**
 * Addresses with more movements are not followed: reading them would take longer than a caller waits. Movements in which strangers can name
 * them count a twentieth, because they are skipped while reading.
 */
const MAX_MOVEMENTS = 50_000
const FORGEABLE = 20
/** Movements below it are dust, US dollars. */
export const DUST_USD = 1
/** Addresses per statement. */
const AT_ONCE = 500

type GraphLimits = {
  /** Maximum number of movements read per address. */
  movements: number
  /** Maximum number of parties per address and direction. Others are not followed. */
  parties: number
}

/** A graph over one state of the tables. Addresses that were not loaded or looked up have no movements and no attribution. */
export type TableGraph = Graph & {
  /** Loads the movements of addresses without their parties. */
  load: (addresses: readonly string[]) => Promise<void>
  attributions: ReadonlyMap<string, Attribution>
  movementsOf: (address: string) => readonly Movement[]
  /** Whether an address has more movements than are read. */
  isCut: (address: string) => boolean
  /** Value of the movements that were not read, US dollars, for addresses that have any. */
  unreadOf: (addresses: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Loads attributions of addresses as parties of others, for example parties on another network. */
  attribute: (addresses: readonly string[]) => Promise<void>
  /** Loads the number of partners of addresses. */
  partiesOf: (addresses: readonly string[]) => Promise<ReadonlyMap<string, Numbers>>
}

/** Attribution of an address as a party of others. */
type About = { attribution?: Attribution; tooLarge: boolean }

/** Cache for graphs over one state of the tables: hubs are on the paths of thousands of wallets. Keeps movements while there is room. */
export type GraphCache = { about: Map<string, About>; movements: Map<string, Movement[]>; room: number }

/** Creates an empty cache. @param room maximum number of cached movements */
export const createGraphCache = (room: number): GraphCache => ({ about: new Map(), movements: new Map(), room })

type Numbered = Numbers & { address: string }

type Row = Omit<Movement, 'usd' | 'own'> & { address: string; priced: 0 | 1; usd: number; own: 0 | 1 }

/** Parties of an address, largest value first, in each direction. */
const largestParties = (movements: readonly Movement[], most: number): string[] =>
  ([1, -1] as const).flatMap((toward) => {
    const sums = new Map<string, number>()
    for (const { counterparty, direction, usd } of movements) {
      if (direction === toward && usd !== null && usd >= DUST_USD)
        sums.set(counterparty, (sums.get(counterparty) ?? 0) + usd)
    }
    return [...sums]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, most)
      .map(([party]) => party)
  })

/** Creates a graph. It keeps everything it reads, so use it for one batch of wallets or one report only. */
export const createGraph = (
  store: TieredStore,
  network: Network,
  heights: Heights,
  valuation: Valuation,
  limits: GraphLimits,
  {
    follow,
    known = createGraphCache(0),
  }: {
    /** Sets `otherSide` on loaded movements that lead over bridges. */
    follow?: (loaded: ReadonlyMap<string, Movement[]>) => Promise<void>
    /** Cache shared with graphs that have the same limits and no `follow`. @default its own */
    known?: GraphCache
  } = {},
): TableGraph => {
  const { assets, units, caps } = valuation
  const wrapped = wrappedNative(network)?.address
  const coins = new Map(
    assets.flatMap((asset, place) =>
      caps[place] === UNCAPPED ? [[asset, asset === wrapped ? '' : asset] as const] : [],
    ),
  )
  const movements = new Map<string, Movement[]>()
  const cut = new Set<string>()
  const tooLarge = new Set<string>()
  const attributions = new Map<string, Attribution>()
  const looked = new Set<string>()
  const expanded = new Set<string>()

  const loadSome = async (addresses: readonly string[]) => {
    for (const address of addresses) movements.set(address, [])
    const tiers = await loadTiers(store, network, addresses, heights)
    const rows = await readByTier(store, tiers, addresses, (tiered, some) =>
      tiered.query<Row>(
        MOVEMENTS,
        { network, addresses: some, assets, units, caps, head: heights.head, rows: limits.movements },
        { route: 'exposure_movements' },
      ),
    )
    for (const { address, priced, usd, own, ...row } of rows)
      movements.get(address)?.push({ ...row, own: own === 1, usd: priced === 1 ? usd : null })
    for (const address of addresses) {
      const list = movements.get(address) ?? []
      if (list.length > known.room) continue
      known.movements.set(address, list)
      known.room -= list.length
    }
    await follow?.(new Map(addresses.map((address) => [address, movements.get(address) ?? []])))
  }

  const load = async (addresses: readonly string[]) => {
    const fresh = addresses.filter((address) => !movements.has(address))
    const unread = fresh.filter((address) => {
      const list = known.movements.get(address)
      if (list) movements.set(address, list)
      return list === undefined
    })
    for (let at = 0; at < unread.length; at += AT_ONCE) await loadSome(unread.slice(at, at + AT_ONCE))
    for (const address of fresh) {
      const priced = movements.get(address)?.filter(({ usd }) => usd !== null) ?? []
      if (priced.length >= limits.movements) cut.add(address)
    }
  }

  const unreadOf = async (asked: readonly string[]) => {
    const addresses = asked.filter((address) => cut.has(address))
    if (addresses.length === 0) return new Map<string, number>()
    const rows = await store.query<{ address: string; usd: number }>(
      TOTALS,
      { network, addresses, assets, units, caps, head: heights.head },
      { route: 'exposure_totals' },
    )
    const read = (address: string) => (movements.get(address) ?? []).reduce((sum, { usd }) => sum + (usd ?? 0), 0)
    return new Map(rows.map(({ address, usd }) => [address, Math.max(0, usd - read(address))]))
  }

  const readNumbers = async (tiers: Pick<Tiers, 'hot'>, addresses: readonly string[]) => {
    const rows = await readByTier(store, tiers, addresses, (tiered, some) =>
      tiered.query<Numbered>(NUMBERS, { network, addresses: some }, { route: 'exposure_numbers' }),
    )
    return new Map(rows.map((row) => [row.address, row]))
  }

  /** Loads attributions into the cache. */
  const readAbout = async (addresses: readonly string[]) => {
    const tiers = await loadTiers(store, network, addresses, heights)
    const busy = await readByTier(store, tiers, addresses, (tiered, some) =>
      tiered.query<{ address: string; movements: number }>(
        BUSY,
        { network, addresses: some, ...BUSY_FROM, forgeable: FORGEABLE },
        { route: 'exposure_busy' },
      ),
    )
    const large = new Set(busy.flatMap(({ address, movements }) => (movements > MAX_MOVEMENTS ? [address] : [])))
    const numbers = await readNumbers(
      tiers,
      busy.map(({ address }) => address),
    )
    const found = await loadAttributions(store, network, addresses, numbers)
    const pools = (of: 'swaps' | 'registered') =>
      [...found].flatMap(([address, about]) => (about[of] && !large.has(address) ? [address] : []))
    const listings = new Set(await loadListings(store, network, pools('registered'), valuation))
    const markets = await loadMarkets(store, network, [...pools('swaps'), ...listings], valuation, heights.head)
    const attributionOf = (address: string): Attribution | undefined => {
      const attribution = found.get(address)
      if (attribution?.swaps && markets.has(address)) return { ...attribution, uncertainty: 'market' }
      if (listings.has(address) && !markets.has(address)) return { service: false, swaps: true, uncertainty: 'listing' }
      return attribution
    }
    for (const address of addresses) {
      const attribution = attributionOf(address)
      known.about.set(address, { ...(attribution && { attribution }), tooLarge: large.has(address) })
    }
  }

  const attribute = async (asked: readonly string[]) => {
    const addresses = [...new Set(asked)].filter((address) => !looked.has(address))
    const unread = addresses.filter((address) => !known.about.has(address))
    if (unread.length > 0) await readAbout(unread)
    for (const address of addresses) {
      const about = known.about.get(address)
      if (about?.attribution) attributions.set(address, about.attribution)
      if (about?.tooLarge) tooLarge.add(address)
      looked.add(address)
    }
  }

  return {
    attributions,
    movementsOf: (address) => movements.get(address) ?? [],
    isCut: (address) => cut.has(address),
    unreadOf,
    partiesOf: async (addresses) => readNumbers(await loadTiers(store, network, addresses, heights), addresses),
    load,
    attribute,
    expand: async (asked) => {
      const fresh = asked.filter((address) => !expanded.has(address))
      for (let at = 0; at < fresh.length; at += AT_ONCE) {
        const some = fresh.slice(at, at + AT_ONCE)
        await load(some)
        for (const address of some) expanded.add(address)
        await attribute(some.flatMap((address) => largestParties(movements.get(address) ?? [], limits.parties)))
      }
    },
    about: (address) => {
      if (!looked.has(address)) return undefined
      const attribution = attributions.get(address)
      return {
        ...(attribution?.category !== undefined && { category: attribution.category }),
        ...(attribution && { service: attribution.service }),
        tooLarge: tooLarge.has(address),
      }
    },
    flows: (address, direction, until) =>
      flowsOf(movements.get(address) ?? [], direction, {
        until,
        leastUsd: DUST_USD,
        isService: (party) => {
          const { service = false, swaps = false } = attributions.get(party) ?? {}
          return service || swaps
        },
        coinOf: (asset) => coins.get(asset),
        isUntrusted: (party) => {
          const { service = false, swaps = false, uncertainty } = attributions.get(party) ?? {}
          return swaps && !service && uncertainty !== 'market'
        },
      }),
  }
}
