/**
 * Type of a network's entry. Every field is required, so that an incomplete entry does not compile; absent features are
 * `null`, `0n`, `false` or an empty list.
 */

import type { BridgeRoute } from '../facts/bridges/bridge-routes.ts'
import type { MessageBridge } from '../facts/bridges/message-bridges.ts'
import type { Issuer, SanctionsOracle } from '../facts/compliance/authorities.ts'
import type { MixerPool, MixerRouter } from '../facts/compliance/mixers.ts'
import type { DexFactory, DexRouter } from '../facts/markets/dexes.ts'
import type { Locker } from '../facts/markets/lockers.ts'
import type { Protocol } from '../facts/protocols/protocol.ts'
import type { Service } from '../facts/protocols/services.ts'
import type { CanonicalAsset } from '../facts/tokens/assets.ts'
import type { BridgedAsset, TokenBridge } from '../facts/tokens/bridged.ts'
import type { GasToken } from '../facts/tokens/gas-tokens.ts'
import type { LegacyNft } from '../facts/tokens/legacy-nfts.ts'
import type { AddressFamily } from './families.ts'

/** Operations of the public API, by their ids in skills and metrics. */
export type Operation = 'fraud_check' | 'fraud_audit' | 'rug_pull' | 'wallet_segment' | 'credit_score'

/** How blocks become final. `depth` counts blocks on top; it is the fallback when a node does not know the tag. */
export type FinalityRule =
  | { kind: 'tag'; tag: 'finalized' | 'safe'; fallbackDepth: number }
  | { kind: 'depth'; depth: number }
  | { kind: 'instant' }
  | { kind: 'solidified'; depth: number }
  | { kind: 'commitment'; commitment: 'finalized' }
  | { kind: 'masterchain' }

/** A network's native coin, and the amounts in base units below which its movements are dust. */
export type NativeCoin = {
  symbol: string
  decimals: number
  /** Base units. Smaller receipts, about ten cents, do not count as payments to a wallet. */
  dust: bigint
  /** Base units. Maximum amount of address-poisoning dust, a few dollars; 0 if it is not detected. */
  poisoningDust: bigint
  /**
   * Whole coins for $1,000, at a low price between 2024 and 2026. Rules' thresholds in US dollars are converted at this fixed
   * price, so that a later recount gives the same verdict.
   */
  per1000Usd: number
}

/** How the nodes of an EVM network differ from Ethereum's, as far as checks of their answers are concerned. */
export type EvmDialect = {
  /**
   * Some transactions never have a receipt (Ethermint: transactions that failed before execution are in the block without a
   * receipt).
   */
  ethermint: boolean
  /**
   * Bor appends a transaction from and to the zero address for state that arrives from Ethereum. Before Madhugiri (block
   * 80,084,800) it and its receipt are outside the header's roots and bloom, and only some clients show them. Since then both
   * are inside, but nodes do not return the transaction's content: the transactions root of such a block cannot be recomputed,
   * its receipts root can.
   */
  stateSync: boolean
  /** Parts of a block that are recomputed and compared with its hash. False if the chain does not commit to them as Ethereum does. */
  verifies: {
    /** Hash of the header over its fields. */
    header: boolean
    /** Root of the transactions, and the hash of each. */
    transactions: boolean
    /** Root of the receipts with their logs. */
    receipts: boolean
  }
}

/** Known contracts of a network, by group. Addresses in the network's checksummed notation. */
export type NetworkFacts = {
  assets: readonly CanonicalAsset[]
  bridgedAssets: readonly BridgedAsset[]
  tokenBridges: readonly TokenBridge[]
  bridgeRoutes: readonly BridgeRoute[]
  messageBridges: readonly MessageBridge[]
  sanctionsOracles: readonly SanctionsOracle[]
  issuers: readonly Issuer[]
  mixerPools: readonly MixerPool[]
  mixerRouters: readonly MixerRouter[]
  privacyProtocols: readonly MixerRouter[]
  dexFactories: readonly DexFactory[]
  dexRouters: readonly DexRouter[]
  lockers: readonly Locker[]
  services: readonly Service[]
  protocols: readonly Protocol[]
  gasTokens: readonly GasToken[]
  legacyNfts: readonly LegacyNft[]
}

/** Everything that code may ask about a network. One file in `schema/networks` per network. */
export type NetworkInfo = {
  code: string
  /** Lower-case names accepted besides the code. */
  aliases: readonly string[]
  /** More lower-case names of the network in label files: coins and token standards. */
  labelAliases: readonly string[]
  family: AddressFamily
  /** Human-readable part of bech32 addresses, if the network also uses them (Cosmos chain registry). */
  bech32Prefix: string | null
  nativeCoin: NativeCoin
  /**
   * Base units. Token movements of at most this amount count as dust: $10 of a dollar coin with the decimals usual on the
   * network.
   */
  tokenDust: bigint
  /** EVM chain id (EIP-155). For TRON, that of its JSON-RPC port. */
  chainId: number | null
  /**
   * Hash of block 0, as go-ethereum and its forks state it, or of Solana's first block; `null` if no fact depends on it. Test
   * networks with the same chain id have another hash, so that block numbers of the real chain are not applied to them.
   */
  genesisHash: string | null
  /** How the answers of its nodes are verified; `null` outside the EVM family. */
  dialect: EvmDialect | null
  finality: FinalityRule
  /** Usual time between blocks, ms. Watchdogs and polling scale with it. */
  blockTimeMs: number
  /** Times of blocks differ by multiples of this many seconds; 1 if blocks come at any second. */
  timeStep: number
  /** Maximum number of unfinalized blocks; a reorg deeper than this, or below finality, stops the network. */
  reorgWindow: number
  /**
   * Whether nodes of the network usually offer traces, which show transfers between contracts, creations by factories and
   * self-destructs. Each block records whether its node did (`sees_traces`).
   */
  traces: boolean
  /** Activation of EIP-6780, Unix seconds: since then only a contract's own creating transaction can destroy it. */
  eip6780From: number | null
  operations: readonly Operation[]
  facts: NetworkFacts
}
