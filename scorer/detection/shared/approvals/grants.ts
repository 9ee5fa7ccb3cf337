/** Approvals of spenders, and which of them an outflow may have used. */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import type { Outflow } from '../outflows/outflows.ts'
import { canonicalAssets } from './approvals.ts'

const GRANTS = readSql(import.meta.url, './grants.sql')

/** All approvals of one owner for one spender and asset, merged. */
export type Grant = {
  spender: string
  owner: string
  asset: string
  /** 1 for a collection or one of its pieces. */
  nft: 0 | 1
  /** Position of the first approval. */
  position: string
  /** Time of the first and of the newest approval, Unix seconds. */
  since: number
  time: number
  granted_in: string
  /** Whether only the owner can have given it (see approvals.ts). */
  sure: 0 | 1
}

/** Loads the approvals of each spender: first those of known coins, then the newest, and few per owner. */
export const loadGrants = ({ store, network }: LoadContext, spenders: readonly string[]): Promise<Grant[]> =>
  inPieces(spenders, (piece) =>
    store.query<Grant>(GRANTS, { network, spenders: piece, canonical: canonicalAssets(network) }, { route: 'grants' }),
  )

/** Approvals that precede an outflow within the window. */
export type Granted = (outflow: Pick<Outflow, 'owner' | 'asset' | 'position' | 'time'>) => Grant[]

/** @param windowS maximum time from the newest approval to the outflow, seconds */
export const grantedBefore = (grants: readonly Grant[], windowS: number): Granted => {
  const groups = new Map<string, Grant[]>()
  for (const grant of grants) {
    const key = `${grant.owner} ${grant.asset}`
    groups.set(key, [...(groups.get(key) ?? []), grant])
  }
  return ({ owner, asset, position, time }) =>
    (groups.get(`${owner} ${asset}`) ?? []).filter(
      (grant) => BigInt(position) > BigInt(grant.position) && time <= grant.time + windowS,
    )
}

/** The period in which outflows by these approvals may have happened, Unix seconds. */
export const spanOf = (grants: readonly Grant[], windowS: number): { since: number; until: number } => ({
  since: grants.reduce((first, { since }) => Math.min(first, since), Number.POSITIVE_INFINITY),
  until: grants.reduce((last, { time }) => Math.max(last, time), 0) + windowS,
})
