/**
 * Which approvals can be trusted. The token contract emits the approval event, and a hostile token can emit it in anybody's name in
 * any transaction. Such an event must not turn a bystander into a thief.
 *
 * * An approval is sure if the owner sent the transaction, if Permit2 reports it (it checks signatures), or if a canonical asset
 *   emitted it.
 * * Otherwise (permits, bundlers, multisigs) it counts if the owner ever signed anything about the asset, or is the contract that
 *   the transaction called.
 * * Of the remaining owners, as many count as accounts signed approvals of the asset themselves. A forger gains nothing, because nobody
 *   signs forged approvals. Signatures only add up, so nobody can discredit an honest asset.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Network } from '../../../../schema/networks.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { isPopular } from '../../../ledger/labels/guard.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'

const SIGNERS = readSql(import.meta.url, './asset-signers.sql')
const USERS = readSql(import.meta.url, './asset-users.sql')
const USED = readSql(import.meta.url, './used-approvals.sql')
const APPROVER_COUNT = readSql(import.meta.url, './approver-count.sql')

/** Contracts with more approvers than this are services (more than 1,000 distinct users). */
const MAX_APPROVERS = 1_000

/** Owners examined per spender: more do not change the result. */
const MAX_USED = 50

/** An event that depends on an approval. */
export type OnApproval = { spender: string; victim: string; asset: string; sure: 0 | 1 }

/** Assets whose approval events are trusted. */
export const canonicalAssets = (network: Network): string[] => [...ASSETS[network].keys()]

const pairOf = ({ victim, asset }: OnApproval): string => `${victim} ${asset}`

/** Removes events whose approval only the asset itself reports. Keeps the order, which decides which unsure owners count. */
export const trusted = async <T extends OnApproval>(
  { store, network }: LoadContext,
  rows: readonly T[],
): Promise<T[]> => {
  const unsure = rows.filter(({ sure }) => sure === 0)
  if (unsure.length === 0) return [...rows]
  const assets = [...new Set(unsure.map(({ asset }) => asset))]
  const users = await inPieces(
    unsure.map(({ victim }) => victim),
    (owners) =>
      store.query<{ owner: string; asset: string }>(USERS, { network, owners, assets }, { route: 'asset_users' }),
  )
  const known = new Set(users.map(({ owner, asset }) => `${owner} ${asset}`))
  const counted = await inPieces(assets, (some) =>
    store.query<{ asset: string; signers: number }>(SIGNERS, { network, assets: some }, { route: 'asset_signers' }),
  )
  const signers = new Map(counted.map((row) => [row.asset, row.signers]))
  const strangers = new Map<string, Set<string>>()
  return rows.filter((row) => {
    if (row.sure === 1 || known.has(pairOf(row))) return true
    const about = `${row.spender} ${row.asset}`
    const named = strangers.get(about) ?? new Set()
    strangers.set(about, named)
    if (named.size < (signers.get(row.asset) ?? 0)) named.add(row.victim)
    return named.has(row.victim)
  })
}

/** Whether a contract with so many reported approvers is a service. Approvers that only an unknown token reports do not count. */
const isService = async ({ store, network }: LoadContext, spender: string, approvers: number): Promise<boolean> => {
  if (approvers <= MAX_APPROVERS) return false
  const asked = { network, spender, canonical: canonicalAssets(network), most: MAX_APPROVERS + 1 }
  const [row] = await store.query<{ owners: number }>(APPROVER_COUNT, asked, { route: 'approver_count' })
  return (row?.owners ?? 0) > MAX_APPROVERS
}

/** Removes contracts that are services by their number of approvers. */
export const withoutServices = async <T>(
  context: LoadContext,
  contracts: readonly T[],
  about: (contract: T) => { spender: string; approvers: number },
): Promise<T[]> => {
  const found: T[] = []
  for (const contract of contracts) {
    const { spender, approvers } = about(contract)
    if (!(await isService(context, spender, approvers))) found.push(contract)
  }
  return found
}

/** Wallets that at least `least` owners approved, without services. */
export const approvedSpenders = async (context: LoadContext, least: number): Promise<string[]> => {
  const approved = [...context.wallets.values()].filter(
    (wallet) => wallet.approvers >= least && !(isContract(wallet) && isPopular(wallet)),
  )
  const plain = approved.filter((wallet) => !isContract(wallet))
  const contracts = await withoutServices(context, approved.filter(isContract), ({ address, approvers }) => ({
    spender: address,
    approvers,
  }))
  return [...plain, ...contracts].map(({ address }) => address)
}

/** An approval that a plain account used, with the first transaction that used it. */
export type UsedApproval = { owner: string; asset: string; transaction: string }

/** Loads approvals that plain accounts of the batch used. Unused approvals prove nothing: anyone can approve anyone. */
export const loadUsedApprovals = async (context: LoadContext): Promise<Map<string, UsedApproval[]>> => {
  const { store, network } = context
  // A transaction that calls transferFrom carries no coins.
  const spenders = walletsWhere(context, (one) => one.approvers > 0 && one.sent_zero > 0 && !isContract(one))
  if (spenders.length === 0) return new Map()
  const rows = await store.query<OnApproval & { tx_hash: string }>(
    USED,
    { network, spenders, canonical: canonicalAssets(network), limit: MAX_USED },
    { route: 'used_approvals' },
  )
  const used = new Map<string, UsedApproval[]>()
  for (const { spender, victim: owner, asset, tx_hash: transaction } of await trusted(context, rows))
    used.set(spender, [...(used.get(spender) ?? []), { owner, asset, transaction }])
  return used
}
