import { withKafka } from '../../kit/processes/kafka.ts'
import { faultSuite } from './faults.suite.ts'
import { kafkaSuite } from './kafka.suite.ts'
import { smokeSuite } from './smoke.suite.ts'
import { busSuite } from './suite.ts'

withKafka('kafkajs', (broker) => {
  busSuite('kafkajs', () => ({ kafkaBrokers: broker().brokers, kafkaClient: 'kafkajs' }))
  kafkaSuite('kafkajs', broker)
  faultSuite('kafkajs', broker)
  smokeSuite('platformatic', broker)
})
