/** Direct counterparties of an address: the largest in each direction, and what is known about them. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import type { WalletStatus } from '../../../schema/records/common.ts'
import { loadAttributions } from '../exposure/attribution.ts'
import type { Numbers } from '../labels/guard.ts'
import { decimalText } from '../prices/amounts.ts'
import { readSettled } from '../reading/settled.ts'
import { createTieredStore, loadTiers, readByTier } from '../reading/tiers.ts'
import { lookupRecords } from '../records.ts'

const LARGEST = readSql(import.meta.url, './sql/largest.sql')
const NUMBERS = readSql(import.meta.url, './sql/numbers.sql')

/** Value is not followed through addresses with more counterparties than this. */
const MAX_PARTNERS = 5_000

type Row = {
  counterparty: string
  value: string
  movements: number
  tokens: number
  first: number
  last: number
  all_counterparties: number
  all_value: string
}
type Counted = Numbers & { address: string }

/** A party that the address paid or that paid it, in one direction. */
export type Counterparty = {
  address: string
  /** Native coin, exact decimal text in whole coins. */
  value: string
  /** Number of movements of the native coin and of tokens, and of tokens only. */
  movements: number
  tokens: number
  /** Unix seconds, over both directions. */
  first: number
  last: number
  /** Attribution, if known. */
  category: string | null
  name: string | null
  /** Status of its verdict, if it has one. */
  status: WalletStatus | null
  /** Why value is not followed through it; `null` if it can be followed. */
  stop: string | null
}

/** One direction: number of counterparties, their total value (native coin, exact decimal text), and the largest of them. */
export type Side = { counterparties: number; value: string; largest: Counterparty[] }

/**
 * Loads the `most` largest counterparties in each direction from one state of the tables.
 * @throws RetryableError as `readSettled` does.
 */
export const loadCounterparties = (
  store: Store,
  network: Network,
  address: string,
  most: number,
): Promise<{ height: number; incoming: Side; outgoing: Side }> =>
  readSettled(store, network, async (heights) => {
    const { settled, head } = heights
    const { decimals } = networkInfo(network).nativeCoin
    const tiered = createTieredStore(store, settled !== undefined && head > settled ? 'all' : 'final')
    const tiers = await loadTiers(store, network, [address], heights)
    const read = (direction: 1 | -1) =>
      readByTier(tiered, tiers, [address], (some) =>
        some.query<Row>(LARGEST, { network, address, direction, most }, { route: 'largest_counterparties' }),
      )
    const [incoming, outgoing] = await Promise.all([read(1), read(-1)])
    const others = [...new Set([...incoming, ...outgoing].map(({ counterparty }) => counterparty))]
    const otherTiers = await loadTiers(store, network, others, heights)
    const counted = await readByTier(tiered, otherTiers, others, (some, addresses) =>
      some.query<Counted>(NUMBERS, { network, addresses }, { route: 'counterparty_numbers' }),
    )
    const numbers = new Map(counted.map((row) => [row.address, row]))
    const [attributions, records] = await Promise.all([
      loadAttributions(tiered, network, others, numbers),
      lookupRecords(
        tiered,
        others.map((other) => ({ network, address: other })),
      ),
    ])
    const statusOf = new Map(others.map((other, nth) => [other, records[nth]?.status ?? null]))
    const stopOf = (other: string): string | null => {
      const attribution = attributions.get(other)
      if (attribution?.service) return attribution.category ?? 'service'
      const { in_partners = 0, out_partners = 0 } = numbers.get(other) ?? {}
      return in_partners + out_partners > MAX_PARTNERS ? `more than ${MAX_PARTNERS} counterparties` : null
    }
    const sideOf = (rows: readonly Row[]): Side => ({
      counterparties: rows[0]?.all_counterparties ?? 0,
      value: decimalText(BigInt(rows[0]?.all_value ?? 0), decimals),
      largest: rows.map((row) => ({
        address: row.counterparty,
        value: decimalText(BigInt(row.value), decimals),
        movements: row.movements,
        tokens: row.tokens,
        first: row.first,
        last: row.last,
        category: attributions.get(row.counterparty)?.category ?? null,
        name: attributions.get(row.counterparty)?.name ?? null,
        status: statusOf.get(row.counterparty) ?? null,
        stop: stopOf(row.counterparty),
      })),
    })
    return { height: head, incoming: sideOf(incoming), outgoing: sideOf(outgoing) }
  })
