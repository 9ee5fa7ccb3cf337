import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openEmbeddedBus } from '../../../platform/bus/embedded.ts'
import { openBus } from '../../../platform/bus/index.ts'
import { type Clock, systemClock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { until } from '../../kit/until.ts'
import { commitAll, consume, createTopic, message, readAll, texts, unique } from './helpers.ts'
import { busSuite } from './suite.ts'

const log = createLog('silent')
const folders: string[] = []
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-bus-'))
  folders.push(path)
  return path
}
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

const shared = folder()
busSuite('embedded', () => ({ path: shared }))

/** Node 20 ignores `--import tsx` for the entry of a worker, so a line of JavaScript registers it and loads the rest. */
const startThread = (url: URL, workerData: unknown): Worker =>
  new Worker(`import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(url.href)})))`, {
    eval: true,
    workerData,
  })

describe('embedded bus, beyond the contract', () => {
  test('partitions take turns with batches above their share, and never exceed the limit together', async () => {
    const bus = await openEmbeddedBus({ log, clock: systemClock }, { path: folder() })
    const topic = await createTopic(bus, { partitions: 4 })
    const producer = await bus.producer()
    const value = Buffer.alloc(9_900, 'abcdefghij')
    for (let partition = 0; partition < 4; partition += 1)
      await producer.send([{ topic, messages: Array.from({ length: 30 }, () => ({ value, partition })) }])
    const sizes: number[] = []
    let held = 0
    let most = 0
    const { got, consumer } = await consume(
      bus,
      { groupId: unique('group'), topics: [topic], maxBytes: 200_000, batchBytes: 100_000 },
      async (batch) => {
        const bytes = batch.messages.reduce((sum, { value: { length } }) => sum + length, 0)
        sizes.push(bytes)
        held += bytes
        most = Math.max(most, held)
        await new Promise((resolve) => setImmediate(resolve))
        held -= bytes
        await commitAll(batch)
      },
    )
    await until('all', () => got.length === 120)
    await bus.close()
    expect(sizes).toEqual(Array(12).fill(99_000))
    expect(most).toBe(198_000)
    expect(new Set(got.map(({ partition, offset }) => `${partition}:${offset}`)).size).toBe(120)
    await consumer.close()
  })

  test('threads share topics and groups and wake each other; a dead one loses its partitions to the others', async () => {
    const path = folder()
    const leaseMs = 600
    const bus = await openEmbeddedBus({ log, clock: systemClock }, { path, leaseMs })
    const topic = await createTopic(bus, { partitions: 4 })
    const groupId = unique('group')
    const got: string[][] = [[], [], []]
    const workers = got.map((list) => {
      const worker = startThread(new URL('worker.ts', import.meta.url), { path, groupId, topic, leaseMs })
      worker.on('message', (values: string[]) => list.push(...values))
      return worker
    })
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))))
    const producer = await bus.producer()
    let number = 0
    const feed = async () => {
      const messages = Array.from({ length: 8 }, () => message(String(number++), { partition: number % 4 }))
      await producer.send([{ topic, messages }])
    }
    await until('all three at work', async () => {
      await feed()
      return got.every(({ length }) => length > 0)
    })
    await workers[0]?.terminate()
    await feed()
    await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n, 30_000)
    const all = () => new Set(got.flat())
    for (const worker of workers.slice(1)) {
      const exit = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('stop')
      await exit
    }
    const survivors = await consume(bus, { groupId, topics: [topic] })
    await feed()
    await until('the rest', () => survivors.got.length === 8)
    expect(number - all().size).toBeLessThanOrEqual(8 + 8)
    await bus.close()
  })

  test('a consumer with an expired lease loses its partition and cannot commit', async () => {
    const path = folder()
    const sleepy = await openEmbeddedBus({ log, clock: systemClock }, { path })
    const later: Clock = { ...systemClock, now: () => Date.now() + 3_600_000 }
    const awake = await openEmbeddedBus({ log, clock: later }, { path })
    const topic = await createTopic(sleepy)
    const groupId = unique('group')
    await (await sleepy.producer()).send([{ topic, messages: [message('m')] }])
    let finish = () => {}
    let outcome: unknown
    const first = await consume(sleepy, { groupId, topics: [topic] }, async (batch) => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      await batch.commit(1n).catch((error: { code: string }) => {
        outcome = error.code
      })
    })
    await until('first at work', () => first.batches.length === 1)
    const second = await consume(awake, { groupId, topics: [topic] })
    await until('second took over', () => second.got.length === 1)
    finish()
    await until('refusal', () => outcome === 'ASSAY_BUS_PARTITION_LOST')
    expect(await awake.lag(groupId, topic)).toBe(0n)
    await awake.close()
    await sleepy.close()
  })

  test('opening a folder again during writes of this thread does not block the thread', async () => {
    const script = new URL('reopen.child.ts', import.meta.url).pathname
    const child = spawn(process.execPath, ['--import', 'tsx', script, folder()], { stdio: 'inherit', timeout: 250_000 })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('removes the oldest records beyond the retention in bytes, and consumers continue with the rest', async () => {
    const bus = await openBus({ path: folder(), log })
    const topic = await createTopic(bus, { retentionBytes: 10_000 })
    const producer = await bus.producer()
    for (let number = 0; number < 50; number += 1)
      await producer.send([{ topic, messages: [message(`${number} ${'x'.repeat(980)}`)] }])
    const left = texts(await readAll(bus, topic)).map((text) => Number(text.split(' ')[0]))
    expect(left.length).toBeGreaterThan(7)
    expect(left.length).toBeLessThan(11)
    expect(left.at(-1)).toBe(49)
    expect(await bus.offsets(topic)).toEqual([{ partition: 0, first: BigInt(left[0]!), next: 50n }])
    const groupId = unique('group')
    expect(await bus.lag(groupId, topic)).toBe(BigInt(left.length))
    const { got, consumer } = await consume(bus, { groupId, topics: [topic] })
    await until('what is left', () => got.length === left.length)
    await consumer.close()
    await bus.close()
  })

  test('removes records older than the retention, but never the newest', async () => {
    let now = 1_000_000
    const clock: Clock = { ...systemClock, now: () => now }
    const bus = await openEmbeddedBus({ log, clock }, { path: folder() })
    const topic = await createTopic(bus, { retentionMs: 1_000 })
    const producer = await bus.producer()
    await producer.send([{ topic, messages: [message('a'), message('b')] }])
    now += 900
    await producer.send([{ topic, messages: [message('c')] }])
    expect(texts(await readAll(bus, topic))).toEqual(['a', 'b', 'c'])
    now += 900
    await producer.send([{ topic, messages: [message('d')] }])
    expect(texts(await readAll(bus, topic))).toEqual(['c', 'd'])
    now += 9_000
    await producer.send([{ topic, messages: [message('e')] }])
    expect(texts(await readAll(bus, topic))).toEqual(['e'])
    await bus.close()
  })

  test('takes over a new retention when a topic is created again, and reports it', async () => {
    let now = 1_000_000
    const clock: Clock = { ...systemClock, now: () => now }
    const path = folder()
    const old = await openEmbeddedBus({ log, clock }, { path })
    const topic = await createTopic(old)
    await (await old.producer()).send([{ topic, messages: [message('a'), message('b')] }])
    await old.close()
    const bus = await openEmbeddedBus({ log, clock }, { path })
    await bus.createTopics([{ topic, partitions: 1, retentionMs: 1_000 }])
    now += 5_000
    await (await bus.producer()).send([{ topic, messages: [message('c')] }])
    expect(texts(await readAll(bus, topic))).toEqual(['c'])
    await bus.createTopics([{ topic, partitions: 1 }])
    expect(await bus.describeTopics([topic])).toEqual([
      { topic, partitions: 1, compacted: false, deletes: true, retentionMs: 1_000 },
    ])
    await bus.createTopics([{ topic, partitions: 1, retentionMs: Number.POSITIVE_INFINITY }])
    expect(await bus.describeTopics([topic])).toEqual([{ topic, partitions: 1, compacted: false, deletes: true }])
    await bus.close()
  })

  test('keeps the newest record of each key of a compacted topic, and refuses messages without a key', async () => {
    const bus = await openBus({ path: folder(), log })
    const topic = await createTopic(bus, { compacted: true, partitions: 2 })
    const producer = await bus.producer()
    for (let number = 0; number < 30; number += 1)
      await producer.send([{ topic, messages: [message(String(number), { key: `key ${number % 3}` })] }])
    const kept = [...(await readAll(bus, topic, 0)), ...(await readAll(bus, topic, 1))]
    expect(texts(kept).sort()).toEqual(['27', '28', '29'])
    await expect(producer.send([{ topic, messages: [message('no key')] }])).rejects.toMatchObject({
      code: 'ASSAY_BUS_REJECTED',
    })
    await bus.close()
  })

  test.skipIf(spawnSync('prlimit', ['--version']).status !== 0)(
    'a full disk fails sends and breaks nothing, and sends succeed again with free space (needs prlimit)',
    async () => {
      const unheard: unknown[] = []
      const hear = (error: unknown) => unheard.push(error)
      process.on('unhandledRejection', hear)
      const bus = await openEmbeddedBus({ log, clock: systemClock }, { path: folder() })
      const topic = await createTopic(bus)
      const producer = await bus.producer({ transactionalId: unique('writer') })
      const acknowledged: string[] = []
      const send = async (value: string) => {
        await producer.send([{ topic, messages: [message(value.padEnd(200_000)), message(`${value}, too`)] }])
        acknowledged.push(value, `${value}, too`)
      }
      const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
      limit(String(1_000_000))
      try {
        for (let n = 0; n < 5; n++) await send(`before ${n}`).catch(() => undefined)
        await expect(send('full')).rejects.toMatchObject({
          code: 'ASSAY_BUS_UNAVAILABLE',
          message: expect.stringContaining('free space'),
        })
      } finally {
        limit('unlimited')
      }
      await send('after')
      expect(texts(await readAll(bus, topic)).map((text) => text.trim())).toEqual(acknowledged)
      expect(unheard).toEqual([])
      process.off('unhandledRejection', hear)
      await bus.close()
    },
  )

  test('an unusable folder is an operator error', async () => {
    await expect(openBus({ path: '/dev/null/bus', log })).rejects.toMatchObject({ code: 'ASSAY_BUS_PATH' })
    await expect(openBus({ log })).rejects.toMatchObject({ code: 'ASSAY_BUS_PATH' })
  })

  test('behaves like a list per partition under any sequence of operations, including reopening', async () => {
    const topics = ['plain', 'other', 'compact'] as const
    const send = fc.record({
      topic: fc.constantFrom(...topics),
      messages: fc.array(
        fc.record({
          key: fc.string({ minLength: 1, maxLength: 2 }),
          partition: fc.nat(1),
          value: fc.uint8Array({ maxLength: 40 }),
        }),
        { maxLength: 5 },
      ),
    })
    const operation = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('send'), sends: fc.array(send, { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('fence') }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('refused') }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
        const path = folder()
        let bus = await openBus({ path, log })
        await bus.createTopics(topics.map((topic) => ({ topic, partitions: 2, compacted: topic === 'compact' })))
        let producer = await bus.producer({ transactionalId: 'id' })
        const model = new Map<string, { offset: number; key: string; value: string }[]>()
        const next = new Map<string, number>()
        for (const each of operations) {
          if (each.kind === 'send' && 'sends' in each) {
            const sends = each.sends.map(({ topic, messages }) => ({
              topic,
              messages: messages.map((one) => ({ ...one, value: Buffer.from(one.value) })),
            }))
            await producer.send(sends)
            for (const { topic, messages } of sends)
              for (const { key, partition, value } of messages) {
                const place = `${topic}/${partition}`
                const offset = next.get(place) ?? 0
                next.set(place, offset + 1)
                const kept = (model.get(place) ?? []).filter((one) => topic !== 'compact' || one.key !== key)
                model.set(place, [...kept, { offset, key, value: value.toString('hex') }])
              }
          } else if (each.kind === 'reopen') {
            await bus.close()
            bus = await openBus({ path, log })
            producer = await bus.producer({ transactionalId: 'id' })
          } else if (each.kind === 'fence') {
            const newer = await bus.producer({ transactionalId: 'id' })
            await expect(producer.send([{ topic: 'plain', messages: [message('late')] }])).rejects.toThrow()
            producer = newer
          } else {
            const sends = [{ topic: 'plain', messages: [message('half'), message('astray', { partition: 9 })] }]
            await expect(producer.send(sends)).rejects.toThrow()
          }
        }
        for (const topic of topics)
          for (const partition of [0, 1]) {
            const place = `${topic}/${partition}`
            const messages = (await readAll(bus, topic, partition)).map(({ offset, key, value }) => ({
              offset: Number(offset),
              key,
              value: value.toString('hex'),
            }))
            expect(messages).toEqual(model.get(place) ?? [])
            expect((await bus.offsets(topic))[partition]?.next).toBe(BigInt(next.get(place) ?? 0))
          }
        await bus.close()
        rmSync(path, { recursive: true })
      }),
      { numRuns: 60 },
    )
  })
})
