import { ASSETS } from '../facts/tokens/assets.ts'
import type { NetworkInfo } from './entry.ts'

/**
 * TON: a block is final once a masterchain block refers to it (TON documentation, "Catchain consensus"). Messages between
 * contracts are separate transactions, so that nothing is internal.
 */
export const TON: NetworkInfo = {
  code: 'TON',
  aliases: ['ton'],
  labelAliases: [],
  family: 'ton',
  bech32Prefix: null,
  nativeCoin: { symbol: 'TON', decimals: 9, dust: 5n * 10n ** 7n, poisoningDust: 0n, per1000Usd: 300 },
  tokenDust: 10n ** 7n,
  chainId: null,
  // Root hash of the zero state, from `getMasterchainInfo`.
  genesisHash: '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569',
  dialect: null,
  finality: { kind: 'masterchain' },
  blockTimeMs: 400,
  timeStep: 1,
  reorgWindow: 0,
  traces: true,
  eip6780From: null,
  operations: ['fraud_check'],
  facts: {
    assets: ASSETS.TON,
    bridgedAssets: [],
    tokenBridges: [],
    bridgeRoutes: [],
    messageBridges: [],
    sanctionsOracles: [],
    issuers: [],
    mixerPools: [],
    mixerRouters: [],
    privacyProtocols: [],
    dexFactories: [],
    dexRouters: [],
    lockers: [],
    services: [],
    protocols: [],
    gasTokens: [],
    legacyNfts: [],
  },
}
