/** Insiders who take a pool in ways that hide it, strangers who want somebody to be accused of it, and honest exits that look alike. */
import { describe, expect, test } from 'vitest'
import type { ChainReader } from '../../../scorer/contracts/chain/chain.ts'
import type { Market } from '../../../scorer/contracts/market/market.ts'
import { findExits } from '../../../scorer/contracts/stakeholders/exits/find.ts'
import { hadPosition } from '../../../scorer/contracts/stakeholders/exits/liquidity-owners.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { insertRows, rowsOf, type Tx, timeOf } from '../../kit/world/transactions.ts'
import { act, at, crowd, ETH, flagsKit, move, pay, WETH } from './flags.kit.ts'

const { store, emptied } = flagsKit()
const registry = contractRegistry('ETH')!
const WRAPPED = { symbol: 'weth', decimals: 18, address: WETH, stable: false }
const TOKEN = at('token')
const SUPPLY = 1_000_000n * ETH
/** Blocks of the world are ten minutes long. */
const HOUR = 6
const DAY = 24 * HOUR
const NOW = 29 * DAY

type Taken = { who: string; pool: string; coins: bigint; block: number; owner?: string }
type Pool = { kind?: Market['kind']; left: bigint; base?: Market['base'] }
/** What `findExits` makes of a world: pools by name, with what lies in them now. */
const exits = async (
  world: (Tx | Tx[])[],
  pools: Record<string, Pool>,
  { contracts = [] as string[], dollars = {} as Record<string, number>, read = [] as Taken[] } = {},
) => {
  await insertRows(store(), rowsOf(world.flat(), { head: NOW }))
  const markets = Object.entries(pools).map(
    ([name, { kind = 'v2', left, base = WRAPPED }]) =>
      ({ kind, pool: at(name), id: at(name), base, baseReserve: left }) as Market,
  )
  const [market] = [...markets].sort((a, b) => Number(b.baseReserve - a.baseReserve))
  const { withdrawn, sold } = await findExits({
    chain: {
      time: timeOf(NOW),
      height: NOW,
      code: async (who: string) => (contracts.map(at).includes(who) ? '0x6001' : '0x'),
      logs: async () => [],
      receipt: async () => [],
      call: async () => undefined,
      words: async (asked: unknown[]) => asked.map(() => undefined),
    } as unknown as ChainReader,
    registry,
    store: store(),
    network: 'ETH',
    known: {
      ...{ subject: { token: TOKEN, supply: SUPPLY, owner: { address: '' } }, market, markets },
      usdPrices: new Map(Object.entries({ [WETH]: 2_000, ...dollars })),
    } as unknown as Parameters<typeof findExits>[0]['known'],
    creator: at('maker'),
    createdAt: timeOf(1),
    listed: read.flatMap(({ who, pool, coins, block, owner = '' }) => {
      const found = markets.find(({ id }) => id === at(pool))
      const event = coins > 0n ? ('add' as const) : ('remove' as const)
      const base = coins > 0n ? coins : -coins
      const tokens = base * (who === 'maker' ? 10_000n : 100n)
      return found
        ? [
            {
              event,
              provider: at(who),
              owner: at(owner),
              txHash: `0x${block}`,
              base,
              tokens,
              time: timeOf(block),
              pool: found,
            },
          ]
        : []
    }),
  })
  return { withdrawn: withdrawn.share, sold: sold.share }
}

/** Tokens and coins as a pool sees them. */
const both = (tokens: bigint, coins: bigint) =>
  TOKEN < WETH ? { amount0: tokens, amount1: coins } : { amount0: coins, amount1: tokens }
const changes = (event: 'add' | 'remove', pool: string, coins: bigint, tokens = coins * 10_000n) => ({
  ...{ do: 'liquidity' as const, pool: at(pool), event },
  ...both(tokens, coins),
})
const add = (who: string, block: number, pool: string, coins: bigint, tokens?: bigint): Tx =>
  act(who, 'router', block, changes('add', pool, coins, tokens), move('', who, coins, pool))
const remove = (who: string, block: number, pool: string, coins: bigint): Tx =>
  act(who, 'router', block, changes('remove', pool, coins), move(who, pool, coins, pool))
/** Coins that came in, or went out where they are negative. */
const trade = (who: string, block: number, pool: string, coins: bigint): Tx =>
  act(who, 'router', block, { do: 'swap', pool: at(pool), ...both(-coins * 10_000n, coins) })
const made = act('maker', '', 1, { do: 'create', contract: TOKEN }, move('', 'maker', SUPPLY, 'token'))
const give = (from: string, to: string, block: number, amount: bigint, asset = 'token') =>
  act(from, asset, block, move(from, to, amount, asset))
const buyers = (pool: string, block: number, coins = 10n * ETH) =>
  crowd('buyer', 4).map((who, n) => trade(who, block + n, pool, coins / 4n))

test('liquidity that its maker takes in thirty small parts is gone as well', async () => {
  const parts = Array.from({ length: 27 }, (_, n) => remove('maker', (n + 2) * DAY, 'pair', ETH))
  const found = await exits([made, add('maker', 2, 'pair', 20n * ETH), buyers('pair', 3), parts], {
    pair: { left: 3n * ETH },
  })
  expect(found.withdrawn).toBe(0.9)
})

test('what one pool loses is a part of what lies in all of them', async () => {
  const found = await exits(
    [made, add('maker', 2, 'pair', 20n * ETH), buyers('pair', 3), remove('maker', 10 * DAY, 'pair', 29n * ETH)],
    { pair: { left: ETH }, side: { kind: 'v3', left: 15n * ETH }, third: { kind: 'v3', left: 13n * ETH } },
  )
  expect(found.withdrawn).toBe(0.5)
})

test('a crowd of tiny swaps hides neither a withdrawal nor a sale', async () => {
  const crowded = Array.from({ length: 5_200 }, (_, n) =>
    trade('crowder', 20 * DAY + (n % 700), 'pair', n % 2 ? 1_000n : -1_000n),
  )
  const world = [made, add('maker', 2, 'pair', 20n * ETH), buyers('pair', 3), crowded]
  const sold = await exits([...world, trade('maker', 10 * DAY, 'pair', -27n * ETH)], { pair: { left: 3n * ETH } })
  expect(sold.sold).toBe(0.9)
  await emptied()
  const left = await exits([...world, remove('maker', 10 * DAY, 'pair', 29n * ETH)], { pair: { left: ETH } })
  expect(left.withdrawn).toBe(0.9667)
})

/** Swaps of next to nothing, an hour before now, for less than a tenth of a cent each where gas is cheap. */
const flood = (pool: string, count: number) =>
  store().command(
    `INSERT INTO swaps
     SELECT 'ETH', {block:UInt32}, toDateTime({time:UInt32}, 'UTC'), bitShiftLeft(toUInt64({block:UInt32}), 34) + number,
       toString(number), {pool:String}, {who:String}, '', '', 1000, -1000, '', '', ''
     FROM numbers({count:UInt32})`,
    { block: NOW - HOUR, time: timeOf(NOW - HOUR), pool: at(pool), who: at('crowder'), count },
  )

test('more swaps than are looked through hide no sale, in whichever pool they are', async () => {
  const [dollar, other] = [at('dollar'), { symbol: 'usd', decimals: 6, address: at('dollar'), stable: true }]
  await flood('pair', 60_000)
  await flood('side', 60_000)
  const found = await exits(
    [made, add('maker', 2, 'pair', 20n * ETH), buyers('pair', 3), trade('maker', 28 * DAY, 'pair', -27n * ETH)],
    // Base units of the dollar are worth more than a million million of the coin's.
    { pair: { left: 3n * ETH }, side: { kind: 'v3', left: 10n ** 6n, base: other } },
    { dollars: { [dollar]: 1 } },
  )
  expect(found.sold).toBeCloseTo(0.9, 2)
})

test('whether somebody had a position by a time is known from the tables', async () => {
  const manager = at('manager')
  const id = 2n ** 200n + 7n
  await insertRows(
    store(),
    rowsOf([act('ann', 'manager', 9, { do: 'nft', from: at(''), to: at('ann'), asset: manager, id })]),
  )
  const had = (owner: string, block: number, number = id) =>
    hadPosition(store(), 'ETH', { owner: at(owner), manager, id: number, time: timeOf(block) })
  expect([await had('ann', 9), await had('ann', 8), await had('bob', 9), await had('ann', 9, 7n)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a pool against a coin of the maker’s own does not make up for the one that it emptied', async () => {
  const own = { symbol: 'own', decimals: 18, address: at('own'), stable: false, unregistered: true as const }
  const found = await exits(
    [
      made,
      add('maker', 2, 'pair', 20n * ETH),
      buyers('pair', 3),
      remove('maker', 10 * DAY, 'pair', 29n * ETH),
      act('maker', 'router', 10 * DAY + 1, {
        do: 'liquidity',
        pool: at('side'),
        event: 'add',
        amount0: 10n ** 27n,
        amount1: 10n ** 27n,
      }),
    ],
    { pair: { left: ETH }, side: { left: 10n ** 27n, base: own } },
    { dollars: { [at('own')]: 1 } },
  )
  expect(found.withdrawn).toBeGreaterThan(0.8)
})

test('a stranger who opens the first pool of a token with some of it, and takes it back, accuses nobody', async () => {
  const found = await exits(
    [
      made,
      // What everybody could claim from a contract of the project.
      give('maker', 'claims', 2, SUPPLY / 2n),
      give('claims', 'stranger', 3, 5_000n * ETH),
      add('stranger', 4, 'pair', 5n * ETH, 5_000n * ETH),
      remove('stranger', 5 * DAY, 'pair', 5n * ETH - 1_000n),
    ],
    { pair: { left: 1_000n } },
    { contracts: ['claims'] },
  )
  expect(found).toEqual({ withdrawn: 0, sold: 0 })
})

test('who opens the first pool with most of the supply rules over it, however it came by that', async () => {
  const found = await exits(
    [
      made,
      give('maker', 'mixer', 2, SUPPLY),
      give('mixer', 'front', 3, SUPPLY),
      add('front', 4, 'pair', 20n * ETH, SUPPLY / 2n),
      buyers('pair', 5),
      remove('front', 5 * DAY, 'pair', 29n * ETH),
    ],
    { pair: { left: ETH } },
    { contracts: ['mixer'] },
  )
  expect(found.withdrawn).toBe(0.9667)
})

test('liquidity that a treasury had added elsewhere with tokens of the maker was moved', async () => {
  const found = await exits(
    [
      made,
      add('maker', 2, 'pair', 20n * ETH),
      buyers('pair', 3),
      give('maker', 'treasury', 9 * DAY, 300_000n * ETH),
      add('treasury', 10 * DAY, 'new', 30n * ETH),
      remove('maker', 10 * DAY + 1, 'pair', 29n * ETH),
    ],
    { pair: { left: ETH }, new: { kind: 'v3', left: 30n * ETH } },
  )
  expect(found.withdrawn).toBeLessThan(0.1)
})

test('an airdrop that its receivers sell on the first day is none of the maker’s doing', async () => {
  const receivers = crowd('user', 60)
  const found = await exits(
    [
      made,
      add('maker', 2, 'pair', 20n * ETH),
      buyers('pair', 3),
      act(
        'maker',
        'disperse',
        DAY,
        ...receivers.map((who, n) => move('maker', who, SUPPLY / 10n / BigInt(n + 1), 'token')),
      ),
      receivers.map((who, n) => trade(who, DAY + HOUR + n, 'pair', (-6n * ETH) / BigInt(n + 1))),
    ],
    { pair: { left: 4n * ETH } },
  )
  expect(found.sold).toBe(0)
})

test('who bought from the maker before there was a pool sells what is theirs', async () => {
  const guests = crowd('guest', 5)
  const found = await exits(
    [
      made,
      guests.map((who) => pay(who, 'maker', 2, 4n * ETH)),
      guests.map((who) => give('maker', who, 3, 40_000n * ETH)),
      add('maker', 4, 'pair', 20n * ETH),
      buyers('pair', 5),
      guests.map((who, n) => trade(who, DAY + n, 'pair', -5n * ETH)),
    ],
    { pair: { left: 5n * ETH } },
  )
  expect(found.sold).toBe(0)
})

test.each<[string, Tx[]]>([
  [
    'paid the maker with its own coins',
    crowd('ring', 4).flatMap((who) => [pay('maker', who, 2, 6n * ETH), pay(who, 'maker', 3, 5n * ETH)]),
  ],
  ['paid next to nothing', crowd('ring', 4).map((who) => pay(who, 'maker', 3, ETH / 100n))],
  ['stand among sixty who got crumbs', crowd('user', 60).map((who) => give('maker', who, 3, 10n * ETH))],
  ['paid after they had sold', crowd('ring', 4).map((who) => pay(who, 'maker', 3 * DAY, 6n * ETH))],
])('wallets of a maker that %s sell for the maker', async (_, disguise) => {
  const ring = crowd('ring', 4)
  const found = await exits(
    [
      made,
      disguise,
      add('maker', 4, 'pair', 20n * ETH),
      buyers('pair', 5),
      ring.map((who) => give('maker', who, DAY, 100_000n * ETH)),
      ring.map((who, n) => trade(who, DAY + HOUR + n, 'pair', (-27n * ETH) / 4n)),
    ],
    { pair: { left: 3n * ETH } },
  )
  expect(found.sold).toBe(0.9)
})

test('what a partner added makes up for as much as the partner left there', async () => {
  const found = await exits(
    [
      made,
      add('maker', 2, 'pair', 20n * ETH),
      buyers('pair', 3),
      give('maker', 'partner', 9 * DAY, 300_000n * ETH),
      add('opener', 8 * DAY, 'new', ETH),
      add('partner', 10 * DAY, 'new', 30n * ETH),
      remove('maker', 10 * DAY + 1, 'pair', 29n * ETH),
      remove('partner', 12 * DAY, 'new', 25n * ETH),
    ],
    { pair: { left: ETH }, new: { kind: 'v3', left: 6n * ETH } },
  )
  expect(found.withdrawn).toBe(0.7742)
})

test('a dump over forty wallets that the maker gave coins to is one dump', async () => {
  const ring = crowd('ring', 40)
  const found = await exits(
    [
      made,
      add('maker', 2, 'pair', 20n * ETH),
      buyers('pair', 3),
      ring.map((who) => pay('maker', who, DAY, ETH / 100n)),
      ring.map((who) => give('maker', who, DAY, 10_000n * ETH)),
      ring.map((who, n) => trade(who, DAY + HOUR + n, 'pair', (-27n * ETH) / 40n)),
    ],
    { pair: { left: 3n * ETH } },
  )
  expect(found.sold).toBeGreaterThan(0.8)
})

test('nor do crumbs that they sent the maker before hide what they paid it afterwards', async () => {
  const ring = crowd('ring', 40)
  const crumbs = ring.flatMap((who) => Array.from({ length: 51 }, (_, n) => pay(who, 'maker', DAY + (n % 5), 1n)))
  const found = await exits(
    [
      made,
      add('maker', 2, 'pair', 20n * ETH),
      buyers('pair', 3),
      ring.map((who) => give('maker', who, DAY, 10_000n * ETH)),
      crumbs,
      ring.map((who, n) => trade(who, DAY + HOUR + n, 'pair', (-27n * ETH) / 40n)),
      ring.map((who) => pay(who, 'maker', 3 * DAY, ETH / 2n)),
    ],
    { pair: { left: 3n * ETH } },
  )
  expect(found.sold).toBeGreaterThan(0.8)
})

test.each([
  ['maker', 0.9932],
  ['stranger', 0],
])('what %s takes from a V4 pool beside a crumb of V2 counts', async (who, share) => {
  const found = await exits(
    [made, add('maker', 2, 'pair', ETH / 5n), buyers('four', 3)],
    { pair: { left: ETH / 5n }, four: { kind: 'v4', left: 0n } },
    {
      read: [
        { who, pool: 'four', coins: -29n * ETH, block: 10 * DAY },
        { who, pool: 'four', coins: 20n * ETH, block: 2 },
      ],
    },
  )
  expect(found.withdrawn).toBe(share)
})

describe('a position that a contract holds by itself', () => {
  const held = (who: string, block: number, coins: bigint, pool = 'three'): Tx =>
    act(who, 'shed', block, {
      ...changes(coins > 0n ? 'add' : 'remove', pool, coins > 0n ? coins : -coins),
      owner: at('shed'),
    })
  const taken = async (...txs: Tx[]) =>
    (await exits([made, ...txs, buyers('three', 3)], { three: { kind: 'v3', left: ETH } }, { contracts: ['shed'] }))
      .withdrawn

  test('goes on being that of who put it there, whoever calls the contract', async () => {
    expect(await taken(held('maker', 2, 20n * ETH), held('fresh', 9 * DAY, -29n * ETH))).toBe(0.9667)
  })

  test('belongs to nobody else where several use the contract', async () => {
    expect(await taken(held('maker', 2, ETH), held('guest', 2, 19n * ETH), held('fresh', 9 * DAY, -29n * ETH))).toBe(0)
    expect(await taken(held('maker', 2, ETH), held('guest', 2, 19n * ETH), held('guest', 9 * DAY, -29n * ETH))).toBe(0)
  })

  test('of V4, whose tables name no amounts', async () => {
    const left = { who: 'fresh', pool: 'four', coins: -29n * ETH, block: 9 * DAY, owner: 'shed' }
    const given = { who: 'maker', pool: 'four', coins: 20n * ETH, block: 2, owner: 'shed' }
    const found = await exits(
      [made, held('maker', 2, 20n * ETH, 'four'), buyers('four', 3)],
      { four: { kind: 'v4', left: ETH } },
      { contracts: ['shed'], read: [left, given] },
    )
    expect(found.withdrawn).toBe(0.9667)
  })
})
