import type { AddressFamily, Network, Operation } from '../../../schema/networks.ts'

/** The networks of the contract. The server writes this module from their entries. */
export const NETWORKS: readonly {
  code: Network
  chainId: number | null
  family: AddressFamily
  operations: readonly Operation[]
}[]
