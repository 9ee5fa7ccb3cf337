/**
 * The networks Assay speaks of, as data. Code asks this table; it never compares network codes.
 *
 * Finality sources: ETH/POLYGON/BASE/BNB answer the `finalized` block tag (EIP-3675 and the networks' own nodes);
 * HAQQ is CometBFT, where a committed block is final; TRON solidifies after 19 of 27 representatives built on a block;
 * Solana has commitment levels; TON blocks are final once a masterchain block refers to them.
 */

/** Operations of the public contract, by the id used for skills and metrics. */
export type Operation = 'fraud_check' | 'fraud_audit' | 'rug_pull' | 'wallet_segment' | 'credit_score'

/** Address codec family: decides parsing, checking and canonical text. */
export type AddressFamily = 'evm' | 'tron' | 'ton' | 'solana'

/** How a network's blocks become final. `depth` counts blocks on top and is the fallback where a tag is missing. */
export type FinalityRule =
  | { kind: 'tag'; tag: 'finalized' | 'safe'; fallbackDepth: number }
  | { kind: 'depth'; depth: number }
  | { kind: 'instant' }
  | { kind: 'solidified'; depth: number }
  | { kind: 'commitment'; commitment: 'finalized' }
  | { kind: 'masterchain' }

export type NetworkInfo = {
  code: string
  /** Lower-case spellings accepted beside the code. */
  aliases: readonly string[]
  family: AddressFamily
  /** `dust`: amounts below this many base units (some ten cents) say nothing about who receives them. */
  nativeCoin: { symbol: string; decimals: number; dust: bigint }
  /** Token movements of at most this many base units are dust: ten whole tokens, in the decimals of the network's stablecoins. */
  tokenDust: bigint
  /** EVM chain id (EIP-155), where there is one. TRON's is the one its JSON-RPC port answers. */
  chainId?: number
  finality: FinalityRule
  /** Usual time between blocks, in milliseconds. Watchdogs and polling scale with it. */
  blockTimeMs: number
  /** Blocks kept unfinal at most; a reorg deeper than this or than finality stops the network. */
  reorgWindow: number
  operations: readonly Operation[]
}

const tag = (fallbackDepth: number): FinalityRule => ({ kind: 'tag', tag: 'finalized', fallbackDepth })

export const NETWORKS = {
  ETH: {
    code: 'ETH',
    aliases: ['eth', 'ethereum'],
    family: 'evm',
    nativeCoin: { symbol: 'ETH', decimals: 18, dust: 10n ** 14n },
    tokenDust: 10n ** 7n,
    chainId: 1,
    finality: tag(96),
    blockTimeMs: 12_000,
    reorgWindow: 128,
    operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment', 'credit_score'],
  },
  BNB: {
    code: 'BNB',
    aliases: ['bnb', 'bsc'],
    family: 'evm',
    nativeCoin: { symbol: 'BNB', decimals: 18, dust: 5n * 10n ** 14n },
    tokenDust: 10n ** 19n,
    chainId: 56,
    finality: tag(48),
    blockTimeMs: 450,
    reorgWindow: 256,
    operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  },
  POLYGON: {
    code: 'POLYGON',
    aliases: ['polygon'],
    family: 'evm',
    nativeCoin: { symbol: 'POL', decimals: 18, dust: 5n * 10n ** 17n },
    tokenDust: 10n ** 7n,
    chainId: 137,
    finality: tag(256),
    blockTimeMs: 2_000,
    reorgWindow: 256,
    operations: ['fraud_check'],
  },
  BASE: {
    code: 'BASE',
    aliases: ['base'],
    family: 'evm',
    nativeCoin: { symbol: 'ETH', decimals: 18, dust: 10n ** 14n },
    tokenDust: 10n ** 7n,
    chainId: 8453,
    finality: tag(900),
    blockTimeMs: 2_000,
    reorgWindow: 1_024,
    operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  },
  HAQQ: {
    code: 'HAQQ',
    aliases: ['haqq'],
    family: 'evm',
    nativeCoin: { symbol: 'ISLM', decimals: 18, dust: 5n * 10n ** 18n },
    tokenDust: 10n ** 7n,
    chainId: 11_235,
    finality: { kind: 'instant' },
    blockTimeMs: 5_500,
    reorgWindow: 0,
    operations: ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment'],
  },
  SOLANA: {
    code: 'SOLANA',
    aliases: ['solana'],
    family: 'solana',
    nativeCoin: { symbol: 'SOL', decimals: 9, dust: 10n ** 6n },
    tokenDust: 10n ** 7n,
    finality: { kind: 'commitment', commitment: 'finalized' },
    blockTimeMs: 400,
    reorgWindow: 64,
    operations: ['fraud_audit', 'wallet_segment'],
  },
  TRON: {
    code: 'TRON',
    aliases: ['tron'],
    family: 'tron',
    nativeCoin: { symbol: 'TRX', decimals: 6, dust: 10n ** 6n },
    tokenDust: 10n ** 7n,
    chainId: 728_126_428,
    finality: { kind: 'solidified', depth: 19 },
    blockTimeMs: 3_000,
    reorgWindow: 30,
    operations: ['fraud_check'],
  },
  TON: {
    code: 'TON',
    aliases: ['ton'],
    family: 'ton',
    nativeCoin: { symbol: 'TON', decimals: 9, dust: 5n * 10n ** 7n },
    tokenDust: 10n ** 7n,
    finality: { kind: 'masterchain' },
    blockTimeMs: 400,
    reorgWindow: 0,
    operations: ['fraud_check'],
  },
} as const satisfies Record<string, NetworkInfo>

/** Canonical, upper-case network code. */
export type Network = keyof typeof NETWORKS

export const NETWORK_CODES = Object.keys(NETWORKS) as Network[]

const BY_SPELLING = new Map<string, Network>(
  NETWORK_CODES.flatMap((code) => [code.toLowerCase(), ...NETWORKS[code].aliases].map((name) => [name, code] as const)),
)

/** Resolves a code or alias in any case; `undefined` for a name that is no network of ours. */
export const parseNetwork = (name: string): Network | undefined => BY_SPELLING.get(name.toLowerCase())

/** The table's entry, typed by the general shape rather than by the literal. */
export const networkInfo = (network: Network): NetworkInfo => NETWORKS[network]

/** Networks whose contract enumeration includes the operation, in table order. */
export const networksOf = (operation: Operation): Network[] =>
  NETWORK_CODES.filter((code) => networkInfo(code).operations.includes(operation))
