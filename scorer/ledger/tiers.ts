/**
 * Which tables a read has to ask. Views over both tiers cost several times as much to plan as the final tables alone, so
 * they are asked only for the wallets that have hot rows; the result is the same.
 */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { FINAL_OF } from '../../schema/tables/index.ts'
import type { Heights } from './settled.ts'

const HOT_WALLETS = readSql(import.meta.url, './sql/hot-wallets.sql')

export type Tiers = {
  /** Whether anything at all is above the watermark. */
  anyHot: boolean
  /** The wallets that have hot rows. */
  hot: ReadonlySet<string>
}

const BOTH_TIERS = new RegExp(`\\b(?:${[...FINAL_OF.keys()].join('|')})\\b`, 'g')

/**
 * The store as it is while nothing is above the watermark: statements that name the views over both tiers are asked of the
 * final tables behind them. The rows are the same, and a view of fifty states costs eight times as much to plan.
 */
export const finalOnly = (store: Store): Store => ({
  ...store,
  query: (sql, params, options) =>
    store.query(
      sql.replace(BOTH_TIERS, (view) => FINAL_OF.get(view) ?? view),
      params,
      options,
    ),
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

/** Reads each wallet from the tables that hold its rows: `final` names tables or views without hot rows, `all` with them. */
export const readTiers = async <Row, Name extends string>(
  { hot }: Tiers,
  addresses: readonly string[],
  names: { final: Name; all: Name },
  read: (name: Name, addresses: string[]) => Promise<Row[]>,
): Promise<Row[]> => {
  const cold = addresses.filter((address) => !hot.has(address))
  const warm = addresses.filter((address) => hot.has(address))
  const parts = await Promise.all([
    cold.length > 0 ? read(names.final, cold) : [],
    warm.length > 0 ? read(names.all, warm) : [],
  ])
  return parts.flat()
}
