/** Identity of an address according to lists, detectors, the registry and the tables. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { addressAliases } from '../../../schema/address/aliases.ts'
import type { Network } from '../../../schema/networks.ts'
import { loadAttributions } from '../exposure/attribution.ts'
import { type Label, loadKnown } from '../labels/known.ts'
import { loadLabelled } from '../labels/labelled.ts'
import { loadFetched } from '../past/fetched.ts'
import { readSettled } from '../reading/settled.ts'
import { createTieredStore, loadTiers } from '../reading/tiers.ts'

const SEEN = readSql(import.meta.url, './seen.sql')
const CONTRACTS = readSql(import.meta.url, '../labels/sql/contracts.sql')

/** Identity of an address. Contains no verdict. */
export type Identity = {
  /** Name from a list or the registry. */
  name: string | undefined
  category: string | undefined
  /** Labels in force, including those of the same key on other networks. */
  labels: readonly Label[]
  /** Whether the tables know it as a contract. */
  contract: boolean
  /** Unix seconds; `undefined` if no stored row names the address. */
  seen: { first: number; last: number } | undefined
}

/** @throws RetryableError as `readSettled` does. */
export const loadIdentity = (store: Store, network: Network, address: string): Promise<Identity> =>
  readSettled(store, network, async (heights) => {
    const [{ hot }, fetched] = await Promise.all([
      loadTiers(store, network, [address], heights),
      loadFetched(store, network, [address]),
    ])
    const tiered = createTieredStore(store, fetched.size > 0 ? 'whole' : hot.size > 0 ? 'all' : 'final')
    const aliases = addressAliases(network, [address])
    const params = { network, address }
    const [labelled, attributions, contracts, [seen]] = await Promise.all([
      loadLabelled(tiered, network, aliases),
      loadAttributions(tiered, network, [address], new Map()),
      tiered.query(CONTRACTS, { networks: [network], addresses: [address] }, { route: 'label_contracts' }),
      tiered.query<{ first: number; last: number }>(SEEN, params, { route: 'identity_seen' }),
    ])
    const known = await loadKnown(tiered, network, aliases, labelled)
    const { name, category } = attributions.get(address) ?? {}
    return { name, category, labels: known.get(address)?.labels ?? [], contract: contracts.length > 0, seen }
  })
