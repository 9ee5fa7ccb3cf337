import { byNetwork } from './entries.ts'

export type { CanonicalAsset } from '../facts/assets.ts'

/** Assets everyone knows, by network and canonical address. */
export const ASSETS = byNetwork(({ assets }) => assets)
