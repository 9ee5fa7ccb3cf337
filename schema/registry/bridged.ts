import { byNetwork } from './entries.ts'

/** Genuine bridged forms of canonical assets, by network and canonical address. */
export const BRIDGED_ASSETS = byNetwork(({ bridgedAssets }) => bridgedAssets)

/** Contracts that create bridged tokens on anyone's call, by network and canonical address. */
export const TOKEN_BRIDGES = byNetwork(({ tokenBridges }) => tokenBridges)
