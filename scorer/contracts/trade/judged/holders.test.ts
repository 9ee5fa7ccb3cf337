import { expect, test } from 'vitest'
import type { StepResult } from '../../chain/simulator/script.ts'
import { readTrials, type TrialInput } from '../tried/trials.ts'
import { judgeHolders, NO_HOLDERS } from './holders.ts'

type Sale = StepResult | undefined
const answer = (ok: boolean | undefined, a = 0n, b = 0n): StepResult => ({ ok, a, b, gas: 50_000n, word: 0n })
const held = (amount: bigint) => answer(true, amount)
/** A sale of 1,000 of which `b` arrives. */
const arriving = (b: bigint) => answer(true, 1_000n, b)
const refused = answer(false)
const notRun = answer(undefined)

/** Result for holders by balance and sale at each moment; `undefined` for a moment that the node refused. */
const judged = (
  moments: (Record<string, [StepResult, Sale]> | undefined)[],
  { minHeld = 10n, usual = 0, showsReceived = true, canSell = false } = {},
) => {
  const made = moments.map(
    (sales) =>
      sales &&
      new Map(
        Object.entries(sales).map(([name, steps]) => [
          name === 'half' ? name : `holder ${name}`,
          steps.filter((step) => step !== undefined),
        ]),
      ),
  )
  const ran = { list: [], made, moments: made.map((_, i) => ({ seconds: i, blocks: i })) }
  const trials = readTrials(ran, { simulation: { setup: { kind: 'v2' } }, variation: { byBlock: true } } as TrialInput)
  const usualSale = { ok: true, tax: usual, reason: '' }
  return judgeHolders(trials, { holders: ['ann', 'bob', 'cid'], minHeld, usual: usualSale, showsReceived, canSell })
}

test('when the node answers no sale of a holder, nobody sold and nobody was refused', () => {
  const unknown = { ...NO_HOLDERS, unanswered: 3 }
  expect(judged([undefined, undefined])).toEqual(unknown)
  const silent: [StepResult, Sale] = [held(500n), notRun]
  expect(judged([{ ann: silent, bob: silent, cid: [notRun, undefined] }])).toEqual(unknown)
})

test('only holders whose sale was answered at some moment count', () => {
  const first = { ann: [held(500n), notRun], bob: [held(500n), refused], cid: [held(500n), notRun] } as const
  const later = { ann: [held(500n), arriving(950n)], bob: [held(500n), notRun], cid: [held(500n), notRun] } as const
  expect(judged([{ ...first } as never, { ...later } as never, undefined])).toEqual({
    tried: 2,
    blocked: ['bob'],
    siphoned: [],
    taxes: [5],
    unanswered: 1,
  })
})

test('a refusal counts only when the holder is known to have had something to sell', () => {
  const { blocked, tried, unanswered } = judged([
    { ann: [held(9n), refused], bob: [refused, refused], cid: [held(10n), refused] },
  ])
  expect({ blocked, tried, unanswered }).toEqual({ blocked: ['cid'], tried: 1, unanswered: 1 })
})

test('a sale is siphoned when it is accepted and at most a tenth of what others get arrives, however late', () => {
  const at = (ann: bigint, bob: bigint, cid: bigint) => ({
    ann: [held(500n), arriving(ann)] as [StepResult, Sale],
    bob: [held(500n), arriving(bob)] as [StepResult, Sale],
    cid: [held(500n), arriving(cid)] as [StepResult, Sale],
  })
  expect(judged([at(900n, 99n, 20n), at(900n, 99n, 800n)])).toEqual({
    tried: 3,
    blocked: [],
    siphoned: ['bob'],
    taxes: [10, 90.1, 98],
    unanswered: 0,
  })
  // Everyone pays the same: a tax, not theft from holders.
  expect(judged([at(99n, 99n, 99n)], { usual: 90 }).siphoned).toEqual([])
  // A pool that does not show received amounts shows no tax either.
  expect(judged([at(99n, 99n, 99n)], { showsReceived: false })).toMatchObject({ tried: 3, siphoned: [], taxes: [] })
})

test('a refusal counts only at moments at which other accounts sell, if people can sell at all', () => {
  const day = (half: boolean, ann: boolean) =>
    ({
      ann: [held(500n), ann ? arriving(900n) : refused],
      half: [answer(true, 1n, 10n ** 20n), half ? arriving(900n) : refused],
    }) as Record<string, [StepResult, Sale]>
  const judge = (...moments: [half: boolean, ann: boolean][]) => {
    const { tried, blocked } = judged(
      moments.map(([half, ann]) => day(half, ann)),
      { canSell: true },
    )
    return { tried, blocked }
  }
  expect(judge([true, false], [false, false])).toEqual({ tried: 1, blocked: ['ann'] })
  // Sold once, at whichever moment.
  expect(judge([true, false], [false, true])).toEqual({ tried: 1, blocked: [] })
  // Closed at every moment, or to contracts.
  expect(judge([false, false], [false, false])).toEqual({ tried: 0, blocked: [] })
})
