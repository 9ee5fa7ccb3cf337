/** Approvals of some spenders, and which of them an outflow may have used. */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import type { Outflow } from '../outflows/outflows.ts'
import { canonicalAssets } from './approvals.ts'

const GRANTS = readSql(import.meta.url, './grants.sql')

/** All approvals that an owner gave to a spender for one asset, as one. */
export type Grant = {
  spender: string
  owner: string
  asset: string
  /** Of a collection or one of its pieces, not of a token. */
  nft: 0 | 1
  /** Of the first approval. */
  position: string
  /** Of the first and the newest approval, Unix seconds. */
  since: number
  time: number
  granted_in: string
  /** Whether only the owner can have given it (approvals.ts). */
  sure: 0 | 1
}

/** Approvals each of the spenders was given: those of known coins, then the newest, and few of one owner. */
export const loadGrants = ({ store, network }: LoadContext, spenders: readonly string[]): Promise<Grant[]> =>
  inPieces(spenders, (piece) =>
    store.query<Grant>(GRANTS, { network, spenders: piece, canonical: canonicalAssets(network) }, { route: 'grants' }),
  )

/** Approvals that an outflow came after, within the window. */
export type Granted = (outflow: Pick<Outflow, 'owner' | 'asset' | 'position' | 'time'>) => Grant[]

/** @param windowS seconds from the newest approval to the outflow at most */
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

/** When outflows by these approvals may have happened, Unix seconds. */
export const spanOf = (grants: readonly Grant[], windowS: number): { since: number; until: number } => ({
  since: grants.reduce((first, { since }) => Math.min(first, since), Number.POSITIVE_INFINITY),
  until: grants.reduce((last, { time }) => Math.max(last, time), 0) + windowS,
})
