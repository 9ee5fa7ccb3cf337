/** What insiders take out of pools whose vault holds the tokens of all: sales in pools of three, and shares of bins. */
import { encodeAbiParameters, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { DEX_FACTORIES, DEX_ROUTERS } from '../../../schema/registry/contracts.ts'
import type { ChainReader } from '../../../scorer/contracts/chain/chain.ts'
import type { Market } from '../../../scorer/contracts/market/market.ts'
import { findExits } from '../../../scorer/contracts/stakeholders/exits/find.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { type Action, insertRows, named, rowsOf, type Tx, timeOf } from '../../kit/world/transactions.ts'
import { act, at, crowd, ETH, flagsKit, USDC, WETH } from './flags.kit.ts'

const { store } = flagsKit()
const VAULT = [...DEX_FACTORIES.ETH].find(([, { kind }]) => kind === 'balancer-v2')?.[0] ?? ''
const BASE = { symbol: 'WETH', decimals: 18, address: WETH }

/** A pool of a token, WETH and USDC, and what its maker sold. */
const soldIn = async (token: string, swaps: (pool: string) => Tx[]) => {
  const registry = contractRegistry('ETH')
  if (!registry) throw new Error('no registry of ETH')
  const pool = `${named(`${token}-p`)}000200000000000000000001`
  const tokens = [named(token), WETH, USDC].sort()
  const [low, high] = [tokens.indexOf(named(token)), tokens.indexOf(WETH)].sort()
  const id = `${pool}:${low}:${high}`
  await insertRows(store(), rowsOf(swaps(pool)))
  const market = { kind: 'balancer-v2', pool: VAULT, id, base: BASE, baseReserve: 20n * ETH } as Market
  const { sold } = await findExits({
    chain: { time: timeOf(60), height: 60 } as ChainReader,
    registry,
    store: store(),
    network: 'ETH',
    known: {
      subject: { token: named(token), owner: { address: '' } },
      market,
      markets: [market],
      usdPrices: new Map([[WETH, 2_000]]),
    } as unknown as Parameters<typeof findExits>[0]['known'],
    creator: at(`${token}-maker`),
    createdAt: timeOf(1),
    listed: [],
  })
  return sold
}

/** WETH that came in for the token, or went out where it is negative. */
const trade = (who: string, token: string, pool: string, block: number, base: bigint, over = {}): Tx => {
  const isFirst = named(token) < WETH
  const [token0, token1] = isFirst ? [named(token), WETH] : [WETH, named(token)]
  const [amount0, amount1] = isFirst ? [-base / 1_000n, base] : [base, -base / 1_000n]
  const stated = { factory: VAULT, token0, token1, ...over }
  return act(who, 'router', block, { do: 'swap', pool, amount0, amount1, stated })
}

test('a maker who dumps its token on a pool of three is seen, and one whose pool others use for other tokens is not', async () => {
  const bought = (token: string, pool: string) => crowd('b', 4).map((who, n) => trade(who, token, pool, 10 + n, ETH))
  const dumped = await soldIn('dump', (pool) => [
    ...bought('dump', pool),
    trade('dump-maker', 'dump', pool, 50, -80n * ETH),
  ])
  expect(dumped.share).toBe(0.8)
  expect(dumped.amounts).toMatchObject([{ address: at('dump-maker'), amount: '80', unit: 'WETH', usd: '160000.00' }])
  const changed = await soldIn('calm', (pool) => [
    ...bought('calm', pool),
    // The maker takes WETH for dollars, and sells as many of its tokens in another pool of the vault.
    trade('calm-maker', 'calm', pool, 50, -80n * ETH, WETH < USDC ? { token0: WETH, token1: USDC } : { token0: USDC }),
    trade('calm-maker', 'calm', `${named('elsewhere')}000200000000000000000002`, 51, -80n * ETH),
  ])
  expect(changed).toMatchObject({ share: 0, amounts: [] })
  const dust = await soldIn('dust', (pool) => [
    ...crowd('b', 4).map((who, n) => trade(who, 'dust', pool, 10 + n, 1_000n)),
    trade('dust-maker', 'dust', pool, 50, -(10n ** 15n)),
  ])
  expect(dust.share).toBe(0)
})

test('who takes the bins of a pool for its maker is seen, and who was given shares of another pool is not', async () => {
  const manager = [...DEX_ROUTERS.BNB].find(([, { kind }]) => kind === 'bins')?.[0] ?? ''
  const registry = contractRegistry('BNB')
  const wrapped = registry?.wrappedNative ?? ''
  const [pool, other] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
  const [maker, friend, worker] = [at('maker'), at('friend'), at('worker')]
  const bin = 8_388_608
  /** The number of the token of a bin, as the periphery computes it. */
  const numberOf = (id: string) =>
    BigInt(
      keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [id as `0x${string}`, BigInt(bin)])),
    )
  const shares = (from: string, to: string, id: string, amount = 1_000n): Action => ({
    ...{ do: 'multi', asset: manager, from, to, id: numberOf(id), amount },
  })
  const amounts = (base: bigint) =>
    named('bins') < wrapped ? { amount0: 1_000n, amount1: base } : { amount0: base, amount1: 1_000n }
  const change = (event: 'add' | 'remove', base: bigint): Action => ({
    ...{ do: 'liquidity', pool, event, ...amounts(base) },
  })
  const exits = async (from: number, gift: Action, taker: string) => {
    await insertRows(
      store(),
      rowsOf(
        [
          act(maker, manager, from, change('add', 100n * ETH), shares('', maker, pool)),
          act(maker, manager, from + 1, gift),
          act(taker, manager, from + 2, change('remove', 95n * ETH), shares(taker, '', pool)),
        ],
        { network: 'BNB' },
      ),
    )
    const bins = [{ id: bin, base: 5n * ETH }]
    const base = { symbol: 'WBNB', decimals: 18, address: wrapped }
    const market = {
      kind: 'infinity-bin',
      pool: VAULT,
      id: pool,
      base,
      baseReserve: 5n * ETH,
      bins,
    } as unknown as Market
    return findExits({
      chain: {
        time: timeOf(from + 10),
        height: from + 10,
        code: async () => '0x',
        logs: async () => [],
      } as unknown as ChainReader,
      ...{ registry: registry!, store: store(), network: 'BNB', creator: maker, createdAt: timeOf(from), listed: [] },
      known: {
        ...{ subject: { token: named('bins'), owner: { address: '' } }, market, markets: [market] },
        usdPrices: new Map([[wrapped, 600]]),
      } as unknown as Parameters<typeof findExits>[0]['known'],
    })
  }
  expect((await exits(1, shares(maker, worker, other), worker)).withdrawn.share).toBe(0)
  const { withdrawn } = await exits(6_000, shares(maker, friend, pool), friend)
  expect(withdrawn.share).toBe(0.95)
  expect(withdrawn.evidence).toContain(`${friend} was supplied by ${maker}`)
})
