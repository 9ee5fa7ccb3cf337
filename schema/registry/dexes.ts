import type { DexFactory } from '../facts/dexes.ts'
import { byNetwork } from './entries.ts'

export type { DexFactory, DexRouter } from '../facts/dexes.ts'

/** Contracts that announce pools, by network and canonical address. */
export const DEX_FACTORIES = byNetwork(({ dexFactories }) => dexFactories)

/** Routers, aggregators and position managers, by network and canonical address. */
export const DEX_ROUTERS = byNetwork(({ dexRouters }) => dexRouters)

/**
 * Designs in which the two sides of a trade are worth the same, whoever made the pool. The maker of a pool of Curve may choose an oracle
 * for its coins, and whoever makes one of Balancer writes its rule: swaps there can state any price, at no cost.
 */
export const PRICED_KINDS: readonly DexFactory['kind'][] = ['v2', 'v3', 'v4', 'solidly', 'infinity-cl', 'infinity-bin']
