import { NETWORK_CODES, type Network } from '../networks.ts'
import { accountKey, addressOfKey } from './index.ts'

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
