/** Fetches the brokers of the tests ahead of time: `node --import tsx test/kit/processes/fetch-kafka.ts`. */
import { fetchKafka } from './kafka/fetch.ts'

for (const line of ['3', '4'] as const) process.stdout.write(`${await fetchKafka(line)}\n`)
