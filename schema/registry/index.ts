/**
 * Facts about chains, one look-up per network. The data is in `schema/facts`, and each network's entry lists what applies to it;
 * `entries.ts` builds look-ups from it, and refuses malformed or duplicate addresses when the process starts. Keys are
 * canonical addresses.
 */
import type { Network } from '../networks.ts'
import { ISSUERS, type Issuer, SANCTIONS_ORACLES, type SanctionsOracle } from './authorities.ts'
import {
  ASSETS,
  type CanonicalAsset,
  DEX_FACTORIES,
  DEX_ROUTERS,
  type DexFactory,
  type DexRouter,
  LEGACY_NFTS,
  LOCKERS,
  type Locker,
  MIXER_POOLS,
  MIXER_ROUTERS,
  type MixerPool,
  type MixerRouter,
  PRIVACY_PROTOCOLS,
  SERVICES,
  type Service,
} from './contracts.ts'
import { MESSAGE_BRIDGES, type MessageBridge } from './message-bridges.ts'

export type { AuthorityLog, Issuer, SanctionsOracle } from './authorities.ts'
export { authorityLogsOf, authorityTopics } from './authorities.ts'
export {
  type CanonicalAsset,
  type DexFactory,
  type DexRouter,
  type Locker,
  type MixerPool,
  type MixerRouter,
  PERMIT2,
  type Service,
} from './contracts.ts'
export { EVENTS, type EventName } from './signatures/events.ts'
export { SELECTORS } from './signatures/selectors.ts'

/** The registry of one network. */
export type ChainRegistry = {
  sanctionsOracles: ReadonlyMap<string, SanctionsOracle>
  issuers: ReadonlyMap<string, Issuer>
  mixerPools: ReadonlyMap<string, MixerPool>
  mixerRouters: ReadonlyMap<string, MixerRouter>
  privacyProtocols: ReadonlyMap<string, MixerRouter>
  dexFactories: ReadonlyMap<string, DexFactory>
  dexRouters: ReadonlyMap<string, DexRouter>
  lockers: ReadonlyMap<string, Locker>
  assets: ReadonlyMap<string, CanonicalAsset>
  services: ReadonlyMap<string, Service>
  messageBridges: ReadonlyMap<string, MessageBridge>
  /** NFT collections whose Transfer and Approval events have no indexed arguments, like those of old ERC-20 tokens. */
  legacyNfts: ReadonlyMap<string, { address: string }>
}

/** All look-ups of one network, by canonical address. */
export const registryOf = (network: Network): ChainRegistry => ({
  sanctionsOracles: SANCTIONS_ORACLES[network],
  issuers: ISSUERS[network],
  mixerPools: MIXER_POOLS[network],
  mixerRouters: MIXER_ROUTERS[network],
  privacyProtocols: PRIVACY_PROTOCOLS[network],
  dexFactories: DEX_FACTORIES[network],
  dexRouters: DEX_ROUTERS[network],
  lockers: LOCKERS[network],
  assets: ASSETS[network],
  services: SERVICES[network],
  messageBridges: MESSAGE_BRIDGES[network],
  legacyNfts: LEGACY_NFTS[network],
})

/** The network's wrapped native coin; `undefined` if none is registered. */
export const wrappedNative = (network: Network): CanonicalAsset | undefined => {
  for (const asset of ASSETS[network].values()) if (asset.flags.includes('wrapped')) return asset
  return undefined
}
