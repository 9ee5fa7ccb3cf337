/**
 * Selects the deployers and contracts to examine. A wallet with thousands of used contracts is a launchpad or a deposit forwarder and
 * is skipped (`exceededLimits`). Thousands of unused contracts do not exempt a deployer: they cost only a transaction or two.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, type LoadContext, MAX_CONTRACTS, walletsWhere } from '../../context.ts'

const DEPLOYED = readSql(import.meta.url, './deployed.sql')
const USED = readSql(import.meta.url, './used-contracts.sql')

/** Newest contracts per wallet that are checked for use. Wallets with more are skipped. */
const MAX_COUNTED = 20_000

/** A contract and its deployer. */
export type Deployed = { address: string; contract: string }

/** Deployers to examine, and the contracts of the large ones. */
export type Deployers = {
  addresses: string[]
  /** Used contracts of the deployers that made more than `MAX_CONTRACTS`. */
  used: readonly Deployed[]
}

/** Loads the deployers of a batch. Issues no query if none made more than `MAX_CONTRACTS`. */
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

/** Loads all contracts of the selected deployers. */
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
