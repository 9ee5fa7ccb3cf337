/** The transfers around wallets, out of the tables: each address is read once, for every walk and both directions. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Numbers } from '../labels/guard.ts'
import type { Heights } from '../settled.ts'
import { loadTiers, readByTier, type TieredStore } from '../tiers.ts'
import { type Attribution, loadAttributions } from './attribution.ts'
import type { Graph } from './exposure.ts'
import { flowsOf, type Movement } from './movements.ts'
import type { Valuation } from './valuation.ts'

const MOVEMENTS = readSql(import.meta.url, './sql/movements.sql')
const NUMBERS = readSql(import.meta.url, './sql/numbers.sql')

/** Addresses with more movements than this are not followed: reading them would take longer than a caller waits. */
const MOST_MOVEMENTS = 50_000
/** Movements below it are dust, US dollars. */
export const DUST_USD = 1
/** Addresses whose movements are read by one statement. */
const AT_ONCE = 500

export type GraphLimits = {
  /** Movements of one address that are looked at. */
  movements: number
  /** Parties of one address that are looked at, in each direction; the others are not followed. */
  parties: number
}

export type TableGraph = Graph & {
  attributions: ReadonlyMap<string, Attribution>
  movementsOf: (address: string) => readonly Movement[]
  /** Whether an address moved more than is looked at. */
  isCut: (address: string) => boolean
  numbersOf: (address: string) => Numbers | undefined
}

type Numbered = Numbers & { address: string; movements: number }

type Row = Omit<Movement, 'usd' | 'own'> & { address: string; priced: 0 | 1; usd: number; own: 0 | 1 }

/** Parties of an address by what moved between them in one direction, largest first. */
const partiesOf = (movements: readonly Movement[], most: number): string[] =>
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

export const createGraph = (
  store: TieredStore,
  network: Network,
  heights: Heights,
  { assets, units, caps }: Valuation,
  limits: GraphLimits,
): TableGraph => {
  const movements = new Map<string, Movement[]>()
  const cut = new Set<string>()
  const numbers = new Map<string, Numbered>()
  const attributions = new Map<string, Attribution>()
  const looked = new Set<string>()

  const loadMovements = async (addresses: readonly string[]) => {
    const tiers = await loadTiers(store, network, addresses, heights)
    const rows = await readByTier(store, tiers, addresses, (tiered, some) =>
      tiered.query<Row>(
        MOVEMENTS,
        { network, addresses: some, assets, units, caps, head: heights.head, rows: limits.movements },
        { route: 'exposure_movements' },
      ),
    )
    const counts = new Map<string, number>()
    for (const { address, priced, usd, own, ...row } of rows) {
      const list = movements.get(address) ?? []
      list.push({ ...row, own: own === 1, usd: priced === 1 ? usd : null })
      movements.set(address, list)
      if (priced === 1) counts.set(address, (counts.get(address) ?? 0) + 1)
    }
    for (const [address, count] of counts) if (count >= limits.movements) cut.add(address)
  }

  const look = async (addresses: readonly string[]) => {
    const tiers = await loadTiers(store, network, addresses, heights)
    const counted = await readByTier(store, tiers, addresses, (tiered, some) =>
      tiered.query<Numbered>(NUMBERS, { network, addresses: some }, { route: 'exposure_numbers' }),
    )
    for (const row of counted) numbers.set(row.address, row)
    const found = await loadAttributions(store, network, addresses, numbers)
    for (const [address, attribution] of found) attributions.set(address, attribution)
    for (const address of addresses) looked.add(address)
  }

  return {
    attributions,
    movementsOf: (address) => movements.get(address) ?? [],
    isCut: (address) => cut.has(address),
    numbersOf: (address) => numbers.get(address),
    expand: async (asked) => {
      const fresh = asked.filter((address) => !movements.has(address))
      for (let at = 0; at < fresh.length; at += AT_ONCE) {
        const some = fresh.slice(at, at + AT_ONCE)
        for (const address of some) movements.set(address, [])
        await loadMovements(some)
        const parties = some.flatMap((address) => partiesOf(movements.get(address) ?? [], limits.parties))
        const unseen = [...new Set(parties)].filter((address) => !looked.has(address))
        if (unseen.length > 0) await look(unseen)
      }
    },
    about: (address) => {
      if (!looked.has(address)) return undefined
      const attribution = attributions.get(address)
      const tooMuch = (numbers.get(address)?.movements ?? 0) > MOST_MOVEMENTS
      return { ...(attribution && { category: attribution.category, service: attribution.service }), tooMuch }
    },
    flows: (address, direction, until) =>
      flowsOf(movements.get(address) ?? [], direction, {
        until,
        leastUsd: DUST_USD,
        isService: (party) => attributions.get(party)?.service === true,
      }),
  }
}
