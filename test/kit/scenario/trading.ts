/** Trade in scenarios: tokens with a pool against the coin on Uniswap V2, purchases, sales and withdrawals. */
import type { Address } from 'viem'
import { ADDRESSES, creationCode, loadUniswap } from '../../../deploy/demo/contracts/contracts.ts'
import { firstLiquidity, pairAddress } from '../../../deploy/demo/scenario/market.ts'
import { APPROVE } from './residents.ts'
import { type Actions, ETHER, type ScenarioTx, UNLIMITED, who } from './scenario.ts'

/** Later than any scenario. */
const FOREVER = 2n ** 64n
export const SUPPLY = 100_000_000n * ETHER
/** Initial price of a pool: a ten-thousandth of a coin per token. */
const POOLED = 1_000_000n * ETHER
const COINS = 100n * ETHER
const { pairCodeHash } = loadUniswap()

/** The pool of a token on the given factory. */
export const pairOf = (token: Address, factory: Address = ADDRESSES.factory): Address =>
  who(pairAddress(pairCodeHash, ADDRESSES.weth, token, factory))

/** A token of the demonstration's kinds and its pool of 100 coins; 99 of 100 tokens stay with the maker. Returns the token. */
export const launch = (
  actions: Actions,
  maker: string,
  kind: 'Token' | 'HoneypotToken' | 'FeeToken' = 'Token',
): Address => {
  const token = actions.deploy(maker, creationCode(kind, `Fruit of ${maker}`, maker.slice(0, 4).toUpperCase(), SUPPLY))
  actions.call(maker, token, APPROVE, [ADDRESSES.router, UNLIMITED])
  const name = 'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)'
  actions.call(maker, ADDRESSES.router, name, [token, POOLED, 0n, 0n, who(maker), FOREVER], { value: COINS })
  return token
}

/** Buys that many tokens, for up to a hundred coins. */
export const buy = ({ call }: Actions, buyer: string, token: Address, tokens: bigint): ScenarioTx => {
  const args = [tokens, [ADDRESSES.weth, token], who(buyer), FOREVER]
  const name = 'swapETHForExactTokens(uint256,address[],address,uint256)'
  return call(buyer, ADDRESSES.router, name, args, { value: COINS })
}

/** Sells what the router is allowed, for at least `least` coins; `reverts` if that is impossible. */
export const sell = (
  { call }: Actions,
  seller: string,
  token: Address,
  tokens: bigint,
  least = 0n,
  reverts = false,
): ScenarioTx => {
  const args = [tokens, least, [token, ADDRESSES.weth], who(seller), FOREVER]
  const name = 'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)'
  return call(seller, ADDRESSES.router, name, args, { reverts })
}

/** Withdraws nearly everything from a pool that the provider opened. */
export const withdraw = ({ call }: Actions, provider: string, token: Address): ScenarioTx => {
  const liquidity = (firstLiquidity(POOLED, COINS) * 97n) / 100n
  call(provider, pairOf(token), APPROVE, [ADDRESSES.router, UNLIMITED])
  const name = 'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)'
  return call(provider, ADDRESSES.router, name, [token, liquidity, 0n, 0n, who(provider), FOREVER])
}
