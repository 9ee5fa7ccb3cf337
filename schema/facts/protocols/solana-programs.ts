/**
 * Solana's programs with their purpose, and what their instructions do.
 *
 * Sources of the program ids: the projects' own interfaces (Kamino's klend, kliquidity, kvault and farms SDKs, Magic Eden's
 * `mmm`, Meteora's documentation, Jupiter's developer documentation, Raydium's list of programs, the Solana Program Library)
 * and ids on which several public code bases agree: Carbon's decoders, Sonarwatch's portfolio, solanaj, pump-kit, Orca's
 * whirlpool-tx-replayer. Sources of the instructions: the interface definitions of the same programs; `instruction.rs` of the
 * stake pool, of token swap and of Solend; @solana/web3.js (staking); `target/idl` of jup-ag/jupiter-lend. Programs and
 * instructions that are not listed have no meaning here.
 */
import type { InstructionTable, Protocol, ProtocolKind } from './protocol.ts'

const EXCHANGE: InstructionTable = {
  tag: 'name',
  deeds: {
    liquidity: [
      ...['add_liquidity', 'add_liquidity2', 'add_liquidity_by_weight', 'add_liquidity_by_weight2'],
      ...['add_liquidity_by_strategy', 'add_liquidity_by_strategy2', 'add_liquidity_by_strategy_one_side'],
      ...['add_liquidity_one_side', 'add_liquidity_one_side_precise', 'add_liquidity_one_side_precise2'],
      ...['add_balance_liquidity', 'add_imbalance_liquidity', 'bootstrap_liquidity', 'remove_balance_liquidity'],
      ...['remove_liquidity', 'remove_liquidity2', 'remove_liquidity_by_range', 'remove_liquidity_by_range2'],
      ...['remove_all_liquidity', 'remove_liquidity_single_side', 'deposit', 'withdraw'],
      ...['increase_liquidity', 'increase_liquidity_v2', 'decrease_liquidity', 'decrease_liquidity_v2'],
      ...['open_position', 'open_position_v2', 'open_position_with_metadata', 'open_position_with_token_extensions'],
      ...['open_position_with_token22_nft', 'create_position', 'initialize_position', 'initialize_position2'],
      ...['initialize_position_pda', 'close_position', 'close_position2', 'close_position_if_empty'],
      ...['close_position_with_token_extensions', 'initialize', 'initialize_pool', 'initialize_pool_v2', 'create_pool'],
    ],
    aside: [
      ...[
        'set_token_ledger',
        'create_token_account',
        'create_open_orders',
        'create_program_open_orders',
        'close_token',
      ],
      ...['claim', 'claim_token', 'claim_fee', 'claim_fee2', 'claim_reward', 'claim_reward2', 'claim_position_fee'],
      ...['collect_fees', 'collect_fees_v2', 'collect_reward', 'collect_reward_v2', 'update_fees_and_rewards'],
      ...['initialize_tick_array', 'initialize_dynamic_tick_array', 'initialize_bin_array', 'initialize_token_badge'],
      ...['initialize_bin_array_bitmap_extension', 'cancel_order', 'cancel_expired_order', 'extend_account'],
      ...['collect_creator_fee', 'collect_coin_creator_fee', 'init_user_volume_accumulator', 'create', 'create_v2'],
      ...['close_user_volume_accumulator', 'sync_user_volume_accumulator', 'claim_token_incentives', 'migrate'],
    ],
  },
  rest: 'use',
}

const LENDING: InstructionTable = {
  tag: 'name',
  deeds: {
    supply: [
      ...['deposit_reserve_liquidity', 'deposit_reserve_liquidity_v2', 'deposit_obligation_collateral'],
      ...['deposit_obligation_collateral_v2', 'deposit_reserve_liquidity_and_obligation_collateral'],
      ...['deposit_reserve_liquidity_and_obligation_collateral_v2', 'lending_account_deposit', 'deposit', 'mint'],
      ...['deposit_with_min_amount_out', 'mint_with_max_assets'],
    ],
    withdraw: [
      ...['withdraw_obligation_collateral', 'withdraw_obligation_collateral_v2', 'redeem_reserve_collateral'],
      ...['withdraw_obligation_collateral_and_redeem_reserve_collateral', 'lending_account_withdraw'],
      ...['withdraw_obligation_collateral_and_redeem_reserve_collateral_v2', 'withdraw', 'redeem'],
      ...['withdraw_with_max_shares_burn', 'redeem_with_min_amount_out'],
    ],
    borrow: ['borrow_obligation_liquidity', 'borrow_obligation_liquidity_v2', 'lending_account_borrow'],
    repay: [
      ...['repay_obligation_liquidity', 'repay_obligation_liquidity_v2', 'lending_account_repay'],
      'repay_and_withdraw_and_redeem',
    ],
  },
  rest: 'aside',
  /** Jupiter Lend's vaults: one call for all four directions, by the signs of `new_col` and `new_debt`. */
  signed: {
    operate: [
      { place: 8, above: 'supply', below: 'withdraw' },
      { place: 24, above: 'borrow', below: 'repay' },
    ],
  },
}

/** Putting in counts, taking out does not. */
const DEPOSITS: InstructionTable = {
  tag: 'name',
  deeds: {
    use: ['deposit', 'deposit_stake_account', 'stake', 'deposit_and_invest', 'single_token_deposit', 'invest'],
    liquidity: ['add_liquidity', 'remove_liquidity'],
  },
  rest: 'aside',
}

const ANY: InstructionTable = { tag: 'name', deeds: {}, rest: 'use' }
/** A mint: holding its tokens is a position; the instructions of its program state what was done. */
const MINT: InstructionTable = { tag: 'name', deeds: {}, rest: 'aside' }

const RAYDIUM_AMM: InstructionTable = {
  tag: 'byte',
  deeds: { liquidity: [0, 1, 3, 4], aside: [2, 5, 6, 7, 8, 10, 12, 13, 14, 15] },
  rest: 'use',
}
const TOKEN_SWAP: InstructionTable = { tag: 'byte', deeds: { liquidity: [0, 2, 3, 4, 5] }, rest: 'use' }
/** Flash loans (19 and 20) do not count as loans. */
const SOLEND: InstructionTable = {
  tag: 'byte',
  deeds: { supply: [4, 8, 14], withdraw: [5, 9, 15], borrow: [10], repay: [11] },
  rest: 'aside',
}
const STAKE_POOL: InstructionTable = { tag: 'byte', deeds: { use: [9, 14, 23, 25] }, rest: 'aside' }
const STAKING: InstructionTable = { tag: 'word', deeds: { use: [2] }, rest: 'aside' }

type Line = readonly [protocol: string, kind: ProtocolKind, instructions: InstructionTable, ...addresses: string[]]

const LINES: readonly Line[] = [
  [
    'jupiter',
    'exchange',
    EXCHANGE,
    'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
    'JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB',
    'JUP3c2Uh3WA4Ng34tw6kPd2G4C5BB21Xo36Je1s32Ph',
    'JUP2jxvXaqu7NQY1GmNF4m1vodw12LVXYxbFL2uJvfo',
    'DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M',
    'jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu',
    'j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X',
  ],
  [
    'jupiter lend',
    'lending',
    LENDING,
    'jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9',
    'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi',
  ],
  ['raydium', 'exchange', RAYDIUM_AMM, '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'],
  [
    'raydium',
    'exchange',
    EXCHANGE,
    'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
    'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
    'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
  ],
  [
    'raydium',
    'exchange',
    ANY,
    'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS',
    '5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h',
  ],
  ['orca', 'exchange', EXCHANGE, 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'],
  [
    'orca',
    'exchange',
    TOKEN_SWAP,
    '9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP',
    'DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1',
  ],
  [
    'meteora',
    'exchange',
    EXCHANGE,
    'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
    'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB',
    'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG',
    'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
  ],
  ['meteora', 'vault', DEPOSITS, '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi'],
  [
    'pump.fun',
    'exchange',
    EXCHANGE,
    '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
    'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA',
  ],
  ['phoenix', 'exchange', ANY, 'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY'],
  ['kamino', 'lending', LENDING, 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'],
  [
    'kamino',
    'vault',
    DEPOSITS,
    'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd',
    '6LtLpnUFNByNXLyCoK9wA2MykKAmQNZKBdY8s47dehDc',
  ],
  ['kamino', 'farm', DEPOSITS, 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr'],
  ['marginfi', 'lending', LENDING, 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA'],
  ['save', 'lending', SOLEND, 'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo'],
  ['marinade', 'staking', DEPOSITS, 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD'],
  ['marinade', 'staking', MINT, 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'],
  ['jito', 'staking', MINT, 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'],
  ['stake pool', 'staking', STAKE_POOL, 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'],
  ['solana staking', 'staking', STAKING, 'Stake11111111111111111111111111111111111111'],
  [
    'tensor',
    'nft',
    ANY,
    'TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN',
    'TCMPhJdwDryooaGtiocG1u3xcYbRpiJzb283XfCZsDp',
    'TAMM6ub33ij1mbetoMyVBLeKY5iP41i4UPUJQGkhfsg',
  ],
  [
    'magic eden',
    'nft',
    ANY,
    'M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K',
    'M3mxk5W2tt27WGT7THox7PmgRDp4m6NEhL5xvxrBfS1',
    'mmm3XBJg5gk8XJxEKBvdgptZz6SgK4tXvn36sodowMc',
  ],
  [
    'metaplex',
    'nft',
    ANY,
    'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY',
    'CndyV3LdqHUfDLmE5naZjVN8rBZz4tqhdefbAnjHG3JR',
    'Guard1JwRhJkVH6XZhzoYxeBVQe872VH6QggF4BWmS9g',
  ],
]

/** All programs, and the mints whose tokens are positions. */
export const SOLANA_PROGRAMS: readonly Protocol[] = LINES.flatMap(([protocol, kind, instructions, ...addresses]) =>
  addresses.map((address) => ({ address, protocol, kind, instructions })),
)
