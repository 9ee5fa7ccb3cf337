import type { Network } from '../../../schema/networks.ts'

/** Where the nodes of a network depart from Ethereum's, as far as checks are concerned. */
export type Dialect = {
  /**
   * Receipts may be fewer than transactions for good (Ethermint: transactions that failed before execution are in the
   * block but have no receipt), and headers carry neither a hash over themselves nor a bloom over all logs.
   */
  ethermint: boolean
  /**
   * Bor appends a transaction from and to the zero address for state that arrives from Ethereum. It and its receipt are
   * outside the header's roots and bloom, and only some clients show them.
   */
  stateSync: boolean
}

const ETHEREUM: Dialect = { ethermint: false, stateSync: false }

const DIALECTS: Partial<Record<Network, Dialect>> = {
  HAQQ: { ethermint: true, stateSync: false },
  POLYGON: { ethermint: false, stateSync: true },
}

export const dialectOf = (network: Network): Dialect => DIALECTS[network] ?? ETHEREUM
