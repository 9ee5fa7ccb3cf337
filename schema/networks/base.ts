import { BRIDGE_ROUTES } from '../facts/bridges/bridge-routes.ts'
import { MESSAGE_BRIDGES } from '../facts/bridges/message-bridges.ts'
import { ISSUERS, SANCTIONS_ORACLES } from '../facts/compliance/authorities.ts'
import { DEX_FACTORIES, DEX_ROUTERS } from '../facts/markets/dexes.ts'
import { LOCKERS } from '../facts/markets/lockers.ts'
import { PROTOCOLS } from '../facts/protocols/protocols.ts'
import { SERVICES } from '../facts/protocols/services.ts'
import { ASSETS } from '../facts/tokens/assets.ts'
import { TOKEN_BRIDGES } from '../facts/tokens/bridged.ts'
import { GAS_TOKENS } from '../facts/tokens/gas-tokens.ts'
import type { NetworkInfo } from './entry.ts'
import { ETHEREUM_DIALECT, finalizedTag } from './evm.ts'

/**
 * Base, an OP Stack rollup: blocks of 2 s, final when the L1 block that contains them is. Sources: OP Stack specification,
 * Ecotone's activation time in the superchain registry.
 */
export const BASE: NetworkInfo = {
  code: 'BASE',
  aliases: ['base'],
  labelAliases: [],
  family: 'evm',
  bech32Prefix: null,
  nativeCoin: { symbol: 'ETH', decimals: 18, dust: 10n ** 14n, poisoningDust: 10n ** 15n, per1000Usd: 0.5 },
  tokenDust: 10n ** 7n,
  chainId: 8453,
  genesisHash: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
  dialect: ETHEREUM_DIALECT,
  finality: finalizedTag(900),
  blockTimeMs: 2_000,
  // The block time of the rollup configuration, which each block adds to its parent's time (OP Stack specifications).
  timeStep: 2,
  reorgWindow: 1_024,
  traces: true,
  eip6780From: 1_710_374_401,
  operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  facts: {
    assets: ASSETS.BASE,
    bridgedAssets: [],
    tokenBridges: TOKEN_BRIDGES.BASE,
    bridgeRoutes: BRIDGE_ROUTES.BASE,
    messageBridges: MESSAGE_BRIDGES.BASE,
    sanctionsOracles: SANCTIONS_ORACLES.BASE,
    issuers: ISSUERS.BASE,
    mixerPools: [],
    mixerRouters: [],
    privacyProtocols: [],
    dexFactories: DEX_FACTORIES.BASE,
    dexRouters: DEX_ROUTERS.BASE,
    lockers: LOCKERS.BASE,
    services: SERVICES.BASE,
    protocols: PROTOCOLS.BASE,
    gasTokens: GAS_TOKENS.BASE,
    legacyNfts: [],
  },
}
