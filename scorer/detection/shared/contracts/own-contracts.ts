/**
 * The contracts a wallet answers for: those that go back to it, and itself where it is one. Read once for all detectors that judge a
 * wallet by its contracts, with the traits that decide which of them has to look closer.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { loadDeployed } from './deployers.ts'

const TRAITS = readSql(import.meta.url, './contract-traits.sql')

type Traits = {
  contract: string
  /** Creations at the address. */
  created: number
  /** When it was created, or first seen where its creation is not known; Unix seconds. */
  born: number | null
  /** Distinct owners who approved it. */
  approvers: number
  /** Distinct senders of transactions to it. */
  callers: number
  /** Native movements to and from it. */
  native_in: number
  native_out: number
  /** As the ERC-20 token it is tells them; empty when it is none or says nothing. */
  name: string
  symbol: string
}

/** A contract and the wallet of the batch that answers for it (its creator, or itself). */
export type OwnContract = Traits & { address: string }

/** Contracts of the wallets of the batch; nothing is asked when none of them has any. */
export const loadOwnContracts = async (context: LoadContext): Promise<OwnContract[]> => {
  const { store, network } = context
  const themselves = walletsWhere(context, isContract).map((address) => ({ address, contract: address }))
  const deployed = await loadDeployed(context)
  const own = [...themselves, ...deployed]
  const rows = await inPieces(
    own.map(({ contract }) => contract),
    (contracts) => store.query<Traits>(TRAITS, { network, contracts }, { route: 'contract_traits' }),
  )
  const traits = new Map(rows.map((row) => [row.contract, row]))
  return own.flatMap(({ address, contract }) => {
    const known = traits.get(contract)
    return known ? [{ address, ...known }] : []
  })
}

/** Lists findings about contracts under the wallets that answer for them. */
export const byWallet = <T>(own: readonly OwnContract[], found: ReadonlyMap<string, T>): Map<string, T[]> => {
  const all = new Map<string, T[]>()
  for (const { address, contract } of own) {
    const finding = found.get(contract)
    if (finding !== undefined) all.set(address, [...(all.get(address) ?? []), finding])
  }
  return all
}
