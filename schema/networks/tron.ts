import { ISSUERS } from '../facts/compliance/authorities.ts'
import { ASSETS } from '../facts/tokens/assets.ts'
import type { NetworkInfo } from './entry.ts'

/** TRON: a block is solid once 19 of the 27 super representatives have built on it (TRON developer docs); blocks of 3 s. */
export const TRON: NetworkInfo = {
  code: 'TRON',
  aliases: ['tron'],
  labelAliases: ['trx', 'trc20', 'usdt_tron'],
  family: 'tron',
  bech32Prefix: null,
  nativeCoin: { symbol: 'TRX', decimals: 6, dust: 10n ** 6n, poisoningDust: 5n * 10n ** 6n, per1000Usd: 5_000 },
  tokenDust: 10n ** 7n,
  chainId: 728_126_428,
  genesisHash: null,
  dialect: null,
  finality: { kind: 'solidified', depth: 19 },
  blockTimeMs: 3_000,
  timeStep: 1,
  reorgWindow: 30,
  traces: true,
  eip6780From: null,
  operations: ['fraud_check'],
  facts: {
    assets: ASSETS.TRON,
    bridgedAssets: [],
    tokenBridges: [],
    bridgeRoutes: [],
    messageBridges: [],
    sanctionsOracles: [],
    issuers: ISSUERS.TRON,
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
