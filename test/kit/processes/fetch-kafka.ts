/** Fetches the broker of the tests ahead of time: `node --import tsx test/kit/processes/fetch-kafka.ts`. */
import { fetchKafka } from './kafka.ts'

process.stdout.write(`${await fetchKafka()}\n`)
