import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../../platform/bus/bus.ts'
import { type KafkaClient, openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import type { KafkaBroker } from '../../kit/processes/kafka.ts'
import { THOROUGH } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'
import { consume, createTopic, message, readAll, texts, unique } from './helpers.ts'

const log = createLog(process.env.ASSAY_LOG_LEVEL ?? 'silent')

/** What a bus on Kafka keeps through each client, beyond the contract of every bus. */
export const kafkaSuite = (kafkaClient: KafkaClient, broker: () => KafkaBroker) => {
  const options = () => ({ kafkaBrokers: broker().brokers, kafkaClient })

  describe(`Kafka bus through ${kafkaClient}, beyond the contract`, () => {
    let bus: Bus
    const metrics = createMetrics()
    beforeAll(async () => {
      bus = await openBus({ ...options(), log, metrics })
    })
    afterAll(() => bus.close())

    const raw = () => new Kafka({ brokers: broker().brokers, logLevel: logLevel.NOTHING })

    test('readers and consumers skip aborted and open transactions', async () => {
      const topic = await createTopic(bus)
      const producer = raw().producer({ transactionalId: unique('raw'), idempotent: true, maxInFlightRequests: 1 })
      await producer.connect()
      const aborted = await producer.transaction()
      await aborted.send({ topic, messages: [{ value: 'aborted' }] })
      await aborted.abort()
      const committed = await producer.transaction()
      await committed.send({ topic, messages: [{ value: 'committed' }] })
      await committed.commit()
      const open = await producer.transaction()
      await open.send({ topic, messages: [{ value: 'open' }] })
      const { got, consumer } = await consume(bus, { groupId: unique('group'), topics: [topic] })
      await until('the committed one', () => got.length > 0)
      expect(texts(await readAll(bus, topic))).toEqual(['committed'])
      await open.commit()
      await until('the one that was open', () => got.length > 1)
      expect(texts(got)).toEqual(['committed', 'open'])
      expect(texts(await readAll(bus, topic))).toEqual(['committed', 'open'])
      await consumer.close()
      await producer.disconnect()
    })

    test('sends and receives more in one transaction than the broker accepts at once', async () => {
      const topic = await createTopic(bus)
      const producer = await bus.producer({ transactionalId: unique('id') })
      const random = () => Buffer.from(Array.from({ length: 400_000 }, () => Math.floor(Math.random() * 256)))
      const values = Array.from({ length: 12 }, random)
      await producer.send([{ topic, messages: values.map((value) => ({ value })) }])
      const got = await readAll(bus, topic)
      expect(got.map(({ value }, index) => value.equals(values[index]!))).toEqual(values.map(() => true))
      await producer.close()
    })

    test('creates topics as specified', async () => {
      const topic = await createTopic(bus, { compacted: true, partitions: 3, retentionMs: 60_000 })
      const admin = raw().admin()
      await admin.connect()
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: 2, name: topic }],
      })
      await admin.disconnect()
      const config = new Map(
        resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]),
      )
      expect(config.get('cleanup.policy')).toBe('compact')
      expect(config.get('retention.ms')).toBe('60000')
      expect((await bus.offsets(topic)).length).toBe(3)
    })

    test('counts sends, bytes and errors', async () => {
      const topic = await createTopic(bus)
      const producer = await bus.producer()
      await producer.send([{ topic, messages: [message('12345', { key: 'abc' })] }])
      await expect(producer.send([{ topic, messages: [message('x', { partition: 3 })] }])).rejects.toThrow()
      const text = await metrics.registry.metrics()
      expect(text).toContain(`assay_bus_sent_bytes_total{topic="${topic}"} 8`)
      expect(text).toContain('assay_bus_errors_total{code="ASSAY_BUS_REJECTED"} 1')
    })

    // Roles outlive it by day too, through kafkajs: test/e2e/processes.
    test.skipIf(!THOROUGH && kafkaClient !== 'kafkajs')(
      'survives a broker restart: nothing acknowledged is lost, nothing committed is redelivered',
      async (context) => {
        const { outage } = broker()
        if (!outage) return context.skip('the broker is not ours to stop')
        const topic = await createTopic(bus)
        const groupId = unique('group')
        const transactionalId = unique('id')
        let producer = await bus.producer({ transactionalId })
        const plain = await bus.producer()
        const { got, consumer } = await consume(bus, { groupId, topics: [topic] })
        await producer.send([{ topic, messages: [message('before')] }])
        await until('before', () => got.length === 1)

        await outage.stop()
        expect(await bus.healthy()).toBe(false)
        const codeOf = (text: string, by = producer) =>
          by.send([{ topic, messages: [message(text)] }]).catch((error: { code: string }) => error.code)
        const codes = await Promise.all([codeOf('during'), codeOf('plain during', plain)])
        expect([...codes, await codeOf('spent')]).toEqual(Array(3).fill('ASSAY_BUS_UNAVAILABLE'))
        await outage.start()

        await until('health', () => bus.healthy())
        await producer.close()
        producer = await bus.producer({ transactionalId })
        const settled = texts(await readAll(bus, topic))
        await producer.send([{ topic, messages: [message('after')] }])
        await plain.send([{ topic, messages: [message('plain after')] }])
        const all = [...settled, 'after', 'plain after']
        await until('all', () => new Set(texts(got)).size === new Set(all).size)
        expect(texts(await readAll(bus, topic))).toEqual(all)
        await until('no lag', async () => (await bus.lag(groupId, topic)) === 0n)
        const offsets = got.map(({ offset }) => offset)
        expect(offsets.length - new Set(offsets).size).toBeLessThanOrEqual(1)
        await consumer.close()
      },
      180_000,
    )
  })
}
