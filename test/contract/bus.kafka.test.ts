import { afterAll, beforeAll, describe } from 'vitest'
import { type KafkaBroker, startKafka, whyNoKafka } from '../kit/kafka.ts'
import { busSuite } from './bus.suite.ts'

const reason = whyNoKafka()

describe.skipIf(reason)(reason ? `Kafka (skipped: ${reason})` : 'Kafka', () => {
  let broker: KafkaBroker
  beforeAll(async () => {
    broker = await startKafka()
  })
  afterAll(() => broker?.close())

  busSuite('Kafka', () => ({ kafkaBrokers: broker.brokers }))
})
