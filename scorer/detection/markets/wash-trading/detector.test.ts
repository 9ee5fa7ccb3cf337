import { expect, test } from 'vitest'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import {
  act,
  crowd,
  ETH,
  FACTORY,
  flagsKit,
  flagsOf,
  launch,
  move,
  pay,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, verdicts } = flagsKit()
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'swap',
    pool: named(`${token}-p`),
    amount0: -base / 10n ** 15n,
    amount1: base,
  })

test('a creator and his wallets that fake the trade of its token are convicted; market makers, real trade and small amounts are not', async () => {
  /** Each trader buys and sells the same amount, five times. */
  const turn = (who: string, token: string, block: number, size: bigint): Tx => {
    const tx = swap(who, token, block, size)
    const [from, to] = size > 0n ? [`${token}-p`, who] : [who, `${token}-p`]
    return { ...tx, actions: [...(tx.actions ?? []), move(from, to, 1n, token)] }
  }
  const rounds = (token: string, traders: readonly string[], from: number, size: bigint): Tx[] =>
    traders.flatMap((who, n) =>
      Array.from({ length: 10 }, (_, time) => turn(who, token, from + 20 * n + time, time % 2 === 0 ? size : -size)),
    )
  const trio = (prefix: string) => crowd(prefix, 3)
  await happened(
    ...launch('washer', 'feign', 1),
    pay('washer', 'a0', 2),
    pay('a0', 'a1', 3),
    pay('washer', 'a2', 3),
    ...rounds('feign', trio('a'), 10, ETH),
    swap('guest', 'feign', 90, 2n * ETH),
    // Paid by the creator too, but buys and keeps, or trades something else.
    pay('washer', 'friend', 3),
    ...Array.from({ length: 8 }, (_, time) => turn('friend', 'feign', 91 + time, ETH / 10n)),
    pay('washer', 'worker', 3),
    ...launch('other', 'elsewhere', 1),
    ...rounds('elsewhere', ['worker', 'someone'], 10, ETH),
    // A market maker hired by the project, with its own money.
    ...launch('project', 'hired', 1),
    ...trio('b').map((who) => pay('mmfirm', who, 2, 50n * ETH)),
    ...rounds('hired', trio('b'), 10, ETH),
    // The team trades, but most of the trading is done by others.
    ...launch('busy', 'loved', 1),
    ...trio('c').map((who) => pay('busy', who, 2)),
    ...rounds('loved', trio('c'), 10, ETH),
    ...crowd('fan', 20).map((who, n) => swap(who, 'loved', 100 + n, 2n * ETH)),
    // Too little to mislead anybody.
    ...launch('tester', 'tiny', 1),
    ...trio('d').map((who) => pay('tester', who, 2)),
    ...rounds('tiny', trio('d'), 10, ETH / 100n),
    // The team buys and keeps.
    ...launch('believer', 'kept', 1),
    ...trio('e').map((who) => pay('believer', who, 2)),
    ...trio('e').flatMap((who, n) =>
      Array.from({ length: 8 }, (_, time) => swap(who, 'kept', 10 + 20 * n + time, ETH)),
    ),
  )
  const [washer] = await verdicts('washer')
  expect(flagsOf(washer)).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
  expect(washer!.reasons[0]).toMatchObject({
    evidence: {
      role: 'maker',
      token: named('feign'),
      traders: trio('a').map(named),
      volume: { amount: '30', unit: 'WETH', usd: '60000.00' },
      swaps: 30,
    },
  })
  for (const member of await verdicts(...trio('a'))) {
    expect(flagsOf(member), member.address).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
    expect(member.reasons[0]).toMatchObject({ evidence: { role: 'member', token: named('feign') } })
  }
  await clean(
    'project',
    'busy',
    'tester',
    'believer',
    'mmfirm',
    'guest',
    'fan0',
    'friend',
    'worker',
    'someone',
    'other',
  )
  await clean(...['b', 'c', 'd', 'e'].flatMap(trio))
})

test('a ring is found in a pool that is an id of a singleton as in a pool contract', async () => {
  const pool = `0x${'1d'.repeat(32)}`
  const traders = crowd('i', 2)
  const round = (who: string, block: number, base: bigint): Tx =>
    act(who, 'router', block, { do: 'swap', pool, amount0: -base / 10n ** 15n, amount1: base })
  const rounds = traders.flatMap((who, n) =>
    Array.from({ length: 10 }, (_, time) => round(who, 10 + 20 * n + time, time % 2 === 0 ? ETH : -ETH)),
  )
  await happened(
    act('minter', '', 1, { do: 'create', contract: named('spun') }),
    act('minter', 'manager', 2, {
      do: 'pool',
      pool,
      kind: 'infinity-cl',
      token0: named('spun'),
      token1: WETH,
      factory: FACTORY,
    }),
    ...traders.map((who) => pay('minter', who, 3)),
    ...rounds,
    // An independent heavy trader, with its own money.
    pay('elsewhere', 'visitor', 3),
    round('visitor', 60, ETH),
    round('visitor', 61, -ETH),
  )
  const [minter] = await verdicts('minter')
  expect(flagsOf(minter)).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
  await clean('visitor', 'elsewhere')
})

test('a ring in a pool of three tokens is convicted for the two that it trades, members included', async () => {
  const vault = [...DEX_FACTORIES.ETH].find(([, { kind }]) => kind === 'balancer-v2')?.[0] ?? ''
  const pool = `${named('three-p')}000100000000000000000001`
  const [token0 = '', token1 = ''] = [named('three'), WETH].sort()
  const turn = (who: string, block: number, base: bigint): Tx => {
    const [amount0, amount1] = token0 === WETH ? [base, -base / 1_000n] : [-base / 1_000n, base]
    const [from, to] = base > 0n ? ['vault', who] : [who, 'vault']
    const stated = { factory: vault, token0, token1 }
    return act(who, 'router', block, { do: 'swap', pool, amount0, amount1, stated }, move(from, to, 1n, 'three'))
  }
  const traders = crowd('r', 3)
  await happened(
    act('ringer', '', 1, { do: 'create', contract: named('three') }),
    act('ringer', vault, 2, {
      ...{ do: 'pool', pool: `${pool}:0:2`, token0, token1, factory: vault, kind: 'balancer-v2' },
    }),
    ...traders.map((who) => pay('ringer', who, 3)),
    ...traders.flatMap((who, n) =>
      Array.from({ length: 10 }, (_, time) => turn(who, 10 + 20 * n + time, time % 2 === 0 ? ETH : -ETH)),
    ),
  )
  for (const bad of await verdicts('ringer', ...traders))
    expect(flagsOf(bad)).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
})
