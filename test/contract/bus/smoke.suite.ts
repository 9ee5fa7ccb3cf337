import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../../platform/bus/bus.ts'
import { type KafkaClient, openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import type { KafkaBroker } from '../../kit/processes/kafka.ts'
import { until } from '../../kit/until.ts'
import { consume, createTopic, message, readAll, texts, unique } from './helpers.ts'

/** The way of a message through a client and a broker of the line that its full suite does not run on. */
export const smokeSuite = (kafkaClient: KafkaClient, broker: () => KafkaBroker) => {
  describe(`Kafka bus through ${kafkaClient}, in short`, () => {
    let bus: Bus
    beforeAll(async () => {
      const log = createLog(process.env.ASSAY_LOG_LEVEL ?? 'silent')
      bus = await openBus({ kafkaBrokers: broker().brokers, kafkaClient, log })
    })
    afterAll(() => bus.close())

    test('transactions are atomic, fenced, read and consumed', async () => {
      const [first, second] = [await createTopic(bus), await createTopic(bus, { partitions: 2 })]
      const transactionalId = unique('id')
      const older = await bus.producer({ transactionalId })
      await older.send([
        { topic: first, messages: [message('a'), message('b')] },
        { topic: second, messages: [message('c', { partition: 1 })] },
      ])
      const newer = await bus.producer({ transactionalId })
      await expect(older.send([{ topic: first, messages: [message('late')] }])).rejects.toMatchObject({
        code: 'ASSAY_BUS_FENCED',
      })
      await newer.send([{ topic: first, messages: [message('d')] }])
      const plain = await bus.producer()
      await plain.send([{ topic: first, messages: [message('e')] }])
      expect(texts(await readAll(bus, first))).toEqual(['a', 'b', 'd', 'e'])
      expect(texts(await readAll(bus, second, 1))).toEqual(['c'])
      const groupId = unique('group')
      const { got, consumer } = await consume(bus, { groupId, topics: [first, second] })
      await until('all', () => got.length === 5)
      await until('no lag', async () => (await bus.lag(groupId, first)) === 0n)
      await consumer.close()
    })
  })
}
