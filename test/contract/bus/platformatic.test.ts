import { withKafka } from '../../kit/processes/kafka.ts'
import { faultSuite } from './faults.suite.ts'
import { kafkaSuite } from './kafka.suite.ts'
import { smokeSuite } from './smoke.suite.ts'
import { busSuite } from './suite.ts'

withKafka(
  'platformatic',
  (broker) => {
    busSuite('platformatic', () => ({ kafkaBrokers: broker().brokers, kafkaClient: 'platformatic' }))
    kafkaSuite('platformatic', broker)
    faultSuite('platformatic', broker)
    smokeSuite('kafkajs', broker)
  },
  { line: '4' },
)
