import { MESSAGE_BRIDGES } from '../facts/bridges/message-bridges.ts'
import { ISSUERS, SANCTIONS_ORACLES } from '../facts/compliance/authorities.ts'
import { MIXER_POOLS, MIXER_ROUTERS, PRIVACY_PROTOCOLS } from '../facts/compliance/mixers.ts'
import { DEX_FACTORIES, DEX_ROUTERS } from '../facts/markets/dexes.ts'
import { LOCKERS } from '../facts/markets/lockers.ts'
import { PROTOCOLS } from '../facts/protocols/protocols.ts'
import { SERVICES } from '../facts/protocols/services.ts'
import { ASSETS } from '../facts/tokens/assets.ts'
import { BRIDGED_ASSETS, TOKEN_BRIDGES } from '../facts/tokens/bridged.ts'
import { GAS_TOKENS } from '../facts/tokens/gas-tokens.ts'
import type { NetworkInfo } from './entry.ts'
import { ETHEREUM_DIALECT, finalizedTag } from './evm.ts'

/**
 * BNB Smart Chain. Sources: BEP-126 (fast finality), BEP-619 (blocks of 450 ms), the Haber activation time of bsc's chain
 * configuration. Binance-Peg dollar coins have 18 decimals.
 */
export const BNB: NetworkInfo = {
  code: 'BNB',
  aliases: ['bnb', 'bsc'],
  labelAliases: ['bep20'],
  family: 'evm',
  bech32Prefix: null,
  nativeCoin: { symbol: 'BNB', decimals: 18, dust: 5n * 10n ** 14n, poisoningDust: 5n * 10n ** 15n, per1000Usd: 2 },
  tokenDust: 10n ** 19n,
  chainId: 56,
  genesisHash: '0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b',
  dialect: ETHEREUM_DIALECT,
  finality: finalizedTag(48),
  blockTimeMs: 450,
  timeStep: 1,
  reorgWindow: 256,
  traces: true,
  eip6780From: 1_718_863_500,
  operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  facts: {
    assets: ASSETS.BNB,
    bridgedAssets: BRIDGED_ASSETS.BNB,
    tokenBridges: TOKEN_BRIDGES.BNB,
    bridgeRoutes: [],
    messageBridges: MESSAGE_BRIDGES.BNB,
    sanctionsOracles: SANCTIONS_ORACLES.BNB,
    issuers: ISSUERS.BNB,
    mixerPools: MIXER_POOLS.BNB,
    mixerRouters: MIXER_ROUTERS.BNB,
    privacyProtocols: PRIVACY_PROTOCOLS.BNB,
    dexFactories: DEX_FACTORIES.BNB,
    dexRouters: DEX_ROUTERS.BNB,
    lockers: LOCKERS.BNB,
    services: SERVICES.BNB,
    protocols: PROTOCOLS.BNB,
    gasTokens: GAS_TOKENS.BNB,
    legacyNfts: [],
  },
}
