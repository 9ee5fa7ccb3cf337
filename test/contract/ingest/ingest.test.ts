import { expect, test, vi } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { type Clock, systemClock } from '../../../platform/context/clock.ts'
import type { Block } from '../../../schema/block.ts'
import { encodeFinal, encodeUndo, HISTORY_PARTITIONS, topics } from '../../../schema/topics.ts'
import { readSettled } from '../../../scorer/ledger/reading/settled.ts'
import { sized } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'
import { encodeInParts, FEW_TABLES, makeBlock, outgoing, rowsOf } from './chain.ts'
import { setUpIngest } from './kit.ts'

const { store, bus, producer, createTopics, publishHistory, start, caughtUp, stored, storedAll, expectFreshIndex } =
  setUpIngest()

test('a network with instant finality has no hot rows, and refuses an undo', async () => {
  await createTopics('HAQQ')
  const random = createRandom(5)
  const { chain, first } = await publishHistory('HAQQ', random, { reorgs: false })
  const { ended, end, metrics } = start('HAQQ')
  await until('caught up', () => caughtUp('HAQQ'))
  await expectFreshIndex(chain, first, chain.length)
  expect(await stored('ledger_hot')).toEqual([])
  expect(await metrics.registry.getSingleMetricAsString('assay_ingest_rows_total')).toContain(
    'network="HAQQ",tier="final"',
  )
  await producer().send([{ topic: topics.head('HAQQ'), messages: [encodeUndo('HAQQ', 3, 4, '0x')] }])
  expect(await ended).toMatchObject({ code: 'ASSAY_INGEST_UNDO_OF_FINAL' })
  await end()
})

test('an undecodable message is set aside on history and stops the network on head', async () => {
  await createTopics('ETH')
  const block = makeBlock('ETH', 1, '0x0', 'x', createRandom(1))
  const good = outgoing(encodeInParts([block], 1)[0]!, 0)
  const torn = { ...good, value: good.value.subarray(0, good.value.length - 3) }
  await producer().send([{ topic: topics.history('ETH'), messages: [torn, good] }])
  const { ended, end } = start('ETH')
  await until('caught up', () => caughtUp('ETH'))
  expect(await storedAll()).toEqual(rowsOf([block]))
  await producer().send([{ topic: topics.head('ETH'), messages: [torn] }])
  expect(await ended).toMatchObject({ code: 'ASSAY_INGEST_POISON' })
  const letters = []
  for await (const { headers } of bus().read(topics.dlq, 0, 0n))
    letters.push([headers.topic, headers.offset, headers.token])
  expect(letters).toEqual([
    ['history.ETH', '0', 'history.ETH:0:0-1:a log:e1'],
    ['head.ETH', '0', 'head.ETH:0:0-0:a log:e1'],
  ])
  await end()
})

test('a small chunk delays the next one, in a stream by one interval per partition; a full one does not', async () => {
  await createTopics('ETH')
  const pauses: number[] = []
  const clock: Clock = {
    now: () => 1_700_000_000_000,
    sleep: (ms, signal) => {
      if (ms >= 1_000) pauses.push(ms)
      return systemClock.sleep(Math.min(ms, 20), signal)
    },
  }
  const random = createRandom(3)
  const chain: Block[] = []
  const send = async (topic: string, number: number) => {
    chain.push(makeBlock('ETH', number, chain.at(-1)?.hash ?? '0x', 'x', random, { tables: FEW_TABLES }))
    await producer().send([{ topic, messages: [outgoing(encodeInParts(chain.slice(-1), 1)[0]!, 0)] }])
  }
  const stream = start('ETH', { minIntervalMs: 1_000, streamBytes: 1 }, clock)
  await send(topics.history('ETH'), 1)
  await until('one pause', async () => pauses.length === 1)
  await send(topics.head('ETH'), 2)
  await until('two pauses', async () => pauses.length === 2)
  await stream.end()
  const trickle = start('ETH', { minIntervalMs: 1_000 }, clock)
  await send(topics.head('ETH'), 3)
  await until('three pauses', async () => pauses.length === 3)
  await trickle.end()
  const full = start('ETH', { minIntervalMs: 1_000, fullBytes: 1 }, clock)
  await send(topics.head('ETH'), 4)
  await until('caught up', () => caughtUp('ETH'))
  await full.end()
  expect(pauses).toEqual([HISTORY_PARTITIONS * 1_000, 1_000, 1_000])
})

test('a clock set back during a chunk does not prolong the delay of the next one', async () => {
  await createTopics('ETH')
  const pauses: number[] = []
  let now = 1_700_000_000_000
  const clock: Clock = {
    now: () => {
      now -= 3_600_000
      return now
    },
    sleep: (ms, signal) => {
      if (ms >= 1_000) pauses.push(ms)
      return systemClock.sleep(Math.min(ms, 20), signal)
    },
  }
  const stream = start('ETH', { minIntervalMs: 1_000 }, clock)
  const block = makeBlock('ETH', 1, '0x0', 'x', createRandom(3), { tables: FEW_TABLES })
  await producer().send([{ topic: topics.head('ETH'), messages: [outgoing(encodeInParts([block], 1)[0]!, 0)] }])
  await until('a pause', async () => pauses.length > 0)
  await stream.end()
  expect(Math.max(...pauses)).toBe(1_000)
})

test('a scorer that takes over the head moves pending final blocks before any message arrives', async () => {
  await createTopics('ETH')
  const { final } = await publishHistory('ETH', createRandom(21), { rounds: 8, tables: FEW_TABLES })
  const before = start('ETH', { moveAfterMs: 3_600_000, moveAfterRows: 1_000_000 })
  await until('caught up', () => caughtUp('ETH'))
  await before.end()
  expect(before.ingest.status().settled ?? 0).toBeLessThan(final)
  const after = start('ETH')
  await until('moved', async () => after.ingest.status().settled === final)
  await after.end()
})

test('an idle network runs no statements', async () => {
  await createTopics('ETH')
  const [moveAfterMs, keepHotMs] = [77, 3_600_000]
  let looks = 0
  const clock: Clock = {
    now: systemClock.now,
    sleep: (ms, signal) => {
      if (ms === moveAfterMs) looks += 1
      return systemClock.sleep(ms, signal)
    },
  }
  const { ingest, end } = start('ETH', { moveAfterMs, keepHotMs }, clock)
  const blocks: Block[] = []
  for (const number of [1, 2, 3]) {
    blocks.push(
      makeBlock('ETH', number, blocks.at(-1)?.hash ?? '0x0', 'x', createRandom(number), { tables: FEW_TABLES }),
    )
  }
  await producer().send([{ topic: topics.head('ETH'), messages: encodeInParts(blocks, 1).map((m) => outgoing(m)) }])
  await producer().send([{ topic: topics.head('ETH'), messages: [outgoing(encodeFinal('ETH', 3, blocks[2]!.hash))] }])
  await until('moved', async () => ingest.status().settled === 3 && (await caughtUp('ETH')))
  const began = looks
  await until('the last work is over', async () => looks > began + 2)
  const query = vi.spyOn(store(), 'query')
  const writes = [vi.spyOn(store(), 'command'), vi.spyOn(store(), 'insert')]
  const quiet = looks
  await until('it looked many times', async () => looks > quiet + 10)
  // Every ten seconds a rebuild is looked for.
  const asked = query.mock.calls.filter(([, , options]) => options?.route !== 'rebuild')
  expect([asked.length, ...writes.map(({ mock }) => mock.calls.length)]).toEqual([0, 0, 0])
  vi.restoreAllMocks()
  await end()
})

test('readers of both tiers see every block exactly once while blocks are added and moved', async () => {
  await createTopics('ETH')
  const { ended, end } = start('ETH', { moveAfterMs: 50 })
  const random = createRandom(9)
  const chain: Block[] = []
  const rowsBelow = (head: number) =>
    chain.filter(({ number }) => number <= head).reduce((n, b) => n + b.rows.ledger.length, 0)
  const count = async (sql: string, params: object) =>
    Number((await store().query<{ n: string }>(sql, { ...params }))[0]?.n)
  let reads = 0
  const blocks = sized(16, 40)
  for (let n = 1; n <= blocks; n++) {
    chain.push(makeBlock('ETH', n, chain.at(-1)?.hash ?? '0x0', 'x', random, { tables: FEW_TABLES }))
    const messages = encodeInParts([chain.at(-1)!], 1).map((message) => outgoing(message))
    if (n > 3) messages.push(encodeFinal('ETH', n - 3, chain[n - 4]!.hash))
    await producer().send([{ topic: topics.head('ETH'), messages }])
    const merged = await readSettled(store(), 'ETH', async ({ settled = 0, head }) => ({
      head,
      rows:
        (await count('SELECT sum(rows) AS n FROM address_totals', {})) +
        (await count(
          'SELECT count() AS n FROM ledger_hot FINAL WHERE block_number > {settled:UInt32} AND block_number <= {head:UInt32}',
          { settled, head },
        )),
    }))
    expect(merged.rows).toBe(rowsBelow(merged.head))
    reads += 1
  }
  const moved = until(
    'moved',
    async () => (await count("SELECT max(settled) AS n FROM watermarks WHERE state = 'settled'", {})) >= blocks - 3,
  )
  // Whatever ends the network before that is the answer, not the deadline.
  expect(await Promise.race([moved.then(() => undefined), ended])).toBeUndefined()
  await end()
  expect(reads).toBe(blocks)
})
