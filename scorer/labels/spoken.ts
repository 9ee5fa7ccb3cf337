/** Of whom labels and lists may speak, before anybody asks what they say. */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { accountKey, addressOfKey } from '../../schema/address/index.ts'
import { NETWORK_CODES, type Network } from '../../schema/networks.ts'
import type { Tiers } from '../features/tiers.ts'

const SPOKEN_OF = readSql(import.meta.url, './sql/spoken-of.sql')

export type Spoken = {
  network: Network
  address: string
  /** 1 when a list speaks of it, 0 when only labels do. */
  listed: 0 | 1
}

const NOBODY = { dealers: [], tiers: { hot: new Set<string>() } }

/** Spellings of the addresses on every network that shares their keys, with the address asked about. */
export const spellings = (network: Network, addresses: readonly string[]) => {
  const askedOf = new Map<string, string>()
  const networks = new Set<Network>([network])
  for (const address of addresses) {
    askedOf.set(`${network}:${address}`, address)
    const key = accountKey(network, address)
    if (key === undefined) continue
    for (const other of NETWORK_CODES) {
      const there = addressOfKey(other, key)
      if (there === undefined) continue
      networks.add(other)
      askedOf.set(`${other}:${there}`, address)
    }
  }
  const all = [...new Set([...askedOf.keys()].map((name) => name.slice(name.indexOf(':') + 1)))]
  return { askedOf, networks: [...networks], all }
}

/** Those of the addresses, on any network that shares their keys, and of the direct counterparties of the `dealers`. */
export const loadSpoken = (
  store: Store,
  network: Network,
  addresses: readonly string[],
  { dealers, tiers }: { dealers: readonly string[]; tiers: Pick<Tiers, 'hot'> } = NOBODY,
): Promise<Spoken[]> => {
  const { networks, all } = spellings(network, addresses)
  const edges = tiers.hot.size > 0 ? 'wallet_counterparties' : 'wallet_edges'
  return store.query(SPOKEN_OF, { network, networks, addresses: all, edges, dealers }, { route: 'spoken_of' })
}
