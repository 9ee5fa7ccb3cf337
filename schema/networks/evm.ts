import type { EvmDialect, FinalityRule } from './entry.ts'

/** Nodes answer as Ethereum's do. */
export const ETHEREUM_DIALECT: EvmDialect = { ethermint: false, stateSync: false }

/** Nodes answer the `finalized` block tag; `fallbackDepth` blocks on top count as final where one does not. */
export const finalizedTag = (fallbackDepth: number): FinalityRule => ({ kind: 'tag', tag: 'finalized', fallbackDepth })
