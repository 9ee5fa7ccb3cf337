/**
 * Programs of every Solana cluster, and the layout of their instructions. Sources: @solana/web3.js 1.99 (program ids,
 * instruction layouts of the system program), `token/program-2022/src/instruction.rs` of the Solana Program Library (both
 * token programs), `loader-v3-interface` of the Solana SDK.
 */
export const SYSTEM = '11111111111111111111111111111111'
/** The first token program, used by nearly all fungible tokens. */
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** The token program with extensions: fees on transfers, hooks, permanent delegates, pauses. */
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
/** Whether a program's instructions have the layout of `TOKEN_CALL`. */
export const isTokenProgram = (program: string): boolean => program === TOKEN || program === TOKEN_2022
/** The loader of upgradeable programs: it creates programs and replaces their code. */
export const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111'

/** Utility programs that any transaction may call; the purpose of a transaction shows in calls of other programs. */
export const UTILITY_PROGRAMS: ReadonlySet<string> = new Set([
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  'ComputeBudget111111111111111111111111111111',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'AddressLookupTab1e1111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
])

/** Instructions of the system program, by their leading 32-bit number. */
export const SYSTEM_CALL = {
  create: 0,
  assign: 1,
  transfer: 2,
  createWithSeed: 3,
  withdrawNonce: 5,
  transferWithSeed: 11,
} as const

/** Instructions of both token programs, by their first byte; from 25 on only those of Token-2022. */
export const TOKEN_CALL = {
  initializeMint: 0,
  initializeAccount: 1,
  transfer: 3,
  approve: 4,
  revoke: 5,
  setAuthority: 6,
  mintTo: 7,
  burn: 8,
  closeAccount: 9,
  freeze: 10,
  thaw: 11,
  transferChecked: 12,
  approveChecked: 13,
  mintToChecked: 14,
  burnChecked: 15,
  initializeAccount2: 16,
  initializeAccount3: 18,
  initializeMint2: 20,
  transferFee: 26,
  initializePermanentDelegate: 35,
  transferHook: 36,
  pausable: 44,
} as const

/** Second byte of a transfer that states its fee. */
export const TRANSFER_CHECKED_WITH_FEE = 1

/** Kinds of authority, by their number in `setAuthority`. */
export const AUTHORITY_KINDS = [
  'mint_tokens',
  'freeze_account',
  'account_owner',
  'close_account',
  'transfer_fee_config',
  'withheld_withdraw',
  'close_mint',
  'interest_rate',
  'permanent_delegate',
  'confidential_transfer_mint',
  'transfer_hook_program',
  'confidential_transfer_fee_config',
  'metadata_pointer',
  'group_pointer',
  'group_member_pointer',
  'scaled_ui_amount',
  'pause',
] as const

/** Second byte of instructions of a mint's extension: its set-up, and later changes. */
export const EXTENSION_CALL = { initialize: 0, update: 1, pause: 1, resume: 2 } as const

/** Instructions of the loader of upgradeable programs, by their leading 32-bit number. */
export const LOADER_CALL = { deploy: 2, upgrade: 3, setAuthority: 4 } as const
