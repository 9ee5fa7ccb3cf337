import { PROTOCOLS } from '../facts/protocols/protocols.ts'
import { SERVICES } from '../facts/protocols/services.ts'
import { ASSETS } from '../facts/tokens/assets.ts'
import type { NetworkInfo } from './entry.ts'

/**
 * Solana: finality is a commitment level (Solana RPC documentation, "Configuring State Commitment"), slots of 400 ms; genesis
 * hash of mainnet from Coinbase's CDP SDK and the `solana` namespace of CAIP-2. Inner instructions are part of the block.
 * Dust is above the deposit of a token account, which anybody pays who sends a token: 2,039,280 lamports for 165 bytes, up to
 * 2,289,840 with the extensions that mints require (rent: 6,960 lamports for a byte, and for 128 more).
 */
export const SOLANA: NetworkInfo = {
  code: 'SOLANA',
  aliases: ['solana'],
  labelAliases: ['sol'],
  family: 'solana',
  bech32Prefix: null,
  nativeCoin: { symbol: 'SOL', decimals: 9, dust: 25n * 10n ** 5n, poisoningDust: 0n, per1000Usd: 8 },
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
    services: SERVICES.SOLANA,
    protocols: PROTOCOLS.SOLANA,
    gasTokens: [],
    legacyNfts: [],
  },
}
