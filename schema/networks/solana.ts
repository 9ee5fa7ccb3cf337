import { PROTOCOLS } from '../facts/protocols/protocols.ts'
import { ASSETS } from '../facts/tokens/assets.ts'
import type { NetworkInfo } from './entry.ts'

/**
 * Solana: finality is a commitment level (Solana RPC documentation, "Configuring State Commitment"), slots of 400 ms; genesis
 * hash of mainnet from Coinbase's CDP SDK and the `solana` namespace of CAIP-2. Inner instructions are part of the block.
 */
export const SOLANA: NetworkInfo = {
  code: 'SOLANA',
  aliases: ['solana'],
  labelAliases: ['sol'],
  family: 'solana',
  bech32Prefix: null,
  nativeCoin: { symbol: 'SOL', decimals: 9, dust: 10n ** 6n, poisoningDust: 0n, per1000Usd: 8 },
  tokenDust: 10n ** 7n,
  chainId: null,
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  dialect: null,
  finality: { kind: 'commitment', commitment: 'finalized' },
  blockTimeMs: 400,
  timeStep: 1,
  reorgWindow: 64,
  traces: true,
  eip6780From: null,
  operations: ['fraud_audit', 'wallet_segment'],
  facts: {
    assets: ASSETS.SOLANA,
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
    protocols: PROTOCOLS.SOLANA,
    gasTokens: [],
    legacyNfts: [],
  },
}
