import { DEX_FACTORIES } from '../facts/markets/dexes.ts'
import { SERVICES } from '../facts/protocols/services.ts'
import { ASSETS } from '../facts/tokens/assets.ts'
import type { NetworkInfo } from './entry.ts'

/**
 * HAQQ, Ethermint on CometBFT: a committed block is final (CometBFT documentation). Addresses may be in bech32 (Cosmos chain
 * registry). Not all nodes offer traces. No activation of EIP-6780 is known, so the old rule of self-destructs applies.
 */
export const HAQQ: NetworkInfo = {
  code: 'HAQQ',
  aliases: ['haqq'],
  labelAliases: [],
  family: 'evm',
  bech32Prefix: 'haqq',
  nativeCoin: {
    symbol: 'ISLM',
    decimals: 18,
    dust: 5n * 10n ** 18n,
    poisoningDust: 5n * 10n ** 18n,
    per1000Usd: 20_000,
  },
  tokenDust: 10n ** 7n,
  chainId: 11_235,
  genesisHash: null,
  // The hash is CometBFT's, and the roots are not those of Merkle Patricia tries: only links between blocks are checked.
  dialect: {
    ethermint: true,
    stateSync: false,
    verifies: { header: false, transactions: false, receipts: false },
  },
  finality: { kind: 'instant' },
  blockTimeMs: 5_500,
  timeStep: 1,
  reorgWindow: 0,
  traces: false,
  eip6780From: null,
  operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  facts: {
    assets: ASSETS.HAQQ,
    bridgedAssets: [],
    tokenBridges: [],
    bridgeRoutes: [],
    messageBridges: [],
    sanctionsOracles: [],
    issuers: [],
    mixerPools: [],
    mixerRouters: [],
    privacyProtocols: [],
    dexFactories: DEX_FACTORIES.HAQQ,
    dexRouters: [],
    lockers: [],
    services: SERVICES.EVM,
    protocols: [],
    gasTokens: [],
    legacyNfts: [],
  },
}
