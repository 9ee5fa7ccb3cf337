import { NETWORK_CODES, type Network } from '../networks.ts'
import { accountKey, addressOfKey } from './index.ts'

/** Notations of the same accounts on networks that share keys. One notation never names two accounts. */
export type AddressAliases = {
  networks: Network[]
  /** The requested address, by each of its aliases. */
  askedOf: ReadonlyMap<string, string>
}

/** Aliases of addresses on their own network and on all networks that share their keys. */
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
