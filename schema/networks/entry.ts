/**
 * The shape of a network's entry. Every field is required, so that a new network that leaves one out does not compile;
 * what a network does not have is written as `null`, `0n`, `false` or an empty list.
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

/** Operations of the public contract, by the id used for skills and metrics. */
export type Operation = 'fraud_check' | 'fraud_audit' | 'rug_pull' | 'wallet_segment' | 'credit_score'

/** How a network's blocks become final. `depth` counts blocks on top and is the fallback where a tag is missing. */
export type FinalityRule =
  | { kind: 'tag'; tag: 'finalized' | 'safe'; fallbackDepth: number }
  | { kind: 'depth'; depth: number }
  | { kind: 'instant' }
  | { kind: 'solidified'; depth: number }
  | { kind: 'commitment'; commitment: 'finalized' }
  | { kind: 'masterchain' }

/** A network's own coin and the amounts, in its base units, below which movements of it are dust. */
export type NativeCoin = {
  symbol: string
  decimals: number
  /** Base units. A receipt of less, some ten cents, does not count towards what a wallet was paid. */
  dust: bigint
  /** Base units. The most that counts as dust sent to poison an address book, some dollars; 0 where none is looked at. */
  poisoningDust: bigint
  /**
   * Whole coins that $1,000 bought at the least between 2024 and 2026. Thresholds that rules state in US dollars are
   * converted by this fixed, low price, so that a later recount gives the same verdict.
   */
  per1000Usd: number
}

/** Where the nodes of an EVM network depart from Ethereum's, as far as checks of their answers are concerned. */
export type EvmDialect = {
  /**
   * Receipts may be fewer than transactions for good (Ethermint: transactions that failed before execution are in the
   * block but have no receipt).
   */
  ethermint: boolean
  /**
   * Bor appends a transaction from and to the zero address for state that arrives from Ethereum. Until Madhugiri (block
   * 80,084,800) it and its receipt are outside the header's roots and bloom, and only some clients show them. Since then
   * both are inside, but nodes do not answer what the transaction is made of: the transactions root of such a block
   * cannot be recomputed, its receipts root can.
   */
  stateSync: boolean
  /** What of a block is recomputed and compared with its hash. False where the chain does not commit to it as Ethereum does. */
  verifies: {
    /** Hash of the header over its fields. */
    header: boolean
    /** Root of the transactions, and the hash of each. */
    transactions: boolean
    /** Root of the receipts with their logs. */
    receipts: boolean
  }
}

/** Contracts known on a network, group by group. Addresses in the network's checked spelling. */
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

/** Everything that code may ask about a network. One file of `schema/networks` holds each. */
export type NetworkInfo = {
  code: string
  /** Lower-case names accepted beside the code. */
  aliases: readonly string[]
  /** Lower-case words by which files of labels name the network beside its code and aliases: coins and token standards. */
  labelAliases: readonly string[]
  family: AddressFamily
  /** Human-readable part of addresses that are written in bech32 too (Cosmos chain registry). */
  bech32Prefix: string | null
  nativeCoin: NativeCoin
  /**
   * Base units. A token movement of at most this much counts as dust: $10 of a dollar coin with the decimals that dollar
   * coins usually have on the network.
   */
  tokenDust: bigint
  /** EVM chain id (EIP-155). TRON's is the one its JSON-RPC port answers. */
  chainId: number | null
  /**
   * Hash of block 0, as go-ethereum and its relatives state it, or of Solana's first block; `null` where no fact depends on it.
   * Test networks with the same chain id have another, so that block numbers of the real chain are not taken for theirs.
   */
  genesisHash: string | null
  /** How the answers of its nodes are checked; `null` outside the EVM family. */
  dialect: EvmDialect | null
  finality: FinalityRule
  /** Usual time between blocks, in milliseconds. Watchdogs and polling scale with it. */
  blockTimeMs: number
  /** Seconds of which the times of any two blocks are a whole number apart; 1 where blocks come at any second. */
  timeStep: number
  /** Blocks kept unfinal at most; a reorg deeper than this or than finality stops the network. */
  reorgWindow: number
  /**
   * Nodes of the network offer traces: transfers between contracts, creations by factories and self-destructs are seen.
   * Whether a given node did is noted with each block (`sees_traces`).
   */
  traces: boolean
  /** Activation of EIP-6780, Unix seconds: from then on only a contract's own creating transaction can destroy it. */
  eip6780From: number | null
  operations: readonly Operation[]
  facts: NetworkFacts
}
