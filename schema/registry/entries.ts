import { parseAddress } from '../address/index.ts'
import { NETWORK_CODES, type Network, type NetworkFacts, networkInfo } from '../networks.ts'

/** An entry of the data files, with the address in its network's checksummed notation. */
export type Entry = { address: string }

const canonical = (network: Network, text: string): string => {
  const parsed = parseAddress(network, text)
  if (!parsed.ok) throw new RangeError(`registry entry ${text} of ${network}: ${parsed.reason}`)
  return parsed.canonical
}

/** One group of facts, by network and canonical address. */
export type ByNetwork<T> = Readonly<Record<Network, ReadonlyMap<string, T>>>

/**
 * Builds look-up tables with canonical addresses from one group of facts.
 * @throws RangeError when an address is malformed or listed twice, which is a mistake in the data.
 */
export const byNetwork = <T extends Entry>(group: (facts: NetworkFacts) => readonly T[]): ByNetwork<T> => {
  const tables = NETWORK_CODES.map((network) => {
    const table = new Map<string, T>()
    for (const entry of group(networkInfo(network).facts)) {
      const address = canonical(network, entry.address)
      if (table.has(address)) throw new RangeError(`registry entry ${entry.address} of ${network} is stated twice`)
      table.set(address, { ...entry, address })
    }
    return [network, table] as const
  })
  return Object.fromEntries(tables) as Record<Network, Map<string, T>>
}
