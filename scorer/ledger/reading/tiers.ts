/**
 * Which tables a read has to ask: final ones, or the views over both tiers. A view costs several times as much to plan as the
 * final table alone (one of fifty states eight times), so views are asked only where there are hot rows; the rows are the same.
 *
 * Statements name what they read as identifier parameters, `FROM {ledger_table:Identifier}`, and a tiered store fills in the names
 * of its tier. A statement that names a view itself reads both tiers always.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { QueryParams, Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { FINAL_OF, wholeOf } from '../../../schema/tables/index.ts'
import type { Heights } from './settled.ts'

const HOT_WALLETS = readSql(import.meta.url, '../sql/hot-wallets.sql')

/** What of a batch is hot, so that only those wallets pay for reading both tiers. */
export type Tiers = {
  /** Whether anything at all is above the watermark. */
  anyHot: boolean
  /** The wallets that have hot rows. */
  hot: ReadonlySet<string>
}

/** The final tables alone, those of both tiers, or these with the pasts of wallets that were fetched. */
export type TableChoice = 'final' | 'all' | 'whole'

/**
 * Tables and views by the name that stands for them, of each view over both tiers: `ledger` for `ledger_all` and what holds its
 * final part. States are read merged (`wallet_edges`), or, by statements that sum them up themselves, as they lie
 * (`unmerged_wallet_edges`); `counterparties` are the edges alone, without what they carry.
 */
export const TABLE_NAMES: ReadonlyMap<string, Readonly<Record<TableChoice, string>>> = new Map<
  string,
  Record<TableChoice, string>
>([
  ...[...FINAL_OF].flatMap(([all, final]) => {
    const name = all.replace(/_all$/, '')
    const whole = wholeOf(all)
    const unmerged = [`unmerged_${name}`, { final: name, all, whole }] as const
    return [[name, { final, all, whole }] as const, ...(final === name ? [] : [unmerged])]
  }),
  ['counterparties', { final: 'wallet_edges', all: 'wallet_counterparties', whole: 'wallet_edges_whole' }],
])

/** A store whose statements read the tables of one choice. */
export type TieredStore = Store & {
  readonly tables: TableChoice
  /** The same store with another choice. */
  reading: (tables: TableChoice) => TieredStore
}

const LEFT_OPEN = /\{(\w+)_table:Identifier\}/g

/** Names of the tables a statement leaves open. */
const namesIn = (sql: string, tables: TableChoice): QueryParams =>
  Object.fromEntries(
    [...sql.matchAll(LEFT_OPEN)].flatMap(([, name = '']) => {
      const known = TABLE_NAMES.get(name)
      return known ? [[`${name}_table`, known[tables]]] : []
    }),
  )

/** A statement that leaves open what is no table of the ledger is refused by the engine: a parameter is missing. */
export const createTieredStore = (store: Store, tables: TableChoice): TieredStore => ({
  ...store,
  tables,
  // Wallets with a past are read with it by every statement, whatever tier their newer rows are in.
  reading: (other) => createTieredStore(store, tables === 'whole' ? tables : other),
  query: (sql, params = {}, options) => store.query(sql, { ...namesIn(sql, tables), ...params }, options),
})

/** @param heights of `readSettled`; without a hot tier, or with nothing above the watermark, nothing is hot. */
export const loadTiers = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
  { settled, head }: Heights,
): Promise<Tiers> => {
  if (settled === undefined || head <= settled) return { anyHot: false, hot: new Set() }
  const rows = await store.query<{ address: string }>(
    HOT_WALLETS,
    { network, addresses, settled, head },
    { route: 'hot_wallets' },
  )
  return { anyHot: true, hot: new Set(rows.map((row) => row.address)) }
}

/** Reads each wallet from the tables that hold its rows: those without hot rows from the final ones. */
export const readByTier = async <Row>(
  store: TieredStore,
  { hot }: Pick<Tiers, 'hot'>,
  addresses: readonly string[],
  read: (store: TieredStore, addresses: string[]) => Promise<Row[]>,
): Promise<Row[]> => {
  const cold = addresses.filter((address) => !hot.has(address))
  const warm = addresses.filter((address) => hot.has(address))
  const parts = await Promise.all([
    cold.length > 0 ? read(store.reading('final'), cold) : [],
    warm.length > 0 ? read(store.reading('all'), warm) : [],
  ])
  return parts.flat()
}
