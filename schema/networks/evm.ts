import type { EvmDialect, FinalityRule } from './entry.ts'

/** Everything in a block is verified. */
export const VERIFIES_ALL: EvmDialect['verifies'] = { header: true, transactions: true, receipts: true }

/** Nodes behave like Ethereum's. */
export const ETHEREUM_DIALECT: EvmDialect = { ethermint: false, stateSync: false, verifies: VERIFIES_ALL }

/** Finality by the `finalized` block tag; blocks `fallbackDepth` deep count as final if a node does not know it. */
export const finalizedTag = (fallbackDepth: number): FinalityRule => ({ kind: 'tag', tag: 'finalized', fallbackDepth })
