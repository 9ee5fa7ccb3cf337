import { parseAddress } from '../address/index.ts'
import { NETWORK_CODES, type Network, networkInfo } from '../networks.ts'

/** A fact about a contract, as the data files state it: the address in its network's checked spelling. */
export type Entry = { address: string }

/** EVM networks of the table, for contracts deployed everywhere at one address. */
export const EVM_NETWORKS: readonly Network[] = NETWORK_CODES.filter((code) => networkInfo(code).family === 'evm')

const canonical = (network: Network, text: string): string => {
  const parsed = parseAddress(network, text)
  if (!parsed.ok) throw new RangeError(`registry entry ${text} of ${network}: ${parsed.reason}`)
  return parsed.canonical
}

/** Facts of one group, by network and canonical address. */
export type ByNetwork<T> = Readonly<Record<Network, ReadonlyMap<string, T>>>

/**
 * Turns the rows of one data file into look-up tables with canonical addresses.
 * @throws RangeError when an address is malformed or stated twice: the data is wrong and must be corrected.
 */
export const byNetwork = <T extends Entry>(data: Partial<Record<Network, readonly T[]>>): ByNetwork<T> => {
  const tables = NETWORK_CODES.map((network) => {
    const table = new Map<string, T>()
    for (const entry of data[network] ?? []) {
      const address = canonical(network, entry.address)
      if (table.has(address)) throw new RangeError(`registry entry ${entry.address} of ${network} is stated twice`)
      table.set(address, { ...entry, address })
    }
    return [network, table] as const
  })
  return Object.fromEntries(tables) as Record<Network, Map<string, T>>
}

/** States the same entries for several networks. */
export const onNetworks = <T>(networks: readonly Network[], entries: readonly T[]): Partial<Record<Network, T[]>> =>
  Object.fromEntries(networks.map((network) => [network, [...entries]]))

/** Joins data tables: entries of the same network are appended. */
export const joined = <T>(...tables: Partial<Record<Network, readonly T[]>>[]): Partial<Record<Network, T[]>> => {
  const result: Partial<Record<Network, T[]>> = {}
  for (const table of tables)
    for (const network of NETWORK_CODES)
      if (table[network]) result[network] = [...(result[network] ?? []), ...table[network]]
  return result
}
