/** The market everyone meets on: two pools against the dollar, one honest token, one honest token with a fee. */
import { type Address, encodePacked, getCreate2Address, type Hex, keccak256 } from 'viem'
import { creationCode, PLACES } from '../contracts/contracts.ts'
import type { ActorName } from './actors.ts'
import type { Hand, Timeline } from './timeline.ts'

/** Wei of a coin. */
export const ETHER = 10n ** 18n
/** Base units of a dollar coin. */
export const DOLLAR = 10n ** 6n
/** A deadline of a trade that never passes, in seconds. */
export const FOREVER = 2n ** 64n
/** The largest allowance of ERC-20. */
export const UNLIMITED = 2n ** 256n - 1n
/** Where tokens are sent to be burned. */
export const DEAD: Address = '0x000000000000000000000000000000000000dEaD'

/** LP tokens that Uniswap V2 withholds from the first provider. */
const MINIMUM_LIQUIDITY = 1000n

/** Tokens and pools that the rest of the story trades. */
export type Market = {
  /** Set once the token team deployed them. */
  harbor: Address
  toll: Address
  pairOf: (one: Address, other: Address) => Address
}

/** @see UniswapV2Library.pairFor */
export const pairAddress = (
  codeHash: Hex,
  one: Address,
  other: Address,
  factory: Address = PLACES.factory,
): Address => {
  const [first, second] = BigInt(one) < BigInt(other) ? [one, other] : [other, one]
  const salt = keccak256(encodePacked(['address', 'address'], [first, second]))
  return getCreate2Address({ from: factory, salt, bytecodeHash: codeHash })
}

const root = (value: bigint): bigint => {
  let guess = value
  for (let next = (guess + 1n) / 2n; next < guess; next = (guess + value / guess) / 2n) guess = next
  return guess
}

/** LP tokens the first provider of a pool gets. */
export const firstLiquidity = (one: bigint, other: bigint): bigint => root(one * other) - MINIMUM_LIQUIDITY

/** Opens a pool of a token against the coin; the LP tokens go to `to`. */
export const openPool = (
  hand: Hand,
  from: ActorName,
  token: Address,
  tokens: bigint,
  value: bigint,
  to: Address,
): void => {
  hand.call(from, token, 'approve', [PLACES.router, UNLIMITED])
  hand.call(from, PLACES.router, 'addLiquidityETH', [token, tokens, 0n, 0n, to, FOREVER], { value })
}

/** Plans tokens and pools. Addresses are known before anything is deployed. */
export const tellMarket = (timeline: Timeline, pairCodeHash: Hex): Market => {
  const { actors, at } = timeline
  const market: Market = { harbor: DEAD, toll: DEAD, pairOf: (one, other) => pairAddress(pairCodeHash, one, other) }
  at(0.1, ({ pay }) => {
    pay('exchange', actors.issuer, 20n * ETHER)
    pay('exchange', actors['oracle-keeper'], 20n * ETHER)
    pay('exchange', actors['token-team'], 600n * ETHER)
    pay('exchange', actors['fee-token-team'], 150n * ETHER)
    pay('exchange', actors.relayer, 40n * ETHER)
    pay('exchange', actors.payroll, 300n * ETHER)
  })
  at(0.2, ({ call }) => call('issuer', PLACES.usdc, 'mint', [actors.exchange, 40_000_000n * DOLLAR]))
  at(0.5, (hand) => {
    openPool(hand, 'exchange', PLACES.usdc, 9_000_000n * DOLLAR, 3_000n * ETHER, actors.exchange)
    hand.call('exchange', PLACES.usdc, 'transfer', [actors['token-team'], 700_000n * DOLLAR])
    hand.call('exchange', PLACES.usdc, 'transfer', [actors.payroll, 2_000_000n * DOLLAR])
  })
  at(1.1, ({ deploy }) => {
    market.harbor = deploy('token-team', 'Harbor', creationCode('Token', 'Harbor', 'HBR', 10_000_000n * ETHER))
    market.toll = deploy('fee-token-team', 'Toll', creationCode('FeeToken', 'Toll', 'TOLL', 1_000_000n * ETHER))
  })
  // The teams burn their LP tokens, so that the liquidity can never be pulled.
  at(1.4, (hand) => {
    openPool(hand, 'token-team', market.harbor, 2_000_000n * ETHER, 400n * ETHER, DEAD)
    openPool(hand, 'fee-token-team', market.toll, 500_000n * ETHER, 100n * ETHER, DEAD)
  })
  at(2.3, ({ call }) => {
    const { usdc, router } = PLACES
    call('token-team', usdc, 'approve', [router, UNLIMITED])
    const amounts = [600_000n * DOLLAR, 1_000_000n * ETHER] as const
    call('token-team', router, 'addLiquidity', [usdc, market.harbor, ...amounts, 0n, 0n, DEAD, FOREVER])
  })
  return market
}
