import { BRIDGE_ROUTES } from '../facts/bridges/bridge-routes.ts'
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
import { finalizedTag, VERIFIES_ALL } from './evm.ts'

/**
 * Polygon PoS. Sources: Heimdall's milestones (finality), blocks of 2 s, Napoli's activation to the hour. Bor shows state sync
 * transactions.
 */
export const POLYGON: NetworkInfo = {
  code: 'POLYGON',
  aliases: ['polygon'],
  labelAliases: ['matic', 'pol'],
  family: 'evm',
  bech32Prefix: null,
  nativeCoin: { symbol: 'POL', decimals: 18, dust: 5n * 10n ** 17n, poisoningDust: 5n * 10n ** 18n, per1000Usd: 2_000 },
  tokenDust: 10n ** 7n,
  chainId: 137,
  genesisHash: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
  dialect: { ethermint: false, stateSync: true, verifies: VERIFIES_ALL },
  finality: finalizedTag(256),
  blockTimeMs: 2_000,
  timeStep: 1,
  reorgWindow: 256,
  traces: true,
  eip6780From: 1_710_946_800,
  operations: ['fraud_check'],
  facts: {
    assets: ASSETS.POLYGON,
    bridgedAssets: BRIDGED_ASSETS.POLYGON,
    tokenBridges: TOKEN_BRIDGES.POLYGON,
    bridgeRoutes: BRIDGE_ROUTES.POLYGON,
    messageBridges: MESSAGE_BRIDGES.POLYGON,
    sanctionsOracles: SANCTIONS_ORACLES.POLYGON,
    issuers: ISSUERS.POLYGON,
    mixerPools: MIXER_POOLS.POLYGON,
    mixerRouters: MIXER_ROUTERS.POLYGON,
    privacyProtocols: PRIVACY_PROTOCOLS.POLYGON,
    dexFactories: DEX_FACTORIES.POLYGON,
    dexRouters: DEX_ROUTERS.POLYGON,
    lockers: LOCKERS.POLYGON,
    services: SERVICES.EVM,
    protocols: PROTOCOLS.POLYGON,
    gasTokens: GAS_TOKENS.POLYGON,
    legacyNfts: [],
  },
}
