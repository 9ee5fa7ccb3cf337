/** Facts about single contracts, by network and canonical address. */
import type { DexFactory } from '../facts/markets/dexes.ts'
import { byNetwork } from './entries.ts'

export type { MixerPool, MixerRouter } from '../facts/compliance/mixers.ts'
export type { DexFactory, DexRouter } from '../facts/markets/dexes.ts'
export type { Locker } from '../facts/markets/lockers.ts'
export { type CurveDesign, PERMIT2, type Service, type ServiceKind } from '../facts/protocols/services.ts'
export type { CanonicalAsset } from '../facts/tokens/assets.ts'

/** Well-known assets. */
export const ASSETS = byNetwork(({ assets }) => assets)

/** Genuine bridged versions of canonical assets. */
export const BRIDGED_ASSETS = byNetwork(({ bridgedAssets }) => bridgedAssets)

/** Contracts that create bridged tokens for any caller. */
export const TOKEN_BRIDGES = byNetwork(({ tokenBridges }) => tokenBridges)

/** Tokens that gas can be turned into. */
export const GAS_TOKENS = byNetwork(({ gasTokens }) => gasTokens)

/** NFT collections whose Transfer and Approval events have no indexed arguments, like those of old ERC-20 tokens. */
export const LEGACY_NFTS = byNetwork(({ legacyNfts }) => legacyNfts)

/** Contracts that announce pools. */
export const DEX_FACTORIES = byNetwork(({ dexFactories }) => dexFactories)

/** Routers, aggregators and position managers. */
export const DEX_ROUTERS = byNetwork(({ dexRouters }) => dexRouters)

/**
 * Designs in which both sides of a trade have the same value, whoever created the pool. The creator of a Curve pool may choose an
 * oracle for its coins, and the creator of a Balancer pool writes its pricing rule, so swaps there can state any price at no
 * cost.
 */
export const PRICED_KINDS: readonly DexFactory['kind'][] = ['v2', 'v3', 'v4', 'solidly', 'infinity-cl', 'infinity-bin']

/** Contracts that hold liquidity until a date. */
export const LOCKERS = byNetwork(({ lockers }) => lockers)

/** Pools of mixers. */
export const MIXER_POOLS = byNetwork(({ mixerPools }) => mixerPools)

/** Routers of mixers. */
export const MIXER_ROUTERS = byNetwork(({ mixerRouters }) => mixerRouters)

/** Privacy systems that are not mixers. */
export const PRIVACY_PROTOCOLS = byNetwork(({ privacyProtocols }) => privacyProtocols)

/** Public infrastructure. */
export const SERVICES = byNetwork(({ services }) => services)
