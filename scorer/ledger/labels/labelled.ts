/** Addresses that have a label or are on a list, looked up before their labels are. */
import { readSql } from '../../../platform/store/sql.ts'
import { accountKey, addressOfKey } from '../../../schema/address/index.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import type { TieredStore, Tiers } from '../tiers.ts'

const LABELLED = readSql(import.meta.url, './sql/labelled.sql')

export type LabelledAddress = {
  network: Network
  address: string
  /** 1 when it is on a list, 0 when it has labels only. */
  listed: 0 | 1
}

const NOBODY = { dealers: [], tiers: { hot: new Set<string>() } }

/** How addresses are written on the networks that share their keys; one text is never two accounts. */
export type AddressAliases = {
  networks: Network[]
  /** The address asked about, by each of its aliases. */
  askedOf: ReadonlyMap<string, string>
}

/** Aliases of the addresses on their own network and on every one that shares their keys. */
export const addressAliases = (network: Network, addresses: Iterable<string>): AddressAliases => {
  const askedOf = new Map<string, string>()
  const networks = new Set<Network>([network])
  for (const address of addresses) {
    askedOf.set(address, address)
    const key = accountKey(network, address)
    if (key === undefined) continue
    for (const other of NETWORK_CODES) {
      const there = addressOfKey(other, key)
      if (there === undefined) continue
      networks.add(other)
      askedOf.set(there, address)
    }
  }
  return { networks: [...networks], askedOf }
}

/** Those of the aliases, and of the direct counterparties of the `dealers`, that have a label or are on a list. */
export const loadLabelled = (
  store: TieredStore,
  network: Network,
  { networks, askedOf }: AddressAliases,
  { dealers, tiers }: { dealers: readonly string[]; tiers: Pick<Tiers, 'hot'> } = NOBODY,
): Promise<LabelledAddress[]> => {
  const addresses = [...askedOf.keys()]
  const tiered = store.reading(tiers.hot.size > 0 ? 'all' : 'final')
  return tiered.query(LABELLED, { network, networks, addresses, dealers }, { route: 'labelled_addresses' })
}
