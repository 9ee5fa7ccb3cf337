/**
 * Account positions of pools in the swap instructions of Solana's exchanges. Sources: the programs' interface definitions in
 * Carbon's decoders (sevenlabs-hq/carbon); `instruction.rs` of token swap; the recorded transactions of
 * `test/contract/source/solana/solana-swaps.test.ts`. Swaps not listed here get no row in table `swaps`: Raydium's router
 * itself (its pools are in no fixed order), and orders filled later (order books of Phoenix and Jupiter).
 */
import type { SwapPlaces, SwapProgram } from '../protocols/protocol.ts'

const each = (names: readonly (string | number)[], ...pools: readonly SwapPlaces[]) =>
  Object.fromEntries(names.map((name) => [name, pools]))

/** Swap instructions of each exchange program, with the account indexes of pool and vaults; negative ones count from the end. */
export const SOLANA_SWAPS: readonly SwapProgram[] = [
  {
    addresses: ['675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'],
    tag: 'byte',
    // With or without an account for target orders, which older calls still include.
    swaps: { ...each([9, 11], { pool: 1, vaults: [-13, -12] }), ...each([16, 17], { pool: 1, vaults: [3, 4] }) },
  },
  {
    addresses: ['CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'],
    tag: 'name',
    swaps: each(['swap_base_input', 'swap_base_output'], { pool: 3, vaults: [6, 7] }),
  },
  {
    addresses: ['CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'],
    tag: 'name',
    swaps: each(['swap', 'swap_v2'], { pool: 2, vaults: [5, 6] }),
  },
  {
    addresses: ['LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj'],
    tag: 'name',
    swaps: each(['buy_exact_in', 'buy_exact_out', 'sell_exact_in', 'sell_exact_out'], { pool: 4, vaults: [7, 8] }),
  },
  {
    addresses: ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'],
    tag: 'name',
    swaps: {
      ...each(['swap'], { pool: 2, vaults: [4, 6] }),
      ...each(['swap_v2'], { pool: 4, vaults: [8, 10] }),
      ...each(['two_hop_swap'], { pool: 2, vaults: [5, 7] }, { pool: 3, vaults: [9, 11] }),
      ...each(['two_hop_swap_v2'], { pool: 0, vaults: [9, 10] }, { pool: 1, vaults: [11, 12] }),
    },
  },
  {
    addresses: ['9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP', 'DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1'],
    tag: 'byte',
    swaps: each([1], { pool: 0, vaults: [4, 5] }),
  },
  {
    addresses: ['LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'],
    tag: 'name',
    swaps: each(
      [
        ...['swap', 'swap2', 'swap_exact_out', 'swap_exact_out2'],
        ...['swap_with_price_impact', 'swap_with_price_impact2'],
      ],
      { pool: 0, vaults: [2, 3] },
    ),
  },
  {
    addresses: ['Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB'],
    tag: 'name',
    swaps: each(['swap'], { pool: 0, vaults: [5, 6] }),
  },
  {
    addresses: ['cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG'],
    tag: 'name',
    swaps: each(['swap', 'swap2'], { pool: 1, vaults: [4, 5] }),
  },
  {
    addresses: ['dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN'],
    tag: 'name',
    swaps: each(['swap', 'swap2'], { pool: 2, vaults: [5, 6] }),
  },
  {
    addresses: ['pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'],
    tag: 'name',
    swaps: each(['buy', 'sell', 'buy_exact_quote_in'], { pool: 0, vaults: [7, 8] }),
  },
  {
    addresses: ['6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'],
    tag: 'name',
    swaps: each(['buy', 'sell', 'buy_exact_sol_in'], { pool: 3, event: 'TradeEvent' }),
  },
  {
    addresses: ['PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY'],
    tag: 'byte',
    swaps: each([0], { pool: 2, vaults: [6, 7] }),
  },
]
