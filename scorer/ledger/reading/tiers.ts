/**
 * Selects the tables of a read: final tables, or views over both tiers. A view costs several times as much to plan as the final
 * table (one of fifty states eight times as much), so views are read only if there are hot rows. The rows are the same.
 *
 * Statements name tables as identifier parameters, `FROM {ledger_table:Identifier}`, which a tiered store fills in. A statement that
 * names a view itself always reads both tiers.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { QueryParams, Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { FINAL_OF, wholeOf } from '../../../schema/tables/index.ts'
import type { Heights } from './settled.ts'

const HOT_WALLETS = readSql(import.meta.url, '../sql/hot-wallets.sql')

/** Which wallets of a batch are hot, so that only those pay for reading both tiers. */
export type Tiers = {
  /** Whether any block is above the watermark. */
  anyHot: boolean
  /** Wallets with hot rows. */
  hot: ReadonlySet<string>
}

/** Final tables, both tiers, or both tiers with the fetched pasts of wallets. */
export type TableChoice = 'final' | 'all' | 'whole'

/**
 * Tables and views by parameter name, one for each view over both tiers: `ledger` stands for `ledger_all` and its final table.
 * Aggregate states are read merged (`wallet_edges`), or unmerged (`unmerged_wallet_edges`) by statements that merge them. `counterparties`
 * are the edges without their states.
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

const TABLE_PARAMETER = /\{(\w+)_table:Identifier\}/g

/** Values of the table parameters in a statement. */
const namesIn = (sql: string, tables: TableChoice): QueryParams =>
  Object.fromEntries(
    [...sql.matchAll(TABLE_PARAMETER)].flatMap(([, name = '']) => {
      const known = TABLE_NAMES.get(name)
      return known ? [[`${name}_table`, known[tables]]] : []
    }),
  )

/** Creates a tiered store. A statement with an unknown table parameter fails in the engine: its parameter is missing. */
export const createTieredStore = (store: Store, tables: TableChoice): TieredStore => ({
  ...store,
  tables,
  // Wallets with a fetched past are read with it by every statement, whichever tier their newer rows are in.
  reading: (other) => createTieredStore(store, tables === 'whole' ? tables : other),
  query: (sql, params = {}, options) => store.query(sql, { ...namesIn(sql, tables), ...params }, options),
})

/** Loads which wallets are hot. @param heights from `readSettled` */
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

/** Reads each wallet from the tables that hold its rows: wallets without hot rows from the final tables. */
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
