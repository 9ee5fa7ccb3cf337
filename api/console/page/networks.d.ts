import type { AddressFamily, Network, Operation } from '../../../schema/networks.ts'

/** The networks of the contract. The server generates this module from the network registry. */
export const NETWORKS: readonly {
  code: Network
  chainId: number | null
  family: AddressFamily
  operations: readonly Operation[]
}[]
