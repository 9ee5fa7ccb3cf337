/**
 * Approval drains: a spender moves everything that owners approved, in transactions they did not sign and without anything in return.
 * After PTXPhish (NDSS 2025) and the Forta ice-phishing detector. Tokens and collections are loaded together.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { PERMIT2, SERVICES } from '../../../../schema/registry/contracts.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { groupedBy, type LoadContext } from '../../context.ts'
import { approvedSpenders, type OnApproval, trusted } from '../../shared/approvals/approvals.ts'
import { type Grant, type Granted, grantedBefore, loadGrants, spanOf } from '../../shared/approvals/grants.ts'
import { loadDeployers } from '../../shared/contracts/deployers.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { loadCalls, loadOutflows, loadReturns, loadUnseenPayouts } from '../../shared/outflows/outflows.ts'
import { type Drain, MIN_VICTIMS } from './drain.ts'
import { withoutExclusions } from './exclusions.ts'
import { loadNftDrains } from './nft-drains.ts'

const APPROVED_CONTRACTS = readSql(import.meta.url, './sql/approved-contracts.sql')

/** Minimum number of approvers for a suspicion, which is a feature. */
const SUSPECT_VICTIMS = 2
/** Maximum time from approval to drain, s. */
const WINDOW_S = 7 * 86_400
/** Minimum share of the victim's balance that is taken. */
const BALANCE_SHARE = 0.9
/** Minimum share of the affected owners that a spender emptied. Our choice. */
const EMPTIED_SHARE = 0.5
/** Maximum age of a contract at its first drain, s. Older ones are no throw-away drainers. */
const YOUNG_S = 30 * 86_400
/** Drains examined per spender and kind: sure ones first, then the oldest. */
const MAX_DRAINS = 200

/** Tokens taken by approval: the spender signed the transaction or is the contract it called, and the owner got nothing in it. */
const loadTokenDrains = async (
  context: LoadContext,
  grants: readonly Grant[],
  granted: Granted,
): Promise<(Drain & OnApproval)[]> => {
  if (grants.length === 0) return []
  const taken = await loadOutflows(context, {
    owners: grants.map(({ owner }) => owner),
    assets: grants.map(({ asset }) => asset),
    share: BALANCE_SHARE,
    ...spanOf(grants, WINDOW_S),
  })
  const possible = taken.flatMap((outflow) => granted(outflow).map((grant) => ({ grant, outflow })))
  if (possible.length === 0) return []
  const outflows = possible.map(({ outflow }) => outflow)
  const [calls, returns, unseen] = await Promise.all([
    loadCalls(context, outflows),
    loadReturns(context, outflows),
    loadUnseenPayouts(context, outflows),
  ])
  return possible
    .filter(
      ({ grant: { spender }, outflow: { owner, initiator, tx_hash } }) =>
        (initiator === spender || calls.get(tx_hash)?.receiver === spender) &&
        !returns.within(owner, tx_hash) &&
        !unseen.has(tx_hash),
    )
    .map(({ grant, outflow }): Drain & OnApproval => {
      const { owner: victim, asset, amount, taker, initiator, tx_hash, time } = outflow
      const { spender, granted_in, sure } = grant
      return { kind: 'fungible', spender, victim, asset, amount, taker, initiator, tx_hash, granted_in, time, sure }
    })
}

/**
 * Removes spenders that took only a part from most owners. Among payers of subscriptions or fares, some hold no more than the price and
 * so look emptied.
 */
const withoutFares = async (
  context: LoadContext,
  grants: readonly Grant[],
  drains: readonly Drain[],
): Promise<Drain[]> => {
  const victims = (spender: string, kind: Drain['kind'] = 'fungible') =>
    new Set(drains.flatMap((one) => (one.spender === spender && one.kind === kind ? [one.victim] : []))).size
  const suspects = new Set(drains.map(({ spender }) => spender).filter((spender) => victims(spender) >= MIN_VICTIMS))
  const theirs = grants.filter(({ spender }) => suspects.has(spender))
  if (theirs.length === 0) return [...drains]
  const pulled = await loadOutflows(context, {
    owners: theirs.map(({ owner }) => owner),
    assets: theirs.map(({ asset }) => asset),
    share: 0,
    ...spanOf(theirs, WINDOW_S),
  })
  const granted = grantedBefore(theirs, WINDOW_S)
  const used = pulled.filter((outflow) => granted(outflow).length > 0)
  const calls = await loadCalls(context, used)
  const payers = groupedBy(
    used.flatMap((outflow) =>
      granted(outflow).flatMap(({ spender, owner }) =>
        outflow.initiator === spender || calls.get(outflow.tx_hash)?.receiver === spender ? [{ spender, owner }] : [],
      ),
    ),
    ({ spender }) => spender,
  )
  return drains.filter(({ spender, kind }) => {
    const all = new Set((payers.get(spender) ?? []).map(({ owner }) => owner)).size
    return kind === 'nft' || !suspects.has(spender) || victims(spender) >= EMPTIED_SHARE * all
  })
}

/** Limits the drains per spender. */
const bounded = <T extends OnApproval>(drains: readonly T[]): T[] => {
  const seen = new Map<string, number>()
  return drains
    .toSorted((a, b) => b.sure - a.sure)
    .filter(({ spender }) => {
      const count = (seen.get(spender) ?? 0) + 1
      seen.set(spender, count)
      return count <= MAX_DRAINS
    })
}

/** Loads drains by the wallet that answers for them: spenders of the batch, and deployers of young spending contracts. */
export const loadDrains = async (context: LoadContext): Promise<Map<string, Drain[]>> => {
  const { store, network, wallets } = context
  const services = SERVICES[network]
  const spenders = (await approvedSpenders(context, SUSPECT_VICTIMS)).filter(
    (address) => address !== PERMIT2 && !services.has(address),
  )
  const { addresses: creators } = await context.once(loadDeployers)
  const contracts =
    creators.length === 0
      ? []
      : await store.query<{ address: string; contract: string; created_at: number | null }>(
          APPROVED_CONTRACTS,
          { network, addresses: creators, least: SUSPECT_VICTIMS },
          { route: 'approved_contracts' },
        )
  const asked = [...new Set([...spenders, ...contracts.map((row) => row.contract)])]
  if (asked.length === 0) return new Map()
  const grants = await loadGrants(context, asked)
  const [collections, tokens] = [grants.filter(({ nft }) => nft === 1), grants.filter(({ nft }) => nft === 0)]
  const [fungible, nfts] = await Promise.all([
    loadTokenDrains(context, tokens, grantedBefore(tokens, WINDOW_S)),
    loadNftDrains(context, collections, grantedBefore(collections, WINDOW_S), WINDOW_S),
  ])
  const taken = await trusted(context, [...bounded(fungible), ...bounded(nfts)])
  const inTime = taken.toSorted((a, b) => a.time - b.time)
  const drains = (await withoutFares(context, tokens, await withoutExclusions(context, inTime))).sort(
    (a, b) => a.time - b.time,
  )
  const found = new Map<string, Drain[]>()
  const add = (address: string, list: readonly Drain[]) => {
    if (list.length > 0) found.set(address, [...(found.get(address) ?? []), ...list])
  }
  const young = (list: readonly Drain[], since: number | null | undefined) =>
    since != null && list[0] !== undefined && list[0].time - since <= YOUNG_S ? list : []
  const born = new Map((await context.once(loadOwnContracts)).map((contract) => [contract.contract, contract.born]))
  for (const address of spenders) {
    const wallet = wallets.get(address)
    const list = drains.filter((drain) => drain.spender === address)
    add(address, wallet && isContract(wallet) ? young(list, born.get(address)) : list)
  }
  for (const { address, contract, created_at } of contracts) {
    add(
      address,
      young(
        drains.filter((drain) => drain.spender === contract),
        created_at,
      ),
    )
  }
  return found
}
