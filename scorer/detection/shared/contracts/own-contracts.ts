/**
 * Contracts that a wallet answers for: those it deployed, and itself if it is a contract. Loaded once for all detectors that judge
 * wallets by their contracts, with the traits that decide which contracts need a closer look.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { loadDeployed } from './deployers.ts'

const TRAITS = readSql(import.meta.url, './contract-traits.sql')

type Traits = {
  contract: string
  /** Number of creations at the address. */
  created: number
  /** Time of creation, or first seen if the creation is not known; Unix seconds. */
  born: number | null
  /** Distinct owners who approved it. */
  approvers: number
  /** Distinct senders of transactions to it. */
  callers: number
  /** Numbers of native movements to and from it. */
  native_in: number
  native_out: number
  /** ERC-20 name; empty if it is no token or has none. */
  name: string
  symbol: string
}

/** A contract and the wallet of the batch that answers for it (its deployer, or itself). */
export type OwnContract = Traits & { address: string }

/** Loads the contracts of a batch. Issues no query if no wallet has any. */
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

/** Groups findings about contracts by the wallets that answer for them. */
export const byWallet = <T>(own: readonly OwnContract[], found: ReadonlyMap<string, T>): Map<string, T[]> => {
  const all = new Map<string, T[]>()
  for (const { address, contract } of own) {
    const finding = found.get(contract)
    if (finding !== undefined) all.set(address, [...(all.get(address) ?? []), finding])
  }
  return all
}
