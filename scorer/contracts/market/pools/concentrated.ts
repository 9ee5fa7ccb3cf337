/** Concentrated liquidity: prices from square roots, and amounts between initialised ticks. */

/** Price in base units of token1 per base unit of token0. `sqrtPrice` in Q64.96 (Uniswap V3 whitepaper, 6.1). */
export const priceOfRoot = (sqrtPrice: bigint): number => (Number(sqrtPrice) / 2 ** 96) ** 2

/** An initialised tick, where positions begin or end. */
export type TickLiquidity = {
  tick: number /** Change of liquidity when the price rises through the tick. */
  net: bigint
}

const rootAt = (tick: number): number => 1.0001 ** (tick / 2)
const amount = (value: number): bigint => (Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n)

/**
 * Amounts needed to drain the pool in either direction: token1 below the price, token0 above it. `ticks` are all
 * initialised ticks of the range, in any order.
 */
export const amountsBetween = (
  sqrtPrice: bigint,
  tick: number,
  liquidity: bigint,
  ticks: readonly TickLiquidity[],
): { amount0: bigint; amount1: bigint } => {
  const root = Number(sqrtPrice) / 2 ** 96
  const sorted = [...ticks].sort((a, b) => a.tick - b.tick)
  let [amount0, amount1] = [0, 0]
  let [from, held] = [root, Number(liquidity)]
  for (const next of sorted.filter((item) => item.tick > tick)) {
    const to = rootAt(next.tick)
    amount0 += held * (1 / from - 1 / to)
    from = to
    held += Number(next.net)
  }
  from = root
  held = Number(liquidity)
  for (const next of sorted.filter((item) => item.tick <= tick).reverse()) {
    const to = rootAt(next.tick)
    amount1 += held * (from - to)
    from = to
    held -= Number(next.net)
  }
  return { amount0: amount(amount0), amount1: amount(amount1) }
}

/** Amounts of one position, base units, at a price of token0 in token1. */
export const amountsOfPosition = (
  price: number,
  lower: number,
  upper: number,
  liquidity: bigint,
): { amount0: bigint; amount1: bigint } => {
  const [low, high] = [rootAt(lower), rootAt(upper)]
  const root = Math.min(high, Math.max(low, Math.sqrt(price)))
  const held = Number(liquidity)
  return { amount0: amount(held * (1 / root - 1 / high)), amount1: amount(held * (root - low)) }
}
