import { byNetwork } from './entries.ts'

export type { DexFactory, DexRouter } from '../facts/dexes.ts'

/** Contracts that announce pools, by network and canonical address. */
export const DEX_FACTORIES = byNetwork(({ dexFactories }) => dexFactories)

/** Routers, aggregators and position managers, by network and canonical address. */
export const DEX_ROUTERS = byNetwork(({ dexRouters }) => dexRouters)
