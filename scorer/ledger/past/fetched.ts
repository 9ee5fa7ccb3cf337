/** Fetched pasts of single wallets (indexer/history/wallets). */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { WalletPastState } from '../../../schema/topics.ts'

const FETCHED = readSql(import.meta.url, './sql/fetched-pasts.sql')
/** Wallets per query. */
const AT_ONCE = 10_000

/** `complete` and related fields hold for blocks up to `to_block`. `version`: time of the fetch, ms since the epoch. */
export type FetchedPast = Omit<WalletPastState, 'network'>

/** Fetched pasts by wallet. Wallets without one are absent. */
export type FetchedPasts = ReadonlyMap<string, FetchedPast>

/** For reads that ignore fetched pasts. */
export const NONE_FETCHED: FetchedPasts = new Map()

/** Loads fetched pasts by wallet. Wallets without one are absent. */
export const loadFetched = async (
  store: Store,
  network: Network,
  accounts: Iterable<string>,
  signal?: AbortSignal,
): Promise<Map<string, FetchedPast>> => {
  const all = [...new Set(accounts)]
  const found = new Map<string, FetchedPast>()
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const rows = await store.query<FetchedPast>(
      FETCHED,
      { network, addresses: all.slice(at, at + AT_ONCE) },
      { route: 'fetched_pasts', ...(signal && { signal }) },
    )
    for (const row of rows) found.set(row.address, row)
  }
  return found
}

/**
 * Whether everything is stored that registered exchanges announced with a token below the first covered block
 * (indexer/history/wallets/sources/factories.ts).
 */
export const arePoolsKnown = ({ sources, to_block }: FetchedPast, first: number): boolean =>
  sources.split(',').includes('factories') && to_block >= first - 1

/** Whether it has rows to read in addition to those of the covered blocks. */
export const hasRows = ({ blocks }: FetchedPast): boolean => blocks > 0

/** Whether everything that the wallet did below the first covered block is known. */
export const isWhole = ({ complete, to_block }: FetchedPast, first: number): boolean =>
  complete === 1 && to_block >= first - 1
