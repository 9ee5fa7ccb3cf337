/**
 * NFT drains: owners let a spender move a collection (setApprovalForAll), and it moves their NFTs to one account for
 * nothing. After PTXPhish (NDSS 2025), whose second most frequent lure of NFT owners this is. A sale pays in the same
 * transaction; an escrow keeps NFTs in a contract; a raffle hands them to many: none of them is a drain.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { OnApproval } from './approvals.ts'
import type { Drain } from './drains.ts'

const NFT_DRAINS = readSql(import.meta.url, '../sql/nft-drains.sql')

/** @param params spenders to look at, seconds from approval to drain at most, and assets that do not lie. */
export const loadNftDrains = async (
  store: Store,
  params: { network: Network; spenders: readonly string[]; window: number; canonical: readonly string[] },
): Promise<(Drain & OnApproval)[]> => {
  const rows = await store.query<Omit<Drain, 'kind'> & OnApproval>(NFT_DRAINS, params, { route: 'nft_drains' })
  return rows.map((row) => ({ kind: 'nft', ...row }))
}
