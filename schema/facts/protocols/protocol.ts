/** Types of the entries in `protocols.ts` and `solana-programs.ts`. */

/** Purpose of a contract. `token` and `wrapped` are assets themselves; `cdp` mints a coin against collateral. */
export type ProtocolKind =
  | 'exchange'
  | 'liquidity'
  | 'lending'
  | 'cdp'
  | 'savings'
  | 'liquid-staking'
  | 'staking'
  | 'farm'
  | 'vault'
  | 'perpetuals'
  | 'nft'
  | 'bridge'
  | 'rollup'
  | 'system'
  | 'deposit'
  | 'names'
  | 'payments'
  | 'game'
  | 'gambling'
  | 'wrapped'
  | 'token'

/** A contract or program of a protocol. `protocol` is the lower-case name in profiles. */
export type Protocol = {
  address: string
  protocol: string
  kind: ProtocolKind
  /** What its calls do, if its instructions are known: for Solana's programs. */
  instructions?: InstructionTable
}

/**
 * What an instruction does: the program's purpose (`use`), the four directions of loans, for exchanges adding or removing
 * liquidity, and `aside` for everything else (preparing accounts, claiming, taking out).
 */
export type InstructionDeed = 'use' | 'supply' | 'withdraw' | 'borrow' | 'repay' | 'liquidity' | 'aside'

/** A signed 128-bit amount among the arguments, and what a positive and a negative amount mean. */
export type SignedAmount = { place: number; above: InstructionDeed; below: InstructionDeed }

/**
 * How to identify a program's instructions, and what they do. `name`: by the first bytes of the name's hash (Anchor); `byte`
 * and `word`: by a leading number of one or four bytes.
 */
export type InstructionTable = {
  tag: 'name' | 'byte' | 'word'
  deeds: Partial<Record<InstructionDeed, readonly (string | number)[]>>
  /** Deed of all other instructions. */
  rest: InstructionDeed
  /** Amounts of the instructions whose arguments decide, by name. A zero amount does nothing. */
  signed?: Readonly<Record<string, readonly SignedAmount[]>>
}

/**
 * Where a swap instruction has the pool and the two accounts with its tokens: account indexes, negative ones from the end. A
 * pool that holds SOL itself has no vaults, and states its trade in an event.
 */
export type SwapPlaces = { pool: number; vaults: readonly [number, number] } | { pool: number; event: string }

/** A program's swap instructions, identified as in an `InstructionTable`, and where each has its pools. */
export type SwapProgram = {
  addresses: readonly string[]
  tag: InstructionTable['tag']
  swaps: Readonly<Record<string | number, readonly SwapPlaces[]>>
}
