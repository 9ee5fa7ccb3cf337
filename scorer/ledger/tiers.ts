/**
 * Which tables a read has to ask: final ones, or the views over both tiers. A view costs several times as much to plan as the
 * final table alone (one of fifty states eight times), so views are asked only where there are hot rows; the rows are the same.
 *
 * Statements name what they read as identifier parameters, `FROM {ledger_table:Identifier}`, and a tiered store fills in the names
 * of its tier. A statement that names a view itself reads both tiers always.
 */
import { readSql } from '../../platform/store/sql.ts'
import type { QueryParams, Store } from '../../platform/store/store.ts'
import { TABLES } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import type { Heights } from './settled.ts'

const HOT_WALLETS = readSql(import.meta.url, './sql/hot-wallets.sql')

export type Tiers = {
  /** Whether anything at all is above the watermark. */
  anyHot: boolean
  /** The wallets that have hot rows. */
  hot: ReadonlySet<string>
}

/** The final tables alone, or those of both tiers. */
export type TableChoice = 'final' | 'all'

const TIERED = [...TABLES, 'dust_carries', 'wallet_swaps'] as const
const STATES = [
  'wallet_features',
  'wallet_edges',
  'wallet_assets',
  'deployer_contracts',
  'asset_approvals',
  'authority_listings',
] as const

/**
 * What a statement may leave open. States are read merged (`wallet_edges`), or, by statements that sum them up themselves, as
 * they lie (`unmerged_wallet_edges`); `counterparties` are the edges alone, without what they carry.
 */
type TieredName =
  | (typeof TIERED)[number]
  | (typeof STATES)[number]
  | `unmerged_${(typeof STATES)[number]}`
  | 'counterparties'

/** Tables and views by the name that stands for them. */
export const TABLE_NAMES = Object.fromEntries<Record<TableChoice, string>>([
  ...TIERED.map((name) => [name, { final: name, all: `${name}_all` }] as const),
  ...STATES.map((name) => [name, { final: `${name}_final`, all: `${name}_all` }] as const),
  ...STATES.map((name) => [`unmerged_${name}`, { final: name, all: `${name}_all` }] as const),
  ['counterparties', { final: 'wallet_edges', all: 'wallet_counterparties' }],
]) as Readonly<Record<TieredName, Readonly<Record<TableChoice, string>>>>

const isTiered = (name: string): name is TieredName => Object.hasOwn(TABLE_NAMES, name)

/** A store whose statements read the tables of one choice. */
export type TieredStore = Store & {
  readonly tables: TableChoice
  /** The same store with another choice. */
  reading: (tables: TableChoice) => TieredStore
}

const LEFT_OPEN = /\{(\w+)_table:Identifier\}/g

/** Names of the tables a statement leaves open. */
const namesIn = (sql: string, tables: TableChoice): QueryParams => {
  const left = [...sql.matchAll(LEFT_OPEN)].map(([, name = '']) => name).filter(isTiered)
  return Object.fromEntries(left.map((name) => [`${name}_table`, TABLE_NAMES[name][tables]]))
}

/** A statement that leaves open what is no table of the ledger is refused by the engine: a parameter is missing. */
export const createTieredStore = (store: Store, tables: TableChoice): TieredStore => ({
  ...store,
  tables,
  reading: (other) => createTieredStore(store, other),
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
