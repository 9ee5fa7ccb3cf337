import { expect, test } from 'vitest'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import {
  act,
  announced,
  approve,
  at,
  crowd,
  ETH,
  evidenceOf,
  FACTORY,
  flagsKit,
  flagsOf,
  launch,
  pay,
  USDC,
  WETH,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { truncateAll } from '../../../../test/kit/store/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, score, store, verdicts } = flagsKit()
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'swap',
    pool: named(`${token}-p`),
    amount0: -base / 10n ** 15n,
    amount1: base,
  })

test('a token that many buy and nobody can sell convicts its creator; buyers who merely wait do not', async () => {
  const buyers = Array.from({ length: 6 }, (_, n) => `b${n}`)
  const trySell = (who: string, token: string, block: number): Tx[] => [
    approve(who, 'router', block, token),
    { ...act(who, 'router', block + 1), failed: true },
  ]
  await happened(
    ...launch('trapper', 'trap', 1),
    ...buyers.map((b, n) => swap(b, 'trap', 10 + n, ETH)),
    ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'trap', 20 + 2 * n)),
    ...launch('patient', 'hold', 1),
    ...buyers.map((b, n) => swap(b, 'hold', 30 + n, ETH)),
    ...launch('liquid', 'sold', 1),
    ...buyers.map((b, n) => swap(b, 'sold', 40 + n, ETH)),
    swap('b0', 'sold', 50, -ETH),
    ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'sold', 60 + 2 * n)),
  )
  const scored = await score(['trapper', 'patient', 'liquid', ...buyers])
  expect(flagsOf(scored.get('trapper'))).toEqual({
    honeypot_related_address: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'honeypot-history',
  })
  for (const name of ['patient', 'liquid', ...buyers]) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('the first failed sale of each holder is the evidence, in any order of rows', async () => {
  const buyers = crowd('b', 6)
  const tries = (who: string): Tx[] => [
    approve(who, 'router', 20, 'trap'),
    approve(who, 'other', 20, 'trap'),
    ...[30, 50].map((block) => ({ ...act(who, 'router', block), failed: true })),
    ...[25, 40].map((block) => ({ ...act(who, 'other', block), failed: true })),
  ]
  const rows = rowsOf([
    ...launch('trapper', 'trap', 1),
    ...buyers.map((who, n) => swap(who, 'trap', 10 + n, ETH)),
    ...buyers.slice(0, 4).flatMap(tries),
  ])
  const failed = rows.transactions.filter(({ status }) => status === 0)
  const others = rows.transactions.filter(({ status }) => status !== 0)
  const evidence = async (order: typeof failed) => {
    await truncateAll(store())
    await insertRows(store(), { ...rows, transactions: others })
    for (const row of order) await store().insert('transactions', Buffer.from(JSON.stringify(row)))
    const [trapper] = await verdicts('trapper')
    return evidenceOf(trapper, 'HONEYPOT_RELATED_ADDRESS')
  }
  const first = failed.filter(({ block_number }) => block_number === 25).map(({ tx_hash }) => tx_hash)
  expect(first).toHaveLength(4)
  for (const order of [failed, failed.toReversed()])
    expect(await evidence(order)).toMatchObject({ transactions: first })
})

test('sales in another pool of the token exonerate its creator', async () => {
  const buyers = crowd('b', 22)
  await happened(
    ...launch('maker', 'two', 1),
    act('maker', named('factory'), 3, {
      do: 'pool',
      pool: named('two-q'),
      token0: named('two'),
      token1: WETH,
      factory: FACTORY,
    }),
    ...buyers.map((who, n) => swap(who, 'two', 10 + n, ETH)),
    act('b0', 'router', 60, { do: 'swap', pool: named('two-q'), amount0: 500n, amount1: -ETH }),
    // The same without a sale, a day later.
    ...launch('trapper', 'one', 1),
    ...buyers.map((who, n) => swap(who, 'one', 10 + n, ETH)),
    pay('passer-by', 'somebody', 9_000, ETH),
  )
  const [trapper] = await verdicts('trapper')
  expect(flagsOf(trapper)).toMatchObject({ honeypot_related_address: '1', data_source: 'honeypot-history' })
  await clean('maker')
})

test('pools that others announce or open, and dust, convict no maker of a token', async () => {
  const crowdOf = (name: string) => crowd(`${name}-b`, 22)
  const created = (maker: string, name: string) => act(maker, '', 1, { do: 'create', contract: named(name) })
  const pool = (who: string, of: string, place: string, factory = named('liar')) =>
    act(who, factory, 3, { do: 'pool', pool: place, token0: named(of), token1: WETH, factory })
  /** Below every other address. */
  const low = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
  await happened(
    // A contract that claims to be a pool of the token, and states purchases that never happened.
    created('author', 'points'),
    pool('rival', 'points', named('points-p')),
    ...crowdOf('points').map((who, n) => swap(who, 'points', 10 + n, ETH)),
    // A real pool of a real exchange, opened by a stranger for a token with another purpose.
    created('club', 'ticket'),
    pool('rival', 'ticket', named('ticket-p'), FACTORY),
    act('rival', 'router', 4, { do: 'liquidity', pool: named('ticket-p'), event: 'add', amount0: 900n, amount1: ETH }),
    ...crowdOf('ticket').map((who, n) => swap(who, 'ticket', 10 + n, ETH)),
    // A token that people sell, with a hundred pools sorted before its own.
    ...launch('maker', 'busy', 1),
    ...Array.from({ length: 101 }, (_, n) => pool('rival', 'busy', low(n))),
    ...crowdOf('busy').map((who, n) =>
      act(who, 'liar', 10 + n, { do: 'swap', pool: low(1), amount0: -1000n, amount1: ETH }),
    ),
    swap('busy-b0', 'busy', 40, ETH),
    swap('busy-b0', 'busy', 41, -ETH / 2n),
    // Tiny purchases in the maker's own pool.
    ...launch('beginner', 'new', 1),
    ...crowdOf('new').map((who, n) => swap(who, 'new', 10 + n, ETH / 1_000n)),
    // A real honeypot, the maker of which lets a friend sell in a false pool, among a hundred others.
    ...launch('trapper', 'trap', 1),
    ...Array.from({ length: 101 }, (_, n) => pool('trapper', 'trap', low(200 + n))),
    ...crowdOf('trap').map((who, n) => swap(who, 'trap', 10 + n, ETH)),
    act('trap-b0', 'liar', 50, { do: 'swap', pool: low(200), amount0: 1000n, amount1: -ETH }),
    pay('passer-by', 'somebody', 9_000, ETH),
  )
  const [trapper] = await verdicts('trapper')
  expect(flagsOf(trapper)).toMatchObject({ honeypot_related_address: '1', data_source: 'honeypot-history' })
  await clean('author', 'club', 'maker', 'beginner')
})

test('in a pool of three tokens, trades count only for the tokens that they state', async () => {
  const vault = [...DEX_FACTORIES.ETH].find(([, { kind }]) => kind === 'balancer-v3')?.[0] ?? ''
  const buyers = crowd('b', 22)
  const three = (maker: string): Tx[] => {
    const tokens = [named(maker), WETH, at(USDC)].sort()
    const pairs = [0, 1, 2].flatMap((i) => [1, 2].flatMap((j) => (i < j ? [[i, j] as const] : [])))
    const here = (i: number, j: number): Action[] => [
      {
        ...{ do: 'pool', pool: `${named(`${maker}-p`)}:${i}:${j}`, kind: 'balancer-v3', factory: vault },
        ...{ token0: tokens[i] ?? '', token1: tokens[j] ?? '' },
      },
      { do: 'liquidity', pool: `${named(`${maker}-p`)}:${i}:${j}`, event: 'add', amount0: ETH, amount1: ETH },
    ]
    return [
      act(maker, '', 1, { do: 'create', contract: named(maker) }),
      act(maker, vault, 2, ...pairs.flatMap(([i, j]) => here(i, j))),
    ]
  }
  /** Pays `base` of one token for another; a negative `base` is taken out. */
  const trade = (
    who: string,
    maker: string,
    block: number,
    base: bigint,
    [sold, bought] = [WETH, named(maker)],
  ): Tx => {
    const isFirst = sold < bought
    const amounts = [base, -base / 10n ** 3n] as const
    const [token0, token1] = isFirst ? [sold, bought] : [bought, sold]
    const [amount0, amount1] = isFirst ? amounts : [amounts[1], amounts[0]]
    const stated = { factory: vault, token0, token1 }
    return act(who, 'router', block, { do: 'swap', pool: named(`${maker}-p`), amount0, amount1, stated })
  }
  const bought = (maker: string) => buyers.map((who, n) => trade(who, maker, 10 + n, ETH))
  await happened(
    ...three('trapper'),
    ...bought('trapper'),
    // Swaps between the other two tokens are no sale of this token, and neither are statements of a foreign pool.
    trade('b0', 'trapper', 50, -ETH, [WETH, at(USDC)]),
    act('b1', 'liar', 51, {
      ...{ do: 'swap', pool: named('trapper-p'), amount0: ETH, amount1: -ETH },
      stated: { factory: named('liar'), token0: named('other'), token1: named('trapper') },
    }),
    ...three('maker'),
    ...bought('maker'),
    trade('b2', 'maker', 52, -ETH),
    // A token whose holders sell it for the third token.
    ...three('other'),
    ...bought('other'),
    trade('b3', 'other', 53, -(10n ** 9n), [at(USDC), named('other')]),
    pay('passer-by', 'somebody', 9_000, ETH),
  )
  const [trapper] = await verdicts('trapper')
  expect(flagsOf(trapper)).toMatchObject({ honeypot_related_address: '1', data_source: 'honeypot-history' })
  await clean('maker', 'other')
})

test('a honeypot behind thousands of events or pools is unknown, not clear, and a sale behind them exonerates the maker', async () => {
  const buyers = crowd('b', 22)
  const noise = (token: string, each: bigint): Tx =>
    act(
      'noise',
      'router',
      9,
      ...crowd('n', 5_000).map(
        (_, n): Action => ({ do: 'swap', pool: named(`${token}-p`), amount0: -each, amount1: 10n ** BigInt(n % 2) }),
      ),
    )
  await happened(
    ...launch('flood', 'floodt', 1),
    noise('floodt', 1n),
    ...buyers.map((b, n) => swap(b, 'floodt', 10 + n, ETH)),
    // A rival buys a newly launched honest token, then states many more purchases, before anybody sells.
    ...launch('framed', 'framedt', 1),
    ...buyers.map((b, n) => swap(b, 'framedt', 3 + Math.floor(n / 4), ETH)),
    noise('framedt', 1n),
    swap('b0', 'framedt', 10, -ETH),
    // An early sale shows that the token can be sold.
    ...launch('open', 'opent', 1),
    swap('b0', 'opent', 3, ETH),
    swap('b0', 'opent', 4, -ETH / 2n),
    noise('opent', 1n),
    ...launch('hider', 'hidet', 1),
    announced('hidet', 100, 9),
  )
  const makers = ['flood', 'framed', 'open', 'hider']
  const scored = await score(makers)
  for (const who of makers) expect(flagsOf(scored.get(who)), who).toEqual({})
  const unsure = (who: string) => scored.get(who)!.unknowns.join().includes('to determine whether others could sell')
  expect(makers.map(unsure)).toEqual([true, true, false, true])
})
