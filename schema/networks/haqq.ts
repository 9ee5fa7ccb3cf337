import { ASSETS } from '../facts/assets.ts'
import { DEX_FACTORIES } from '../facts/dexes.ts'
import { SERVICES } from '../facts/services.ts'
import type { NetworkInfo } from './entry.ts'

/**
 * HAQQ, Ethermint on CometBFT: a committed block is final. Addresses may be written in bech32 (Cosmos chain registry). Its
 * public nodes offer no traces, and EIP-6780 is not active.
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
  dialect: { ethermint: true, stateSync: false },
  finality: { kind: 'instant' },
  blockTimeMs: 5_500,
  reorgWindow: 0,
  traces: false,
  eip6780From: null,
  operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  facts: {
    assets: ASSETS.HAQQ,
    bridgedAssets: [],
    tokenBridges: [],
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
