import { expect, test } from 'vitest'
import type { Clock } from '../../../platform/context/clock.ts'
import type { Logger } from '../../../platform/context/log.ts'
import { createVerdicts } from './verdicts.ts'

const SCORING = 'is scoring what it has read'
const AGAIN = 'is scoring again what it judged before it knew all logs'

/** A queue of which so many messages were sent and scored, and a table with verdicts that are unsure or not. */
const world = () => {
  const facts = { sent: 10n, scored: 10n, unsure: '', asked: 0, now: 1_000_000, warned: 0 }
  const place = (next: bigint) => ({ partition: 0, first: 0n, next })
  const clock = { now: () => facts.now } as Clock
  const log = {
    warn: () => {
      facts.warned += 1
    },
  } as unknown as Logger
  const verdicts = createVerdicts(
    { clock, log },
    {
      offsets: async () => [place(facts.sent - 4n), place(4n)],
      lag: async () => facts.sent - facts.scored,
    },
    {
      query: (async () => {
        facts.asked += 1
        return facts.unsure === '' ? [] : [{ address: facts.unsure }]
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
  facts.unsure = '0x1'
  expect(await missing()).toBe(AGAIN)
  facts.sent = 20n
  expect(await missing()).toBe(AGAIN)
  facts.unsure = ''
  expect(await missing()).toBeUndefined()
})

test('where logs are not known, verdicts leave them open for good, and nothing is waited for', async () => {
  const { facts, missing } = world()
  facts.unsure = '0x1'
  expect(await missing(false, false)).toBeUndefined()
})

test('a network that fell behind is looked at again, one that is settled costs nothing', async () => {
  const { facts, missing } = world()
  expect(await missing()).toBeUndefined()
  facts.scored = 0n
  facts.unsure = '0x1'
  const { asked } = facts
  expect(await missing()).toBeUndefined()
  expect(facts.asked).toBe(asked)
  expect(await missing(true)).toBeUndefined()
  expect(await missing()).toBe(SCORING)
})

test('one wallet that cannot be scored holds its network up for a quarter of an hour, and no longer', async () => {
  const { facts, missing } = world()
  const minutes = (count: number) => {
    facts.now += count * 60_000
  }
  facts.unsure = '0x1'
  expect(await missing()).toBe(AGAIN)
  minutes(14)
  // Another one comes first: the work goes on.
  facts.unsure = '0x2'
  expect(await missing()).toBe(AGAIN)
  minutes(14)
  expect([await missing(), facts.warned]).toEqual([AGAIN, 0])
  minutes(1)
  expect([await missing(), facts.warned]).toEqual([undefined, 1])
})
