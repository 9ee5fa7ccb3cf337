/** Of whom labels and lists may speak, before anybody asks what they say. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { accountKey, addressOfKey } from '../../../schema/address/index.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import type { Tiers } from '../tiers.ts'

const SPOKEN_OF = readSql(import.meta.url, './sql/spoken-of.sql')

export type Spoken = {
  network: Network
  address: string
  /** 1 when a list speaks of it, 0 when only labels do. */
  listed: 0 | 1
}

const NOBODY = { dealers: [], tiers: { hot: new Set<string>() } }

/** How addresses are written on the networks that share their keys; one text is never two accounts. */
export type Spellings = {
  networks: Network[]
  /** The address asked about, by its spellings. */
  askedOf: ReadonlyMap<string, string>
}

/** Spellings of the addresses on their own network and on every one that shares their keys. */
export const spellings = (network: Network, addresses: Iterable<string>): Spellings => {
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

/** Those of the spellings, and of the direct counterparties of the `dealers`, that anybody may speak of. */
export const loadSpoken = (
  store: Store,
  network: Network,
  { networks, askedOf }: Spellings,
  { dealers, tiers }: { dealers: readonly string[]; tiers: Pick<Tiers, 'hot'> } = NOBODY,
): Promise<Spoken[]> => {
  const addresses = [...askedOf.keys()]
  const edges = tiers.hot.size > 0 ? 'wallet_counterparties' : 'wallet_edges'
  return store.query(SPOKEN_OF, { network, networks, addresses, edges, dealers }, { route: 'labelled_addresses' })
}
