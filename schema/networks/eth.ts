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
import { LEGACY_NFTS } from '../facts/tokens/legacy-nfts.ts'
import type { NetworkInfo } from './entry.ts'
import { ETHEREUM_DIALECT, finalizedTag } from './evm.ts'

/**
 * Ethereum. Sources: EIP-3675 (finality), EIP-6780 and the Cancun activation time of go-ethereum's chain configuration,
 * slots of 12 s.
 */
export const ETH: NetworkInfo = {
  code: 'ETH',
  aliases: ['eth', 'ethereum'],
  labelAliases: ['evm', 'erc20'],
  family: 'evm',
  bech32Prefix: null,
  nativeCoin: { symbol: 'ETH', decimals: 18, dust: 10n ** 14n, poisoningDust: 10n ** 15n, per1000Usd: 0.5 },
  tokenDust: 10n ** 7n,
  chainId: 1,
  genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  dialect: ETHEREUM_DIALECT,
  finality: finalizedTag(96),
  blockTimeMs: 12_000,
  // SECONDS_PER_SLOT of the consensus specifications; empty slots are skipped whole.
  timeStep: 12,
  reorgWindow: 128,
  traces: true,
  eip6780From: 1_710_338_135,
  operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment', 'credit_score'],
  facts: {
    assets: ASSETS.ETH,
    bridgedAssets: BRIDGED_ASSETS.ETH,
    tokenBridges: TOKEN_BRIDGES.ETH,
    bridgeRoutes: BRIDGE_ROUTES.ETH,
    messageBridges: MESSAGE_BRIDGES.ETH,
    sanctionsOracles: SANCTIONS_ORACLES.ETH,
    issuers: ISSUERS.ETH,
    mixerPools: MIXER_POOLS.ETH,
    mixerRouters: MIXER_ROUTERS.ETH,
    privacyProtocols: PRIVACY_PROTOCOLS.ETH,
    dexFactories: DEX_FACTORIES.ETH,
    dexRouters: DEX_ROUTERS.ETH,
    lockers: LOCKERS.ETH,
    services: SERVICES.ETH,
    protocols: PROTOCOLS.ETH,
    gasTokens: GAS_TOKENS.ETH,
    legacyNfts: LEGACY_NFTS.ETH,
  },
}
