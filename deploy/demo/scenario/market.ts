/** The market: two pools against USDC, an ordinary token and an ordinary token with a transfer fee. */
import { type Address, encodePacked, getCreate2Address, type Hex, keccak256 } from 'viem'
import { ADDRESSES, creationCode } from '../contracts/contracts.ts'
import type { ActorName } from './actors.ts'
import type { BlockBuilder, Timeline } from './timeline.ts'

/** Wei of 1 ETH. */
export const ETHER = 10n ** 18n
/** Base units of 1 USDC. */
export const DOLLAR = 10n ** 6n
/** A trade deadline that never passes, Unix seconds. */
export const NO_DEADLINE = 2n ** 64n
/** The largest ERC-20 allowance. */
export const UNLIMITED = 2n ** 256n - 1n
/** Address that burned tokens are sent to. */
export const BURN_ADDRESS: Address = '0x000000000000000000000000000000000000dEaD'

/** LP tokens that Uniswap V2 withholds from the first provider. */
const MINIMUM_LIQUIDITY = 1000n

/** Tokens and pools of the market. */
export type Market = {
  /** Set once the timeline is planned. */
  harbor: Address
  toll: Address
  pairOf: (one: Address, other: Address) => Address
}

/** @see UniswapV2Library.pairFor */
export const pairAddress = (
  codeHash: Hex,
  one: Address,
  other: Address,
  factory: Address = ADDRESSES.factory,
): Address => {
  const [first, second] = BigInt(one) < BigInt(other) ? [one, other] : [other, one]
  const salt = keccak256(encodePacked(['address', 'address'], [first, second]))
  return getCreate2Address({ from: factory, salt, bytecodeHash: codeHash })
}

const sqrt = (value: bigint): bigint => {
  let guess = value
  for (let next = (guess + 1n) / 2n; next < guess; next = (guess + value / guess) / 2n) guess = next
  return guess
}

/** LP tokens that the first provider of a pool receives. */
export const firstLiquidity = (one: bigint, other: bigint): bigint => sqrt(one * other) - MINIMUM_LIQUIDITY

/** Opens a pool of a token against ETH. The LP tokens go to `to`. */
export const openPool = (
  block: BlockBuilder,
  from: ActorName,
  token: Address,
  tokens: bigint,
  value: bigint,
  to: Address,
): void => {
  block.call(from, token, 'approve', [ADDRESSES.router, UNLIMITED])
  block.call(from, ADDRESSES.router, 'addLiquidityETH', [token, tokens, 0n, 0n, to, NO_DEADLINE], { value })
}

/** Plans tokens and pools. */
export const planMarket = (timeline: Timeline, pairCodeHash: Hex): Market => {
  const { actors, at } = timeline
  const market: Market = {
    harbor: BURN_ADDRESS,
    toll: BURN_ADDRESS,
    pairOf: (one, other) => pairAddress(pairCodeHash, one, other),
  }
  at(0.1, ({ pay }) => {
    pay('exchange', actors.issuer, 20n * ETHER)
    pay('exchange', actors['oracle-keeper'], 20n * ETHER)
    pay('exchange', actors['token-team'], 600n * ETHER)
    pay('exchange', actors['fee-token-team'], 150n * ETHER)
    pay('exchange', actors.relayer, 40n * ETHER)
    pay('exchange', actors.payroll, 300n * ETHER)
  })
  at(0.2, ({ call }) => call('issuer', ADDRESSES.usdc, 'mint', [actors.exchange, 40_000_000n * DOLLAR]))
  at(0.5, (block) => {
    openPool(block, 'exchange', ADDRESSES.usdc, 9_000_000n * DOLLAR, 3_000n * ETHER, actors.exchange)
    block.call('exchange', ADDRESSES.usdc, 'transfer', [actors['token-team'], 700_000n * DOLLAR])
    block.call('exchange', ADDRESSES.usdc, 'transfer', [actors.payroll, 2_000_000n * DOLLAR])
  })
  at(1.1, ({ deploy }) => {
    market.harbor = deploy('token-team', 'Harbor', creationCode('Token', 'Harbor', 'HBR', 10_000_000n * ETHER))
    market.toll = deploy('fee-token-team', 'Toll', creationCode('FeeToken', 'Toll', 'TOLL', 1_000_000n * ETHER))
  })
  // The teams burn their LP tokens, so that the liquidity can never be removed.
  at(1.4, (block) => {
    openPool(block, 'token-team', market.harbor, 2_000_000n * ETHER, 400n * ETHER, BURN_ADDRESS)
    openPool(block, 'fee-token-team', market.toll, 500_000n * ETHER, 100n * ETHER, BURN_ADDRESS)
  })
  at(2.3, ({ call }) => {
    const { usdc, router } = ADDRESSES
    call('token-team', usdc, 'approve', [router, UNLIMITED])
    const amounts = [600_000n * DOLLAR, 1_000_000n * ETHER] as const
    call('token-team', router, 'addLiquidity', [usdc, market.harbor, ...amounts, 0n, 0n, BURN_ADDRESS, NO_DEADLINE])
  })
  return market
}
