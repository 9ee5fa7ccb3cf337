/**
 * NFT drains: owners let a spender move a collection (setApprovalForAll), and it moves their NFTs to one account without payment. After
 * PTXPhish (NDSS 2025). Transactions that carried coins count only if internal payments are visible.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import type { OnApproval } from '../../shared/approvals/approvals.ts'
import { type Grant, type Granted, spanOf } from '../../shared/approvals/grants.ts'
import { loadCalls, loadNftOutflows, loadReturns, tracedAmong } from '../../shared/outflows/outflows.ts'
import type { Drain } from './drain.ts'

const CONTRACTS = readSql(import.meta.url, './sql/contracts-among.sql')

/** The addresses that are contracts, which may keep what they received for the owner. */
const contractsAmong = async ({ store, network }: LoadContext, addresses: readonly string[]): Promise<Set<string>> => {
  const rows = await inPieces(addresses, (piece) =>
    store.query<{ contract: string }>(CONTRACTS, { network, addresses: piece }, { route: 'contracts_among' }),
  )
  return new Set(rows.map(({ contract }) => contract))
}

/** @param grants approvals of collections */
export const loadNftDrains = async (
  context: LoadContext,
  grants: readonly Grant[],
  granted: Granted,
  windowS: number,
): Promise<(Drain & OnApproval)[]> => {
  if (grants.length === 0) return []
  const taken = await loadNftOutflows(context, {
    owners: grants.map(({ owner }) => owner),
    assets: grants.map(({ asset }) => asset),
    ...spanOf(grants, windowS),
  })
  const suspicious = taken.filter((outflow) => granted(outflow).length > 0)
  if (suspicious.length === 0) return []
  const calls = await loadCalls(context, suspicious)
  const drains = suspicious.flatMap((outflow) => {
    const call = calls.get(outflow.tx_hash)
    if (!call) return []
    return granted(outflow)
      .filter(({ spender }) => outflow.initiator === spender || call.receiver === spender)
      .map((grant) => ({ grant, outflow, carried: BigInt(call.value) > 0n }))
  })
  if (drains.length === 0) return []
  const carrying = drains.filter(({ carried }) => carried).map(({ outflow }) => outflow.block_number)
  const outflows = drains.map(({ outflow }) => outflow)
  const parties = drains.flatMap(({ grant, outflow }) => [outflow.taker, outflow.initiator, grant.spender])
  const [returns, contracts, traced] = await Promise.all([
    loadReturns(context, outflows, { parties }),
    contractsAmong(
      context,
      outflows.map(({ taker }) => taker),
    ),
    tracedAmong(context, carrying),
  ])
  return drains
    .filter(({ grant, outflow, carried }) => {
      const { owner, taker, initiator, tx_hash, block_number } = outflow
      const paid =
        returns.within(owner, tx_hash) || [taker, initiator, grant.spender].some((party) => returns.from(owner, party))
      return !paid && !contracts.has(taker) && (!carried || traced.has(block_number))
    })
    .map(({ grant, outflow }): Drain & OnApproval => {
      const { owner: victim, asset, amount, taker, initiator, tx_hash, time } = outflow
      const { spender, granted_in, sure } = grant
      return { kind: 'nft', spender, victim, asset, amount, taker, initiator, tx_hash, granted_in, time, sure }
    })
}
