/** What was fetched of the pasts of single wallets (indexer/history/wallets). */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { WalletPastState } from '../../../schema/topics.ts'

const FETCHED = readSql(import.meta.url, './sql/fetched-pasts.sql')
/** Wallets of one question. */
const AT_ONCE = 10_000

/** `complete` and the parts of it hold for blocks up to `to_block`. `version`: when it was fetched, ms since the epoch. */
export type FetchedPast = Omit<WalletPastState, 'network'>

/** What was fetched, by wallet. Most were never asked for and are not in it. */
export type FetchedPasts = ReadonlyMap<string, FetchedPast>

/** For reads that do not take fetched pasts into account. */
export const NONE_FETCHED: FetchedPasts = new Map()

/** States by wallet; those never fetched are left out. */
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
 * Whether everything that registered exchanges announced with a token below the first covered block is stored
 * (indexer/history/wallets/sources/factories.ts).
 */
export const arePoolsKnown = ({ sources, to_block }: FetchedPast, first: number): boolean =>
  sources.split(',').includes('factories') && to_block >= first - 1

/** Whether rows of it are to be read beside those of the covered blocks. */
export const hasRows = ({ blocks }: FetchedPast): boolean => blocks > 0

/** Whether nothing the wallet did below the first covered block is missing. */
export const isWhole = ({ complete, to_block }: FetchedPast, first: number): boolean =>
  complete === 1 && to_block >= first - 1
