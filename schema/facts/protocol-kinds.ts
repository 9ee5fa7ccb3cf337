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

/**
 * What an instruction does: what its program is for (`use`), with loans its two sides, with exchanges a deposit or a
 * withdrawal of liquidity, and `aside` what is neither (preparing accounts, claiming, taking out).
 */
export type InstructionDeed = 'use' | 'supply' | 'borrow' | 'liquidity' | 'aside'

/**
 * How a program's instructions are told apart, and what they do. `name`: by the first bytes of the hash of their names
 * (Anchor); `byte` and `word`: by a number of one byte or of four in front.
 */
export type InstructionTable = {
  tag: 'name' | 'byte' | 'word'
  deeds: Partial<Record<InstructionDeed, readonly (string | number)[]>>
  /** What all others do. */
  rest: InstructionDeed
}

export type Protocol = {
  address: string
  protocol: string
  kind: ProtocolKind
  /** What calls of it do, where its instructions are known by themselves: Solana's programs. */
  instructions?: InstructionTable
}
