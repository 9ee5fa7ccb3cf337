import { byNetwork } from './entries.ts'

export type { MixerPool, MixerRouter } from '../facts/mixers.ts'

/** Pools of mixers, by network and canonical address. */
export const MIXER_POOLS = byNetwork(({ mixerPools }) => mixerPools)

/** Routers of mixers, by network and canonical address. */
export const MIXER_ROUTERS = byNetwork(({ mixerRouters }) => mixerRouters)

/** Privacy systems that are no mixers, by network and canonical address. */
export const PRIVACY_PROTOCOLS = byNetwork(({ privacyProtocols }) => privacyProtocols)
