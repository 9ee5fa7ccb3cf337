import { expect, test } from 'vitest'
import { createVerdicts } from './verdicts.ts'

const SCORING = 'is scoring what it has read'
const AGAIN = 'is scoring again what it judged before it knew all logs'

/** A queue of which so many messages were sent and scored, and a table with verdicts that are unsure or not. */
const world = () => {
  const facts = { sent: 10n, scored: 10n, unsure: false, asked: 0 }
  const place = (next: bigint) => ({ partition: 0, first: 0n, next })
  const verdicts = createVerdicts(
    {
      offsets: async () => [place(facts.sent - 4n), place(4n)],
      lag: async () => facts.sent - facts.scored,
    },
    {
      query: (async () => {
        facts.asked += 1
        return facts.unsure ? [{ address: '0x1' }] : []
      }) as never,
    },
  )
  const missing = (behind = false, logsKnown = true) => verdicts.missing('ETH', behind, logsKnown)
  return { facts, missing }
}

test('what is queued when blocks and logs are there has to be scored; what is queued later does not', async () => {
  const { facts, missing } = world()
  facts.sent = 50n
  expect(await missing()).toBe(SCORING)
  facts.scored = 49n
  facts.sent = 90n
  expect(await missing()).toBe(SCORING)
  facts.scored = 50n
  expect(await missing()).toBeUndefined()
})

test('verdicts that rest on half a log are waited for, however often they are queued', async () => {
  const { facts, missing } = world()
  facts.unsure = true
  expect(await missing()).toBe(AGAIN)
  facts.sent = 20n
  expect(await missing()).toBe(AGAIN)
  facts.unsure = false
  expect(await missing()).toBeUndefined()
})

test('where logs are not known, verdicts leave them open for good, and nothing is waited for', async () => {
  const { facts, missing } = world()
  facts.unsure = true
  expect(await missing(false, false)).toBeUndefined()
})

test('a network that fell behind is looked at again, one that is settled costs nothing', async () => {
  const { facts, missing } = world()
  expect(await missing()).toBeUndefined()
  facts.scored = 0n
  facts.unsure = true
  const { asked } = facts
  expect(await missing()).toBeUndefined()
  expect(facts.asked).toBe(asked)
  expect(await missing(true)).toBeUndefined()
  expect(await missing()).toBe(SCORING)
})
