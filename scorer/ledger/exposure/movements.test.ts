import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flowsOf, type Movement } from './movements.ts'

type Step = [tx: string, direction: 1 | -1, counterparty: string, usd: number | null, over?: Partial<Movement>]

/** Movements in order, an hour apart by transaction. */
const movements = (...steps: Step[]): Movement[] => {
  const order = [...new Set(steps.map(([tx]) => tx))]
  return steps.map(([tx, direction, counterparty, usd, over], position) => ({
    tx,
    direction,
    counterparty,
    usd,
    asset: usd === null ? 'meme' : 'usdc',
    position,
    time: order.indexOf(tx) * 3_600,
    own: direction === -1,
    ...over,
  }))
}

const POOLS = new Set(['pool', 'router'])
const at = { leastUsd: 1, isService: (address: string) => POOLS.has(address) }
const income = (list: readonly Movement[]) =>
  flowsOf(list, 'incoming', at).flows.map(({ counterparty, usd }) => [counterparty, usd])

test('proceeds of a swap are the same money, whatever today’s prices are', () => {
  const swap = movements(['1', 1, 'thief', 100], ['2', -1, 'pool', 100], ['2', 1, 'router', 130])
  expect(flowsOf(swap, 'incoming', at)).toEqual({
    flows: [{ counterparty: 'thief', usd: 100, time: 0, transfers: 1 }],
    dust: { usd: 0, transfers: 0 },
    unseen: 0,
    swapped: 100,
  })
  expect(flowsOf(swap, 'outgoing', at).flows).toEqual([])
})

test('receiving wrapped coins and paying unwrapped ones passes the same money on, in one or several transactions', () => {
  const weth = { asset: 'weth' }
  const eth = { asset: '' }
  const oneByOne = movements(
    ['1', 1, 'thief', 100, weth],
    ['2', -1, 'pool', 100, weth],
    ['2', 1, 'pool', 100, eth],
    ['3', -1, 'friend', 100, eth],
  )
  const atOnce = oneByOne.map((one) => ({ ...one, tx: '1', time: 0 }))
  for (const list of [oneByOne, atOnce]) {
    expect(income(list)).toEqual([['thief', 100]])
    expect(flowsOf(list, 'outgoing', at).flows).toMatchObject([{ counterparty: 'friend', usd: 100 }])
  }
  // Where blocks show no internal payments, only the wrapped side is seen.
  expect(income(oneByOne.filter(({ tx, direction }) => tx !== '2' || direction === -1))).toEqual([['thief', 100]])
})

test('a payment received while something is given to another party is no swap', () => {
  expect(income(movements(['1', -1, 'friend', 100], ['1', 1, 'thief', 100]))).toEqual([['thief', 100]])
  expect(income(movements(['1', -1, 'pool', 60], ['1', 1, 'thief', 100]))).toEqual([['thief', 100]])
})

test('a trifling fee does not turn a payout of a service into a swap', () => {
  expect(income(movements(['1', -1, 'router', 1], ['1', 1, 'pool', 1_000]))).toEqual([['pool', 999]])
})

test('trading a token without a price yields only the gain, whichever pools are used', () => {
  const round = movements(
    ['1', 1, 'thief', 100],
    ['2', -1, 'pool', 100],
    ['2', 1, 'pool', null, { own: true }],
    ['3', -1, 'router', null],
    ['3', 1, 'router', 98],
  )
  expect(income(round)).toEqual([['thief', 100]])
  expect(income([...round, ...movements(['4', -1, 'pool', null], ['4', 1, 'pool', 30])])).toEqual([
    ['thief', 100],
    ['meme', 28],
  ])
})

test('proceeds of a token that was never bought are income of unknown origin', () => {
  expect(flowsOf(movements(['1', -1, 'pool', null], ['1', 1, 'pool', 500]), 'incoming', at).flows).toEqual([
    { counterparty: 'meme', usd: 500, time: 0, transfers: 1, unpriced: true },
  ])
})

const step = fc.record({
  from: fc.constantFrom('ann', 'bob', 'thief', 'pool'),
  usd: fc.double({ min: 1, max: 1_000_000, noNaN: true }),
  direction: fc.constantFrom<1 | -1>(1, -1),
})
const lives = fc
  .array(step, { maxLength: 20 })
  .map((steps) => movements(...steps.map(({ from, usd, direction }, n): Step => [`t${n}`, direction, from, usd])))

test('a refund is no income', () => {
  fc.assert(
    fc.property(lives, fc.double({ min: 1, max: 1e6, noNaN: true }), (before, usd) => {
      const last = before.length
      const more = (tx: string, direction: 1 | -1, amount: number): Movement => ({
        tx,
        direction,
        counterparty: 'payer',
        usd: amount,
        asset: 'usdc',
        position: last + Number(tx),
        time: 1e6 + Number(tx),
        own: direction === -1,
      })
      const refunded = [...before, more('1', -1, usd), more('2', 1, usd / 2), more('3', 1, usd / 2)]
      expect(income(refunded).filter(([party]) => party !== 'payer')).toEqual(income(before))
      const [, paid = 0] = income(refunded).find(([party]) => party === 'payer') ?? []
      expect(paid as number).toBeLessThan(usd * 1e-9)
    }),
  )
})

test('income never exceeds receipts, and never falls with more of them', () => {
  fc.assert(
    fc.property(lives, (list) => {
      const sums = new Map<string, number>()
      for (const { counterparty, direction, usd } of list)
        if (direction === 1) sums.set(counterparty, (sums.get(counterparty) ?? 0) + (usd ?? 0))
      for (const [party, usd] of income(list))
        expect(usd as number).toBeLessThanOrEqual((sums.get(party as string) ?? 0) * (1 + 1e-9))
    }),
  )
})

test('movements below a dollar, however many, change nothing', () => {
  fc.assert(
    fc.property(lives, fc.array(fc.double({ min: 0, max: 0.99, noNaN: true }), { maxLength: 30 }), (list, crumbs) => {
      const dusted = [...list, ...movements(...crumbs.map((usd, n): Step => [`d${n}`, 1, 'thief', usd]))]
      expect(flowsOf(dusted, 'incoming', at).flows).toEqual(flowsOf(list, 'incoming', at).flows)
    }),
  )
})

test('proceeds of a token belong to untrusted pools if most came from such: one flow for each', () => {
  const own = (address: string) => address !== 'pool'
  const list = movements(
    ['1', -1, 'desk', null],
    ['1', 1, 'desk', 300],
    ['2', -1, 'stall', null],
    ['2', 1, 'stall', 200],
  )
  const flows = (more: Movement[]) =>
    flowsOf([...list, ...more], 'incoming', {
      ...at,
      isService: (address) => ['desk', 'stall', 'pool'].includes(address),
      isUntrusted: own,
    }).flows
  expect(flows([])).toEqual([{ counterparty: 'desk', usd: 500, time: 3_600, transfers: 2 }])
  expect(flows(movements(['3', 1, 'desk', 70]))).toMatchObject([{ counterparty: 'desk', usd: 570, transfers: 3 }])
  expect(flows(movements(['4', -1, 'pool', null], ['4', 1, 'pool', 600]))).toMatchObject([
    { counterparty: 'meme', usd: 1_100, unpriced: true },
  ])
})

test('outflows beyond the known inflows count as unseen income, by coin and within the examined time', () => {
  const list = movements(['1', 1, 'friend', 100], ['2', -1, 'shop', 400], ['3', 1, 'miner', 350], ['4', -1, 'shop', 60])
  const unseen = (until?: number) =>
    flowsOf(list, 'incoming', { ...at, until, coinOf: (asset) => (asset === 'usdc' ? asset : undefined) }).unseen
  expect([unseen(), unseen(0), unseen(3_600)]).toEqual([300, 0, 300])
  expect(flowsOf(list, 'incoming', at).unseen).toBe(0)
  expect(flowsOf(list, 'outgoing', { ...at, coinOf: (asset) => asset }).unseen).toBe(0)
})

test('unwrapping without traces, and wrapping, are no unseen income', () => {
  const [wrapped, native] = [{ asset: 'weth' }, { asset: '' }]
  const coinOf = (asset: string) => (asset === 'weth' || asset === '' ? '' : undefined)
  const unseen = (...steps: Step[]) => flowsOf(movements(...steps), 'incoming', { ...at, coinOf }).unseen
  const got: Step[] = [
    ['1', 1, 'friend', 100, wrapped],
    ['2', -1, 'weth', 100, wrapped],
  ]
  const sent: Step = ['3', -1, 'shop', 100, native]
  expect(unseen(...got, sent)).toBe(0)
  expect(unseen(...got, ['2', 1, 'weth', 100, native], sent)).toBe(0)
  expect(unseen(...got, sent, ['4', -1, 'shop', 40, wrapped])).toBe(40)
  expect(unseen(['1', 1, 'friend', 100, native], ['2', -1, 'weth', 100, native], ['3', -1, 'shop', 100, wrapped])).toBe(
    0,
  )
})
