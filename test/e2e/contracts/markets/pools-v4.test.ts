import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import {
  call,
  E18,
  gives,
  installed,
  LIQUIDITY,
  LISTED,
  listedAs,
  openPools,
  type Pools,
} from '../../../kit/contracts/markets/pools.ts'
import { NATIVE, NO_SALT, openV4, POOL_MANAGER, type V4Pools } from '../../../kit/contracts/markets/pools-v4.ts'

describe.skipIf(!installed(POOL_MANAGER))('V4: the manager of @uniswap/v4-core (skipped when not installed)', () => {
  let p: Pools
  let v4: V4Pools
  let analyse: ContractAnalysis
  beforeAll(async () => {
    p = await openPools()
    v4 = await openV4(p)
    analyse = p.analysisWith({ kind: 'v4', manager: v4.manager }, {}, { accused: true })
  })
  afterAll(() => p?.stop())

  test.each([
    ...LISTED.map((row) => [...row, 'the native coin'] as const),
    ...LISTED.map((row) => [...row, 'the wrapped coin'] as const),
  ])('%s: is_honeypot %i, %s, against %s', async (name, honeypot, status, against) => {
    const { token, id } = await v4.list(name, against === 'the native coin' ? NATIVE : p.weth)
    expect(await analyse(token)).toMatchObject(listedAs(name, honeypot, status, id))
  })

  test('who sells a token that keeps a part of every sale is paid for the rest', async () => {
    const { token } = await v4.list('FixedFee', NATIVE)
    expect(await analyse(token)).toMatchObject({
      indicators: { is_honeypot: 0, cannot_buy: 0, buy_tax: 3, sell_tax: 3 },
      status: 'Not Fraud',
    })
  })

  test('a pool of an unusual key is found by its event', async () => {
    const { token, id } = await v4.list('Honeypot', NATIVE, { fee: 4_242, spacing: 77 })
    expect(await analyse(token)).toMatchObject({ body: { pairAddress: id }, indicators: { is_honeypot: 1 } })
  })

  test('liquidity within a narrow range counts for what it is', async () => {
    const { token, key } = await v4.list('Impersonal', NATIVE)
    const narrow = [key[0], key[1], 100, 1, NATIVE] as const
    await v4.initialize(narrow, token)
    const tick = Math.floor(Math.log(0.00004 ** (key[0] === token ? 1 : -1)) / Math.log(1.0001))
    // A thousand times the liquidity over a hundredth of a percent: virtual reserves of 20,000 coins, real ones of 1.
    const change = [tick - 1, tick + 2, LIQUIDITY * 1_000n, NO_SALT]
    await p.send(p.provider, call(gives, 'modify4', [v4.manager, narrow, change]), 100n * E18)
    const markets = (await analyse(token))?.examination.markets ?? []
    const depths = markets.map(({ fee, baseReserve }) => [fee & 0xffffff, Number(baseReserve) / 1e18] as const)
    expect(new Map(depths).get(3_000)).toBeCloseTo(20, 2)
    expect(new Map(depths).get(100)).toBeLessThan(4)
  })

  test('liquidity over the whole range counts, whose ends lie out of sight where ticks are single', async () => {
    const { token, id } = await v4.list('Honeypot', NATIVE, { fee: 100, spacing: 1 })
    const report = await analyse(token)
    expect(report).toMatchObject({ body: { pairAddress: id }, indicators: { is_honeypot: 1 } })
    // One part in 88 lies where the price would be thousands of times another.
    expect(report?.indicators.liquidity).toBeCloseTo(19.8, 1)
  })

  test('events are listed, the removal convicts, and what a contract holds itself is not locked', async () => {
    const { token, give } = await v4.list('Impersonal', NATIVE)
    expect(await analyse(token)).toMatchObject({ indicators: { lp_holders_locked: false } })
    await give((-LIQUIDITY * 95n) / 100n)
    const report = await analyse(token)
    expect(report?.body.liquidityEvent).toMatchObject([{ eventType: 'remove' }, { eventType: 'add' }])
    expect(report?.status).toBe('Fraud')
  })
})
