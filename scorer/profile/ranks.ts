/** The leaderboard: ranks of wallets by the points of their stored profiles. */
import type { Clock } from '../../platform/context/clock.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'

const REFRESH = readSql(import.meta.url, './sql/refresh-ranks.sql')
const RANKS = readSql(import.meta.url, './sql/ranks.sql')

/** Minimum number of transactions for a rank. */
const FEWEST_TRANSACTIONS = 10

/** Recomputes the ranks of a network. Reads every stored profile, so run it once a day. Wallets without a rank have rank 0. */
export const refreshRanks = async (
  { store, clock }: { store: Store; clock: Clock },
  network: Network,
): Promise<void> => {
  const version = clock.now()
  const token = `wallet_ranks:${network}:${version}`
  await store.command(REFRESH, { network, version, fewest: FEWEST_TRANSACTIONS }, { token })
  await store.insert('wallet_rank_refreshes', `${JSON.stringify({ network, version })}\n`, { token })
}

/** Loads ranks. Wallets without a rank are absent. */
export const loadRanks = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await store.query<{ address: string; place: number }>(
    RANKS,
    { network, addresses },
    { route: 'profile_ranks' },
  )
  return new Map(rows.map(({ address, place }) => [address, place]))
}
