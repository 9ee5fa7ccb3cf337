/**
 * The networks Assay speaks of, as data. Code asks their entries (`schema/networks`, one file each); it never compares
 * network codes. docs/build/adding-a-network.md shows how to add one.
 */
import { NETWORKS } from './networks/all.ts'
import type { NetworkInfo, Operation } from './networks/entry.ts'
import { FAMILIES, type FamilyInfo } from './networks/families.ts'

export { NETWORKS } from './networks/all.ts'
export type { EvmDialect, FinalityRule, NetworkFacts, NetworkInfo, Operation } from './networks/entry.ts'
export type { AddressFamily } from './networks/families.ts'

/** Canonical, upper-case network code. */
export type Network = keyof typeof NETWORKS

/** Codes of all networks, in the order of their entries. Requests, settings and tables spell networks so. */
export const NETWORK_CODES = Object.keys(NETWORKS) as Network[]

/** The network's entry. */
export const networkInfo = (network: Network): NetworkInfo => NETWORKS[network]

/** What the network has in common with others of its family. */
export const familyOf = (network: Network): FamilyInfo => FAMILIES[NETWORKS[network].family]

const byName = (names: (info: NetworkInfo) => readonly string[]): ReadonlyMap<string, Network> =>
  new Map(
    NETWORK_CODES.flatMap((code) =>
      [code.toLowerCase(), ...names(networkInfo(code))].map((name) => [name, code] as const),
    ),
  )

const BY_ALIAS = byName(({ aliases }) => aliases)
const BY_LABEL_ALIAS = byName(({ aliases, labelAliases }) => [...aliases, ...labelAliases])

/** Resolves a code or alias in any case; `undefined` for a name that is no network of ours. */
export const parseNetwork = (name: string): Network | undefined => BY_ALIAS.get(name.toLowerCase())

/** As `parseNetwork`, with the coins and token standards by which files of labels name networks. */
export const parseLabelNetwork = (name: string): Network | undefined => BY_LABEL_ALIAS.get(name.toLowerCase())

/**
 * Networks whose contract enumeration includes the operation, in table order. The first one stands in examples.
 * @throws RangeError when no entry names the operation: the entries are wrong and must be corrected.
 */
export const networksOf = (operation: Operation): [Network, ...Network[]] => {
  const [first, ...others] = NETWORK_CODES.filter((code) => networkInfo(code).operations.includes(operation))
  if (first === undefined) throw new RangeError(`No network offers ${operation}.`)
  return [first, ...others]
}
