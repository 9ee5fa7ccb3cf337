/** The leaderboard: points of every stored profile, and each wallet's place. */
import type { Clock } from '../../platform/context/clock.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'

const REFRESH = readSql(import.meta.url, './sql/refresh-ranks.sql')
const RANKS = readSql(import.meta.url, './sql/ranks.sql')

/** Wallets with fewer transactions have no rank. */
const FEWEST_TRANSACTIONS = 10

/**
 * Ranks a network's wallets anew. Meant for once a day: it reads every stored profile. Until the first refresh, and for
 * wallets profiled after it, the rank is 0.
 */
export const refreshRanks = async (
  { store, clock }: { store: Store; clock: Clock },
  network: Network,
): Promise<void> => {
  const version = clock.now()
  const token = `wallet_ranks:${network}:${version}`
  await store.command(REFRESH, { network, version, fewest: FEWEST_TRANSACTIONS }, { token })
  await store.insert('wallet_rank_refreshes', `${JSON.stringify({ network, version })}\n`, { token })
}

/** Places of the wallets that have one. */
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
