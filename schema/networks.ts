/**
 * The supported networks, as data. Code asks their entries (`schema/networks`, one file each) and never compares network
 * codes. docs/build/adding-a-network.md explains how to add one.
 */
import { NETWORKS } from './networks/all.ts'
import type { NetworkInfo, Operation } from './networks/entry.ts'
import { FAMILIES, type FamilyInfo } from './networks/families.ts'

export { NETWORKS } from './networks/all.ts'
export type { EvmDialect, FinalityRule, NetworkFacts, NetworkInfo, Operation } from './networks/entry.ts'
export type { AddressFamily } from './networks/families.ts'

/** Canonical, upper-case network code. */
export type Network = keyof typeof NETWORKS

/** Codes of all networks, in the order of their entries, as used in requests, settings and tables. */
export const NETWORK_CODES = Object.keys(NETWORKS) as Network[]

/** The network's entry. */
export const networkInfo = (network: Network): NetworkInfo => NETWORKS[network]

/** Properties that the network shares with its family. */
export const familyOf = (network: Network): FamilyInfo => FAMILIES[NETWORKS[network].family]

const byName = (names: (info: NetworkInfo) => readonly string[]): ReadonlyMap<string, Network> =>
  new Map(
    NETWORK_CODES.flatMap((code) =>
      [code.toLowerCase(), ...names(networkInfo(code))].map((name) => [name, code] as const),
    ),
  )

const BY_ALIAS = byName(({ aliases }) => aliases)
const BY_LABEL_ALIAS = byName(({ aliases, labelAliases }) => [...aliases, ...labelAliases])

/** Finds a network by code or alias in any case; `undefined` for other names. */
export const parseNetwork = (name: string): Network | undefined => BY_ALIAS.get(name.toLowerCase())

/** Like `parseNetwork`, also by the coins and token standards that name networks in label files. */
export const parseLabelNetwork = (name: string): Network | undefined => BY_LABEL_ALIAS.get(name.toLowerCase())

/**
 * Networks that offer the operation, in table order. Examples use the first one.
 * @throws RangeError when no entry has the operation, which is a mistake in the entries.
 */
export const networksOf = (operation: Operation): [Network, ...Network[]] => {
  const [first, ...others] = NETWORK_CODES.filter((code) => networkInfo(code).operations.includes(operation))
  if (first === undefined) throw new RangeError(`No network offers ${operation}.`)
  return [first, ...others]
}
