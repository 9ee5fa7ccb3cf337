/** What is known of a protocol's contract or program: the shape of the lines in `protocols.ts` and `solana-programs.ts`. */

/** What a contract is for. `token` and `wrapped` are the assets themselves; `cdp` mints a coin against collateral. */
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

/** A contract or program of a protocol. `protocol` is the lower-case name that profiles show. */
export type Protocol = {
  address: string
  protocol: string
  kind: ProtocolKind
  /** What calls of it do, where its instructions are known by themselves: Solana's programs. */
  instructions?: InstructionTable
}

/**
 * What an instruction does: what its program is for (`use`), with loans their four directions, with exchanges a deposit or a
 * withdrawal of liquidity, and `aside` what is neither (preparing accounts, claiming, taking out).
 */
export type InstructionDeed = 'use' | 'supply' | 'withdraw' | 'borrow' | 'repay' | 'liquidity' | 'aside'

/** A signed amount of 128 bits among the arguments, and what is done where it is above zero and below. */
export type SignedAmount = { place: number; above: InstructionDeed; below: InstructionDeed }

/**
 * How a program's instructions are told apart, and what they do. `name`: by the first bytes of the hash of their names
 * (Anchor); `byte` and `word`: by a number of one byte or of four in front.
 */
export type InstructionTable = {
  tag: 'name' | 'byte' | 'word'
  deeds: Partial<Record<InstructionDeed, readonly (string | number)[]>>
  /** What all others do. */
  rest: InstructionDeed
  /** Of instructions whose arguments decide, by their names: their amounts. What is zero is not done. */
  signed?: Readonly<Record<string, readonly SignedAmount[]>>
}

/**
 * Where a swap's instruction names the pool and the two accounts that hold its tokens: places among its accounts, from the end
 * where they are negative. A pool that holds SOL by itself names none, and states its trade as an event of its own.
 */
export type SwapPlaces = { pool: number; vaults: readonly [number, number] } | { pool: number; event: string }

/** Programs that swap: how their instructions are told apart, as in an `InstructionTable`, and where each names its pools. */
export type SwapProgram = {
  addresses: readonly string[]
  tag: InstructionTable['tag']
  swaps: Readonly<Record<string | number, readonly SwapPlaces[]>>
}
