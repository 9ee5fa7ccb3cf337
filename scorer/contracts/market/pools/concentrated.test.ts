import { expect, test } from 'vitest'
import { amountsBetween, amountsOfPosition, priceOfRoot } from './concentrated.ts'

const Q96 = 2n ** 96n
const close = (amount: bigint, expected: number) => expect(Number(amount) / expected).toBeCloseTo(1, 6)

test('a price is the square of its root', () => {
  expect(priceOfRoot(Q96)).toBe(1)
  expect(priceOfRoot(Q96 * 2n)).toBe(4)
})

test('a position below the price is all token1, above it all token0, around it both', () => {
  const liquidity = 10n ** 18n
  expect(amountsOfPosition(1, 100, 200, liquidity).amount1).toBe(0n)
  expect(amountsOfPosition(1, -200, -100, liquidity).amount0).toBe(0n)
  const { amount0, amount1 } = amountsOfPosition(1, -100, 100, liquidity)
  close(amount0, 1e18 * (1 - 1.0001 ** -50))
  close(amount1, Number(amount0))
})

test('reserves are the sum of the positions, wherever the price is', () => {
  const positions = [
    { lower: -600, upper: 600, liquidity: 5n * 10n ** 18n },
    { lower: -60, upper: 120, liquidity: 7n * 10n ** 18n },
    { lower: 300, upper: 900, liquidity: 2n * 10n ** 18n },
    { lower: -900, upper: -300, liquidity: 3n * 10n ** 18n },
  ]
  for (const tick of [-450, -61, 0, 119, 450]) {
    const price = 1.0001 ** (tick + 0.5)
    const root = BigInt(Math.floor(Math.sqrt(price) * 2 ** 96))
    const inRange = positions.filter(({ lower, upper }) => lower <= tick && tick < upper)
    const liquidity = inRange.reduce((sum, position) => sum + position.liquidity, 0n)
    const ticks = positions.flatMap((position) => [
      { tick: position.lower, net: position.liquidity },
      { tick: position.upper, net: -position.liquidity },
    ])
    const parts = positions.map((item) => amountsOfPosition(price, item.lower, item.upper, item.liquidity))
    const { amount0, amount1 } = amountsBetween(root, tick, liquidity, ticks)
    close(
      amount0,
      parts.reduce((sum, part) => sum + Number(part.amount0), 0),
    )
    close(
      amount1,
      parts.reduce((sum, part) => sum + Number(part.amount1), 0),
    )
  }
})
