import type { EvmDialect, FinalityRule } from './entry.ts'

/** Blocks are verified in full. */
export const VERIFIES_ALL: EvmDialect['verifies'] = { header: true, transactions: true, receipts: true }

/** Nodes answer as Ethereum's do. */
export const ETHEREUM_DIALECT: EvmDialect = { ethermint: false, stateSync: false, verifies: VERIFIES_ALL }

/** Nodes answer the `finalized` block tag; `fallbackDepth` blocks on top count as final where one does not. */
export const finalizedTag = (fallbackDepth: number): FinalityRule => ({ kind: 'tag', tag: 'finalized', fallbackDepth })
