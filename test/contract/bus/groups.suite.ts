import { beforeAll, describe, expect, test } from 'vitest'
import type { Batch, Bus } from '../../../platform/bus/bus.ts'
import { until } from '../../kit/until.ts'
import { commitAll, consume, createTopic, message, texts, unique } from './helpers.ts'

/** What every bus keeps for consumer groups. `open` gives another bus on the same data, closed by the caller. */
export const groupSuite = (open: () => Promise<Bus>) => {
  describe('consumer groups', () => {
    let bus: Bus
    beforeAll(async () => {
      bus = await open()
    })

    test('a group continues exactly after its committed offset', async () => {
      const topic = await createTopic(bus)
      const groupId = unique('group')
      const producer = await bus.producer({ transactionalId: unique('id') })
      for (let number = 0; number < 5; number += 1) await producer.send([{ topic, messages: [message(`m${number}`)] }])
      const first = await consume(bus, { groupId, topics: [topic] }, async (batch) => {
        const third = batch.messages.find(({ value }) => value.toString() === 'm2')
        if (third) await batch.commit(third.offset + 1n)
      })
      await until('all five', () => first.got.length >= 5)
      await first.consumer.close()
      await first.running
      expect(await bus.lag(groupId, topic)).toBeGreaterThan(0n)
      const second = await consume(await open(), { groupId, topics: [topic] })
      await until('the other two', () => second.got.length >= 2)
      await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
      await second.consumer.close()
      expect(texts(second.got)).toEqual(['m3', 'm4'])
    })

    test.each([
      ['behind what was committed', 1n, ['m1', 'm2', 'm3', 'm4']],
      ['beyond what was committed', 4n, ['m4']],
      ['at the beginning', undefined, ['m0', 'm1', 'm2', 'm3', 'm4']],
    ])('a consumer with an explicit position starts there: %s', async (_, position, expected) => {
      const topic = await createTopic(bus)
      const groupId = unique('group')
      const producer = await bus.producer()
      for (let number = 0; number < 5; number += 1) await producer.send([{ topic, messages: [message(`m${number}`)] }])
      const first = await consume(bus, { groupId, topics: [topic] }, async (batch) => {
        if (batch.messages[0]!.offset < 3n) await batch.commit(3n)
      })
      await until('all five', () => first.got.length >= 5)
      await first.consumer.close()
      await first.running
      const asked: string[] = []
      const options = {
        groupId,
        topics: [topic],
        position: async (name: string, partition: number) => {
          asked.push(`${name} ${partition}`)
          if (asked.length === 1) throw new Error('not known yet')
          return position
        },
      }
      const second = await consume(await open(), options)
      await until('the rest', () => second.got.at(-1)?.value.toString() === 'm4')
      await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
      await producer.send([{ topic, messages: [message('later')] }])
      await until('what came later', () => second.got.at(-1)?.value.toString() === 'later')
      await second.consumer.close()
      expect(texts(second.got)).toEqual([...expected, 'later'])
      expect(new Set(asked)).toEqual(new Set([`${topic} 0`]))
    })

    test('a fully committed group has lag again when its consumer starts earlier', async () => {
      const topic = await createTopic(bus)
      const groupId = unique('group')
      const producer = await bus.producer()
      await producer.send([{ topic, messages: ['a', 'b'].map((text) => message(text)) }])
      const first = await consume(bus, { groupId, topics: [topic] })
      await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
      await first.consumer.close()
      const second = await consume(bus, { groupId, topics: [topic], position: async () => undefined }, async () => {
        throw new Error('never done')
      })
      await until('lag', async () => (await bus.lag(groupId, topic)) === 2n)
      await second.consumer.close()
    })

    test('groups are independent, and lag of a new group counts from the beginning', async () => {
      const topic = await createTopic(bus, { partitions: 2 })
      const producer = await bus.producer()
      await producer.send([{ topic, messages: [0, 1, 0, 1, 1].map((partition) => message('m', { partition })) }])
      const groupId = unique('group')
      const { got, consumer } = await consume(bus, { groupId, topics: [topic] })
      await until('all', () => got.length === 5)
      await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
      expect(await bus.lag(unique('group'), topic)).toBe(5n)
      await consumer.close()
      await expect(consumer.run(commitAll)).rejects.toMatchObject({ code: 'ASSAY_BUS_CLOSED' })
    })

    test('redelivers a batch after its handler failed, without the committed part', async () => {
      const topic = await createTopic(bus)
      const producer = await bus.producer()
      await producer.send([{ topic, messages: ['a', 'b', 'c'].map((text) => message(text)) }])
      const seen: string[][] = []
      let failures = 0
      const { consumer } = await consume(bus, { groupId: unique('group'), topics: [topic] }, async (batch) => {
        seen.push(texts(batch.messages))
        failures += 1
        if (failures === 1) throw new Error('before any commit')
        if (failures === 2) {
          await batch.commit(batch.messages[0]!.offset + 1n)
          throw new Error('after a commit')
        }
        await commitAll(batch)
      })
      await until('three deliveries', () => seen.length >= 3)
      await producer.send([{ topic, messages: [message('d')] }])
      await until('the next one', () => seen.length >= 4)
      expect(seen).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], ['b', 'c'], ['d']])
      await consumer.close()
    })

    test('two consumers of a group share partitions and hand them over without loss or duplicates', async () => {
      const topic = await createTopic(bus, { partitions: 4 })
      const groupId = unique('group')
      const producer = await bus.producer()
      let number = 0
      const feed = async (count: number) => {
        const messages = Array.from({ length: count }, () => message(String(number++), { partition: number % 4 }))
        await producer.send([{ topic, messages }])
      }
      const partitionsOf = (batches: Batch[]) => new Set(batches.map(({ partition }) => partition)).size
      const first = await consume(bus, { groupId, topics: [topic] })
      await feed(40)
      await until('first alone', () => first.got.length === 40)
      expect(partitionsOf(first.batches)).toBe(4)

      const second = await consume(await open(), { groupId, topics: [topic] })
      await until('both at work', async () => {
        await feed(4)
        return second.got.length > 0
      })
      await until('all', () => first.got.length + second.got.length >= number)
      expect(partitionsOf(second.batches)).toBe(2)

      await first.consumer.close()
      await feed(40)
      await until('second alone', () => new Set(texts([...first.got, ...second.got])).size === number)
      await until('all committed', async () => (await bus.lag(groupId, topic)) === 0n)
      await second.consumer.close()
      expect(texts([...first.got, ...second.got]).sort()).toEqual(
        Array.from({ length: number }, (_, n) => String(n)).sort(),
      )
    })

    test('a consumer that lost its partition is notified and cannot commit', async () => {
      const topic = await createTopic(bus)
      const groupId = unique('group')
      const producer = await bus.producer()
      await producer.send([{ topic, messages: [message('m')] }])
      let kept: Batch | undefined
      const first = await consume(bus, { groupId, topics: [topic] }, async (batch) => {
        kept = batch
        await new Promise((resolve) => batch.signal.addEventListener('abort', resolve, { once: true }))
      })
      await until('delivery', () => kept !== undefined)
      await first.consumer.close()
      expect(kept?.signal.aborted).toBe(true)
      await expect(kept?.commit(1n)).rejects.toMatchObject({ code: 'ASSAY_BUS_PARTITION_LOST' })
      const second = await consume(bus, { groupId, topics: [topic] })
      await until('the same message', () => second.got.length === 1)
      await second.consumer.close()
    })

    test('a partition changes its owner only after the current handler has ended', async () => {
      const topic = await createTopic(bus, { partitions: 2 })
      const groupId = unique('group')
      const producer = await bus.producer()
      await producer.send([{ topic, messages: [0, 1].map((partition) => message(`m${partition}`, { partition })) }])
      const atWork = [0, 0]
      let overlaps = 0
      const enter = async (batch: Batch, work: () => Promise<void>) => {
        atWork[batch.partition]! += 1
        if (atWork[batch.partition]! > 1) overlaps += 1
        await work().finally(() => {
          atWork[batch.partition]! -= 1
        })
      }
      let aborted = 0
      const first = await consume(bus, { groupId, topics: [topic] }, (batch) =>
        enter(batch, async () => {
          if (!batch.signal.aborted)
            await new Promise((resolve) => batch.signal.addEventListener('abort', resolve, { once: true }))
          aborted += 1
          await new Promise((resolve) => setImmediate(resolve))
        }),
      )
      await until('first at work on both', () => atWork[0] === 1 && atWork[1] === 1)
      const second = await consume(await open(), { groupId, topics: [topic] }, (batch) =>
        enter(batch, () => commitAll(batch)),
      )
      await until('one handed over', () => second.got.length === 1)
      expect(aborted).toBeGreaterThan(0)
      await first.consumer.close()
      await until('the other, too', () => second.got.length === 2)
      expect(texts(second.got).sort()).toEqual(['m0', 'm1'])
      expect(overlaps).toBe(0)
      await second.consumer.close()
    })

    test('delivers no more bytes at once than requested, and waits for the handler', async () => {
      const topic = await createTopic(bus)
      const producer = await bus.producer()
      const value = Buffer.alloc(100_000, 'abcdefghij')
      const count = 60
      for (let sent = 0; sent < count; sent += 20)
        await producer.send([{ topic, messages: Array.from({ length: 20 }, () => ({ value })) }])
      const sizes: number[] = []
      let atWork = 0
      let most = 0
      const { got, consumer } = await consume(
        bus,
        { groupId: unique('group'), topics: [topic], maxBytes: 350_000 },
        async (batch) => {
          atWork += 1
          most = Math.max(most, atWork)
          sizes.push(batch.messages.reduce((sum, { value: { length } }) => sum + length, 0))
          await batch.heartbeat()
          await commitAll(batch)
          atWork -= 1
        },
      )
      await until('all', () => got.length === count)
      await consumer.close()
      expect(most).toBe(1)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(350_000)
    })

    test('a consumer is woken by news at once', async () => {
      const topic = await createTopic(bus)
      const { got, consumer } = await consume(bus, { groupId: unique('group'), topics: [topic] })
      const producer = await (await open()).producer()
      await producer.send([{ topic, messages: [message('first')] }])
      await until('joined', () => got.length === 1)
      const delays: number[] = []
      for (let number = 0; number < 5; number += 1) {
        const sentAt = performance.now()
        await producer.send([{ topic, messages: [message('m')] }])
        await until('news', () => got.length === number + 2)
        delays.push(performance.now() - sentAt)
      }
      expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(250)
      await consumer.close()
    })
  })
}
