/** Several processes that start at once beside two brokers, which learn of new topics one after the other. Only at night: two JVMs. */
import { expect, test } from 'vitest'
import type { Bus } from '../../../platform/bus/bus.ts'
import { openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import { withKafka } from '../../kit/processes/kafka.ts'
import { THOROUGH } from '../../kit/thorough.ts'

const PROCESSES = 4
const ROUNDS = 15

const useAll = async (bus: Bus, topics: readonly string[]) => {
  await bus.createTopics(topics.map((topic) => ({ topic, partitions: 3 })))
  const producer = await bus.producer()
  try {
    for (const topic of topics) {
      await bus.offsets(topic)
      await bus.lag(`group.${topic}`, topic)
      await producer.send([{ topic, messages: [{ key: 'a', value: Buffer.from('b') }] }])
      for (const { partition, first } of await bus.offsets(topic)) {
        for await (const { value } of bus.read(topic, partition, first)) expect(value.toString()).toBe('b')
      }
    }
  } finally {
    await producer.close()
  }
}

const tests = (client: 'kafkajs' | 'platformatic', line: '3' | '4') =>
  withKafka(
    `${client}, two brokers`,
    (broker) => {
      test('a topic created by several clients at once exists for each as soon as its creation returns', async () => {
        const { brokers } = broker()
        const open = Array.from({ length: PROCESSES }, (_, n) =>
          openBus({
            kafkaBrokers: n % 2 ? brokers : brokers.toReversed(),
            kafkaClient: client,
            log: createLog('silent'),
          }),
        )
        const buses = await Promise.all(open)
        try {
          for (let round = 0; round < ROUNDS; round++) {
            const topics = ['x', 'y', 'z'].map((name) => `${name}.${round}`)
            await Promise.all(buses.map((bus) => useAll(bus, topics)))
          }
        } finally {
          await Promise.all(buses.map((bus) => bus.close()))
        }
      })
    },
    { line, two: true },
  )

if (THOROUGH) {
  tests('kafkajs', '3')
  tests('platformatic', '4')
} else test.skip('two brokers (skipped: only with ASSAY_TEST_THOROUGH=1)', () => undefined)
