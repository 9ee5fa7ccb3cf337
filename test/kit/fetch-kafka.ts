/** Fetches the broker of the tests ahead of time: `node --import tsx test/kit/fetch-kafka.ts`. */
import { fetchKafka } from './kafka.ts'

process.stdout.write(`${await fetchKafka()}\n`)
