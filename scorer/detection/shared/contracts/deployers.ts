/**
 * Wallets whose contracts are looked into, and which contracts those are. Who made thousands that are used runs a launchpad or forwards
 * deposits, and is not looked into (`exceededLimits`). Thousands that nobody uses cost a transaction or two, and excuse nobody.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, type LoadContext, MAX_CONTRACTS, walletsWhere } from '../../context.ts'

const DEPLOYED = readSql(import.meta.url, './deployed.sql')
const USED = readSql(import.meta.url, './used-contracts.sql')

/** Newest contracts of one wallet that are looked at for use; those of wallets with more are not known. */
const MAX_COUNTED = 20_000

/** A contract and the wallet it goes back to. */
export type Deployed = { address: string; contract: string }

/** Whose contracts are looked into, and which of them where there are too many. */
export type Deployers = {
  addresses: string[]
  /** Contracts of those that made more than are looked into: the ones that are used. */
  used: readonly Deployed[]
}

/** Nothing is asked where nobody made thousands. */
export const loadDeployers = async (context: LoadContext): Promise<Deployers> => {
  const { store, network, tiers } = context
  const few = walletsWhere(context, ({ contracts_created: made }) => made > 0 && made <= MAX_CONTRACTS)
  const many = walletsWhere(context, ({ contracts_created: made }) => made > MAX_CONTRACTS && made <= MAX_COUNTED)
  const rows = await readByTier(store, tiers, many, (tiered, addresses) =>
    tiered.query<Deployed>(
      USED,
      { network, addresses, counted: MAX_COUNTED, limit: MAX_CONTRACTS + 1 },
      { route: 'used_contracts' },
    ),
  )
  const used = [...groupedBy(rows, ({ address }) => address).values()].filter((its) => its.length <= MAX_CONTRACTS)
  return { addresses: [...few, ...used.flatMap(([one]) => one?.address ?? [])], used: used.flat() }
}

/** All contracts of the deployers that are looked into. */
export const loadDeployed = async (context: LoadContext): Promise<Deployed[]> => {
  const { store, network, tiers } = context
  const { addresses, used } = await context.once(loadDeployers)
  const many = new Set(used.map(({ address }) => address))
  const few = addresses.filter((address) => !many.has(address))
  const rows = await readByTier(store, tiers, few, (tiered, some) =>
    tiered.query<Deployed>(DEPLOYED, { network, addresses: some, limit: MAX_CONTRACTS }, { route: 'deployed' }),
  )
  return [...rows, ...used]
}
