import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../../platform/bus/bus.ts'
import { type KafkaClient, openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import type { KafkaBroker } from '../../kit/processes/kafka.ts'
import { THOROUGH } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'
import { consume, createTopic, message, readAll, texts, unique } from './helpers.ts'

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )

/** What must hold through each client when brokers die, hang and are full of what was never committed. */
export const faultSuite = (kafkaClient: KafkaClient, broker: () => KafkaBroker) => {
  describe.skipIf(!THOROUGH)(`Kafka bus through ${kafkaClient}, with faults (nightly)`, () => {
    let bus: Bus
    beforeAll(async () => {
      const log = createLog(process.env.ASSAY_LOG_LEVEL ?? 'silent')
      bus = await openBus({ kafkaBrokers: broker().brokers, kafkaClient, log })
    })
    afterAll(() => bus.close())

    test('a broker killed during transactions leaves whole ones in order, with all acknowledged ones', async (context) => {
      const { outage } = broker()
      if (!outage) return context.skip('the broker is not ours to kill')
      const topics = [await createTopic(bus), await createTopic(bus, { partitions: 2 })] as const
      const transactionalId = unique('id')
      const producer = await bus.producer({ transactionalId })
      const send = (number: number) =>
        producer.send([
          { topic: topics[0], messages: [message(`${number} undo`), message(`${number} redo`)] },
          { topic: topics[1], messages: [message(`${number}`, { partition: 1 })] },
        ])
      let acknowledged = 0
      let killed: Promise<void> | undefined
      let code = 'done'
      while (code === 'done') {
        code = await codeOf(send(acknowledged))
        if (code === 'done') acknowledged += 1
        if (acknowledged === 30) killed ??= outage.kill()
      }
      expect(code).toBe('ASSAY_BUS_UNAVAILABLE')
      expect(await codeOf(send(0))).toBe('ASSAY_BUS_UNAVAILABLE')
      await killed
      await outage.start()
      await until('health', () => bus.healthy())
      await producer.close()
      const successor = await bus.producer({ transactionalId })
      const [first, second] = [texts(await readAll(bus, topics[0])), texts(await readAll(bus, topics[1], 1))]
      // Topics of one broker have one copy: killed, it may lose or hide the last of what it has acknowledged.
      expect(second.length).toBeGreaterThanOrEqual(acknowledged - 1)
      expect(second.length).toBeLessThanOrEqual(acknowledged + 1)
      expect(second).toEqual(Array.from({ length: second.length }, (_, number) => `${number}`))
      expect(first).toEqual(second.flatMap((number) => [`${number} undo`, `${number} redo`]))
      await successor.send([{ topic: topics[0], messages: [message('after')] }])
      expect(texts(await readAll(bus, topics[0])).at(-1)).toBe('after')
      await successor.close()
    })

    test('a hanging broker ends sends with unknown outcome and revokes partitions; afterwards everything continues', async (context) => {
      const { outage } = broker()
      if (!outage) return context.skip('the broker is not ours to halt')
      const topic = await createTopic(bus)
      const [transactionalId, groupId] = [unique('id'), unique('group')]
      let producer = await bus.producer({ transactionalId })
      const plain = await bus.producer()
      await producer.send([{ topic, messages: [message('before')] }])
      const revoked: string[] = []
      let free = false
      const { got, batches, consumer } = await consume(bus, { groupId, topics: [topic] }, async (batch) => {
        if (!free)
          await new Promise<void>((resolve) => {
            batch.signal.addEventListener('abort', () => resolve(), { once: true })
          })
        if (batch.signal.aborted) revoked.push(await codeOf(batch.commit((batch.messages.at(-1)?.offset ?? 0n) + 1n)))
        else await batch.commit((batch.messages.at(-1)?.offset ?? 0n) + 1n)
        if (batch.signal.aborted) throw new Error('lost')
      })
      await until('the consumer at work', () => batches.length === 1)
      outage.halt()
      try {
        expect(await bus.healthy()).toBe(false)
        const codes = await Promise.all([
          codeOf(producer.send([{ topic, messages: [message('during')] }])),
          codeOf(plain.send([{ topic, messages: [message('plain during')] }])),
        ])
        expect(codes).toEqual(['ASSAY_BUS_UNAVAILABLE', 'ASSAY_BUS_UNAVAILABLE'])
        await until('the signal', () => revoked.length > 0)
        expect(revoked).toEqual(['ASSAY_BUS_PARTITION_LOST'])
      } finally {
        free = true
        outage.resume()
      }
      await until('health', () => bus.healthy())
      await producer.close()
      producer = await bus.producer({ transactionalId })
      const settled = texts(await readAll(bus, topic))
      expect(settled[0]).toBe('before')
      expect(new Set(settled).size).toBe(settled.length)
      await producer.send([{ topic, messages: [message('after')] }])
      await plain.send([{ topic, messages: [message('plain after')] }])
      const all = [...settled, 'after', 'plain after']
      expect(texts(await readAll(bus, topic))).toEqual(all)
      await until('all', () => new Set(texts(got)).size === all.length, 150_000)
      await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
      await consumer.close()
    }, 300_000)

    test('partitions full of aborted transactions are read, consumed and caught up with', async () => {
      const topic = await createTopic(bus, { partitions: 2 })
      const kafka = new Kafka({ brokers: broker().brokers, logLevel: logLevel.NOTHING })
      const producers = await Promise.all(
        [0, 1].map(async () => {
          const raw = kafka.producer({ transactionalId: unique('raw'), idempotent: true, maxInFlightRequests: 1 })
          await raw.connect()
          return raw
        }),
      )
      const expected: string[][] = [[], []]
      for (let number = 0; number < 60; number += 1) {
        const commits = number % 10 === 4
        // Two transactions at a time, so that one producer's aborted messages lie between another's committed ones.
        const open = await Promise.all(producers.map((raw) => raw.transaction()))
        for (const [by, transaction] of open.entries())
          for (const partition of [0, 1]) {
            const value = `${number} ${by} ${commits && by === 0 ? 'kept' : 'aborted'} ${'x'.repeat(2_000)}`
            await transaction.send({
              topic,
              messages: [
                { value, partition },
                { value: `${value}!`, partition },
              ],
            })
            if (commits && by === 0) expected[partition]?.push(value, `${value}!`)
          }
        await open[1]?.abort()
        await (commits ? open[0]?.commit() : open[0]?.abort())
      }
      const groupId = unique('group')
      const { got, consumer } = await consume(bus, { groupId, topics: [topic], maxBytes: 30_000 })
      for (const partition of [0, 1]) {
        await until(
          'markers',
          async () => (await readAll(bus, topic, partition)).length === expected[partition]?.length,
        )
        expect(texts(await readAll(bus, topic, partition))).toEqual(expected[partition])
      }
      await until('all', () => got.length === 24)
      for (const partition of [0, 1])
        expect(texts(got.filter((one) => one.partition === partition))).toEqual(expected[partition])
      await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
      await consumer.close()
      for (const raw of producers) await raw.disconnect()
    })
  })
}
