/** Wallets of Solana that trade in pools which a thief trades in too. Nobody announces pools there: swaps name them. */
import { expect, test } from 'vitest'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { SWAP_PROGRAMS } from '../../../../schema/registry/signatures/instructions.ts'
import { type Action, named, type Tx } from '../../../kit/world/transactions.ts'
import { exposedKit, inflowOf } from './exposed.kit.ts'

const { world, label, settle } = exposedKit('SOLANA')
const USDC = [...ASSETS.SOLANA.values()].find(({ symbol }) => symbol === 'USDC')!.address
const SOL = 10n ** 9n
const DOLLAR = 10n ** 6n
const [PROGRAM = ''] = SWAP_PROGRAMS

type Some = [amount: bigint, asset: string]
const gives = (from: string, to: string, [amount, asset]: Some): Action => {
  const parties = { from: named(from), to: named(to), amount }
  return asset === '' ? { do: 'internal', ...parties } : { do: 'token', ...parties, asset }
}
const calls = (who: string, block: number, ...actions: Action[]): Tx => ({
  ...{ from: named(who), to: PROGRAM, block, call: true },
  actions,
})
const pay = (from: string, to: string, block: number, value: bigint): Tx => ({
  ...{ from: named(from), to: named(to), block },
  value,
})
const swap = (who: string, pool: string, block: number, gave: Some, got: Some): Tx =>
  calls(who, block, gives(who, pool, gave), gives(pool, who, got), {
    do: 'swap',
    pool: named(pool),
    amount0: gave[0],
    amount1: -got[0],
    stated: { factory: PROGRAM, token0: gave[1], token1: got[1] },
  })

test('who trades where a thief trades has not received his money; whom he pays has, whatever was swapped on the way', async () => {
  await world(
    calls('maker', 1, gives('maker', 'pool', [100n * SOL, '']), gives('maker', 'pool', [12_500n * DOLLAR, USDC])),
    pay('exchange', 'trader', 2, 100n * SOL),
    pay('exchange', 'fan', 2, 10n * SOL),
    pay('vault', 'thief', 2, 5_000n * SOL),
    // A token that nobody prices, before and after the thief buys.
    swap('fan', 'curve', 3, [8n * SOL, ''], [1_000n, 'coin']),
    swap('thief', 'curve', 4, [1_000n * SOL, ''], [9_000n, 'coin']),
    swap('fan', 'curve', 5, [1_000n, 'coin'], [100n * SOL, '']),
    pay('fan', 'shop', 6, 90n * SOL),
    swap('thief', 'pool', 4, [1_000n * SOL, ''], [10_000n * DOLLAR, USDC]),
    swap('trader', 'pool', 5, [90n * SOL, ''], [11_000n * DOLLAR, USDC]),
    swap('trader', 'pool', 6, [11_000n * DOLLAR, USDC], [89n * SOL, '']),
    pay('trader', 'grocer', 7, 80n * SOL),
    // The thief's friends change the money before they pass it on.
    pay('thief', 'friend', 7, 1_000n * SOL),
    swap('friend', 'pool', 8, [1_000n * SOL, ''], [120_000n * DOLLAR, USDC]),
    calls('friend', 9, gives('friend', 'next', [119_000n * DOLLAR, USDC])),
    calls('next', 10, gives('next', 'broker', [110_000n * DOLLAR, USDC])),
  )
  await label('thief', 'theft')
  const scored = await settle('thief', 'pool', 'curve', 'trader', 'fan', 'grocer', 'maker', 'friend', 'next')
  for (const name of ['trader', 'grocer', 'maker']) {
    expect(scored[name]!.probability, name).toBeLessThan(0.05)
    expect(inflowOf(scored[name]), name).toBeUndefined()
  }
  expect(scored.fan!.probability).toBeLessThan(0.45)
  expect(inflowOf(scored.fan)!.evidence).toMatchObject({ doubt: expect.stringContaining('an unpriced token') })
  for (const name of ['friend', 'next']) expect(scored[name]!.probability, name).toBeGreaterThanOrEqual(0.51)
})
