import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Heights } from '../../ledger/settled.ts'

const HOT_WALLETS = readSql(import.meta.url, './sql/hot-wallets.sql')

const FINAL = {
  transactions: 'transactions',
  ledger: 'ledger',
  wallet_swaps: 'wallet_swaps',
  wallet_assets: 'wallet_assets',
  pools: 'pools',
  wallet_features: 'wallet_features',
}
const BOTH: Tables = {
  transactions: 'transactions_all',
  ledger: 'ledger_all',
  wallet_swaps: 'wallet_swaps_all',
  wallet_assets: 'wallet_assets_all',
  pools: 'pools_all',
  wallet_features: 'wallet_features_all',
}

/** Names of the tables to read, as parameters of the queries. */
export type Tables = { [K in keyof typeof FINAL]: string }

/**
 * Final tables alone when none of the wallets has a row above the watermark, which most have not: planning the views over
 * both tiers costs more than reading them. Call within `readSettled`.
 */
export const tablesFor = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
  { settled, head }: Heights,
): Promise<Tables> => {
  if (settled === undefined || head <= settled) return FINAL
  const hot = await store.query<{ hot: number }>(
    HOT_WALLETS,
    { network, addresses, settled },
    { route: 'profile_hot_wallets' },
  )
  return hot.length > 0 ? BOTH : FINAL
}
