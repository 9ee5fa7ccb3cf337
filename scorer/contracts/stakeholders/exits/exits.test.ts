import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PoolEvent, soldBy, withdrawnBy } from './exits.ts'
import { byLiquidityOwner } from './liquidity-owners.ts'
import { type Inflow, originsOf } from './origins.ts'
import { openersOf } from './providers.ts'
import { type EventRow, eventsFrom } from './rows.ts'

const ZERO = `0x${'0'.repeat(40)}`
const HOUR = 3_600
const at = (hour: number, actor: string, event: PoolEvent['event'], value: number, pool = 'main'): PoolEvent => ({
  pool,
  event,
  actor,
  txHash: `${actor}${hour}`,
  time: 1_700_000_000 + hour * HOUR,
  value,
  base: BigInt(Math.round(value * 1e6)),
})
const buys = (hour: number, value: number) =>
  ['ann', 'bob', 'cem', 'dot'].map((who, n) => at(hour + n, who, 'swap', value / 4))
const own =
  (...people: string[]) =>
  ({ actor }: PoolEvent) =>
    people.includes(actor) ? 1 : 0

test.each<[string, PoolEvent[], number, number]>([
  [
    'withdrawn from the only pool',
    [at(0, 'maker', 'add', 20), ...buys(1, 10), at(9, 'maker', 'remove', -29)],
    1,
    0.9667,
  ],
  [
    'withdrawn from the deep one of two',
    [at(9, 'maker', 'remove', -40), at(10, 'maker', 'remove', -0.5, 'side')],
    1,
    0.9759,
  ],
  ['withdrawn from one of three alike', [at(9, 'maker', 'remove', -10)], 20, 0.3333],
  ['put back an hour later', [at(9, 'maker', 'remove', -30), at(10, 'maker', 'add', 30)], 30, 0],
  ['moved to another exchange', [at(8, 'maker', 'add', 28, 'new'), at(9, 'maker', 'remove', -30)], 28, 0.0667],
  [
    'moved to another exchange days later',
    [at(9, 'maker', 'remove', -30), at(90, 'maker', 'add', 28, 'new')],
    28,
    0.0667,
  ],
  [
    'put elsewhere and withdrawn from there too',
    [at(9, 'maker', 'remove', -30), at(90, 'maker', 'add', 28, 'new'), at(91, 'maker', 'remove', -28, 'new')],
    1,
    0.9831,
  ],
  [
    'filled two pools and emptied both on the same day',
    [
      at(0, 'maker', 'add', 10),
      at(0, 'maker', 'add', 10, 'side'),
      at(5, 'maker', 'remove', -14),
      at(6, 'maker', 'remove', -14, 'side'),
    ],
    0.1,
    0.9964,
  ],
  ['withdrawn by somebody else', [at(9, 'stranger', 'remove', -30)], 1, 0],
])('liquidity %s', (_, events, reserve, share) => {
  expect(withdrawnBy(own('maker'), events, reserve).share).toBe(share)
})

test.each<[string, PoolEvent[], number, number]>([
  ['sold at once', [...buys(1, 20), at(9, 'maker', 'swap', -24)], 6, 0.8],
  ['sold by two of a cluster', [...buys(1, 20), at(8, 'maker', 'swap', -12), at(9, 'friend', 'swap', -12)], 6, 0.8],
  ['sold over days', [...buys(1, 20), ...[10, 40, 70, 100].map((hour) => at(hour, 'maker', 'swap', -6))], 6, 0.5],
  ['bought and sold', [...buys(1, 20), at(8, 'maker', 'swap', 24), at(9, 'maker', 'swap', -24)], 30, 0],
  ['sold to two buyers only', [...buys(1, 20).slice(0, 2), at(9, 'maker', 'swap', -24)], 6, 0],
  ['sold by strangers', [...buys(1, 20), at(9, 'ann', 'swap', -24)], 6, 0],
  // Withdrawing one's own liquidity is not a sale: the other measure covers it.
  ['withdrawn, not sold', [...buys(1, 20), at(9, 'maker', 'remove', -24)], 6, 0],
])('tokens %s', (_, events, reserve, share) => {
  expect(soldBy(own('maker', 'friend'), events, reserve).share).toBe(share)
})

const gifts = (...rows: [string, string, number, string?][]): Inflow[] =>
  rows.map(([from, to, amount, signer = from]) => ({ from, to, amount: BigInt(amount), signer }))
const ask = async (rows: Inflow[], who: string[], contracts: string[] = []) =>
  Object.fromEntries(
    await originsOf(
      {
        inflowsTo: async (accounts) => rows.filter(({ to }) => accounts.includes(to)),
        isContract: async (account) => contracts.includes(account),
      },
      new Set(['maker']),
      who,
    ),
  )

test('tokens are followed from the creator through fresh wallets, and no further', async () => {
  const rows = gifts(
    ['maker', 'one', 100],
    ['one', 'two', 100],
    ['two', 'fresh', 99],
    [ZERO, 'minted', 50, 'maker'],
    [ZERO, 'claimer', 50, 'claimer'],
    ['pool', 'buyer', 900],
    ['maker', 'buyer', 100],
    ['maker', 'farm', 100],
    ['farm', 'farmer', 100],
    ['ring', 'rung', 10],
    ['rung', 'ring', 10],
  )
  const people = ['fresh', 'minted', 'claimer', 'buyer', 'farmer', 'ring', 'nobody']
  expect(await ask(rows, people, ['pool', 'farm'])).toEqual({ fresh: 1, minted: 1 })
})

test('transfers to oneself prove nothing about the origin of tokens', async () => {
  const rows = gifts(['maker', 'fresh', 100], ['fresh', 'fresh', 100], ['fresh', 'fresh', 100])
  expect(await ask(rows, ['fresh'])).toEqual({ fresh: 1 })
})

test('the search ends after a few wallets', async () => {
  const chain = ['maker', 'a', 'b', 'c', 'd', 'e', 'f', 'g']
  const rows = gifts(...chain.slice(1).map((to, i): [string, string, number] => [chain[i] ?? '', to, 5]))
  expect(await ask(rows, ['d', 'g'])).toEqual({ d: 1 })
})

/** Origins counted by hand: every path back from an account, none through an account twice. */
const everyWay = (rows: Inflow[], account: string, way: string[] = []): number => {
  if (account === 'maker') return 1
  if (way.includes(account) || way.length > 4) return 0
  const own = rows.filter(({ to }) => to === account)
  const total = own.reduce((sum, { amount }) => sum + Number(amount), 0)
  return own.reduce((sum, { from, amount }) => {
    const part = Math.floor((Number(amount) * 10_000) / total) / 10_000
    return from === account ? sum : sum + part * everyWay(rows, from, [...way, account])
  }, 0)
}
const PEOPLE = ['maker', 'a', 'b', 'c', 'd', 'e', 'f']
const gift = fc.tuple(
  fc.constantFrom(...PEOPLE, 'pool'),
  fc.constantFrom(...PEOPLE.slice(1)),
  fc.integer({ min: 1, max: 99 }),
)

test('shares sum over every path back to insiders', async () => {
  const isForwards = ([from, to]: [string, string, number]) =>
    from === 'pool' || PEOPLE.indexOf(from) < PEOPLE.indexOf(to)
  await fc.assert(
    fc.asyncProperty(fc.array(gift.filter(isForwards), { maxLength: 20 }), async (list) => {
      const rows = gifts(...list)
      const shares = PEOPLE.map((who) => [who, everyWay(rows, who)] as const).filter(([, share]) => share > 0.5001)
      const found = await ask(rows, PEOPLE, ['pool'])
      for (const [who, share] of shares) expect(found[who]).toBeCloseTo(share, 8)
      for (const [who, share] of Object.entries(found)) expect(everyWay(rows, who)).toBeCloseTo(share, 8)
    }),
  )
})

test('circular transfers neither hide nor add an origin', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(gift, { maxLength: 20 }), async (list) => {
      const rows = gifts(...list)
      const found = await ask(rows, PEOPLE, ['pool'])
      for (const who of PEOPLE) if (everyWay(rows, who) > 0.5001) expect(found[who]).toBeGreaterThan(0.5)
      for (const share of Object.values(found)) expect(share).toBeLessThanOrEqual(1)
    }),
  )
  const back = (many: number) => gifts(['taker', 'friend', 100], ...Array(many).fill(['friend', 'taker', 100]))
  expect(await ask([...back(3), ...gifts(['maker', 'taker', 100])], ['taker'])).toMatchObject({
    taker: expect.any(Number),
  })
  expect(await ask([...back(3), ...gifts(['maker', 'taker', 40], ['pool', 'taker', 60])], ['taker'], ['pool'])).toEqual(
    {},
  )
})

test('hundreds of accounts that all sent to each other are read a few times each', async () => {
  const layers = [12, 40, 40, 40, 40].map((size, layer) => Array.from({ length: size }, (_, n) => `${layer}-${n}`))
  let read = 0
  const rows = layers.slice(1).flatMap((givers, layer) =>
    givers.flatMap((giver) =>
      (layers[layer] ?? []).map(
        (to): Inflow => ({
          to,
          signer: '',
          amount: 1n,
          get from() {
            read++
            return giver
          },
        }),
      ),
    ),
  )
  expect(await ask(rows, layers[0] ?? [])).toEqual({})
  expect(read).toBeLessThan(10 * rows.length)
})

test.each<[string, PoolEvent[], [string, number][], string[], string[]]>([
  ['the first pool of a token', [at(0, 'maker', 'add', 9_000)], [['main', 9_000]], ['maker'], []],
  [
    'a pool beside one of long ago',
    [at(0, 'guest', 'add', 90_000, 'side')],
    [
      ['main', 2_000],
      ['side', 90_000],
    ],
    [],
    ['guest'],
  ],
  [
    'a pool beside one of yesterday, emptied again',
    [at(0, 'maker', 'add', 2_000), at(20, 'guest', 'add', 90_000, 'side'), at(21, 'guest', 'remove', -90_000, 'side')],
    [
      ['main', 2_000],
      ['side', 0],
    ],
    ['maker'],
    ['guest'],
  ],
  [
    'a pool beside crumbs',
    [at(0, 'decoy', 'add', 5), at(1, 'other', 'add', 90_000, 'side'), at(5, 'other', 'remove', -90_000, 'side')],
    [
      ['main', 5],
      ['side', 0],
    ],
    ['decoy', 'other'],
    [],
  ],
  ['a pool that was full', [at(0, 'guest', 'add', 3_000)], [['main', 9_000]], [], []],
])('who opens %s', (_, events, reserves, launchers, guests) => {
  const openers = openersOf(events, new Map(reserves))
  expect([[...openers.launchers], [...openers.guests]]).toEqual([launchers, guests])
})

test('liquidity that moves to V4 is no exit, although the tables lack its amount', () => {
  const base = { address: '0xb', symbol: 'WETH', decimals: 0, stable: false }
  const pools = (['v2', 'v4'] as const).map((kind) => ({ id: kind, kind, base, baseReserve: kind === 'v4' ? 40n : 0n }))
  const row = (pool: string, event: PoolEvent['event'], actor: string, amount: number): EventRow => ({
    pool,
    event,
    actor,
    tx_hash: `${pool} ${actor}`,
    time: 1_700_000_000,
    position: '1',
    owner: actor,
    amount0: '0',
    amount1: `${amount}`,
    largest: '0',
  })
  const share = (rows: EventRow[]) => {
    const events = eventsFrom(rows, {
      token: '0xa',
      pools,
      measured: new Set(),
      usdValueOf: (_, amount) => Number(amount),
    })
    return withdrawnBy(own('maker'), events, 40).share
  }
  const leaves = row('v2', 'remove', 'maker', -40)
  expect(share([leaves, row('v4', 'add', 'maker', 0)])).toBe(0)
  expect(share([leaves, row('v4', 'add', 'stranger', 0)])).toBe(0.5)
  expect(share([leaves, row('unknown', 'add', 'maker', 40)])).toBe(0.5)
})

test.each<[string, { keeper: string | undefined; gifts: Inflow[] }, string]>([
  ['whoever kept it', { keeper: 'shed', gifts: [{ to: 'shed', from: 'maker', signer: '', amount: 9n }] }, 'shed'],
  ['the sender who kept it', { keeper: 'zoe', gifts: [] }, 'zoe'],
  [
    'the sender who had given it',
    { keeper: 'farm', gifts: [{ to: 'farm', from: 'zoe', signer: '', amount: 1n }] },
    'zoe',
  ],
  [
    'the sender who made it there',
    { keeper: 'farm', gifts: [{ to: 'farm', from: ZERO, signer: 'zoe', amount: 1n }] },
    'zoe',
  ],
  [
    'the sender, where nobody knows who made it there',
    { keeper: 'farm', gifts: [{ to: 'farm', from: ZERO, signer: '', amount: 1n }] },
    'zoe',
  ],
  ['the sender, where nobody knows', { keeper: undefined, gifts: [] }, 'zoe'],
])('a withdrawal belongs to %s', async (_, { keeper, gifts }, owner) => {
  const events = [at(0, 'maker', 'add', 20), ...buys(1, 10), at(9, 'zoe', 'remove', -29)]
  const found = await byLiquidityOwner(
    { holderOf: async () => keeper, inflowsTo: async () => gifts, depositorsOf: async () => new Map() },
    events,
    new Set(['maker']),
  )
  expect(found).toEqual(events.map((event) => (event.event === 'remove' ? { ...event, actor: owner } : event)))
})
