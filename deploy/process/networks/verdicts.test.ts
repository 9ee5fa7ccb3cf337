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

test('waits for wallets queued before blocks and logs were complete, not for later ones', async () => {
  const { facts, missing } = world()
  facts.sent = 50n
  expect(await missing()).toBe(SCORING)
  facts.scored = 49n
  facts.sent = 90n
  expect(await missing()).toBe(SCORING)
  facts.scored = 50n
  expect(await missing()).toBeUndefined()
})

test('waits for verdicts from partial logs, however often their wallets are queued', async () => {
  const { facts, missing } = world()
  facts.unsure = '0x1'
  expect(await missing()).toBe(AGAIN)
  facts.sent = 20n
  expect(await missing()).toBe(AGAIN)
  facts.unsure = ''
  expect(await missing()).toBeUndefined()
})

test('waits for nothing where logs stay unknown', async () => {
  const { facts, missing } = world()
  facts.unsure = '0x1'
  expect(await missing(false, false)).toBeUndefined()
})

test('checks a network that fell behind again, and runs no query for a settled one', async () => {
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

test('a wallet that cannot be scored delays its network by at most 15 minutes', async () => {
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
