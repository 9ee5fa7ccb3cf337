/**
 * Megabytes per second through a real broker by each Kafka client: transactions of block-sized messages, and the same
 * consumed by a group of one. The ceiling is the other client on the same broker, in alternation.
 */
import type { Bus } from '../../platform/bus/bus.ts'
import { type KafkaClient, openBus } from '../../platform/bus/index.ts'
import { createLog } from '../../platform/context/log.ts'
import type { KafkaLine } from '../kit/processes/kafka/fetch.ts'
import { startJava } from '../kit/processes/kafka/java.ts'
import type { BenchResult } from './run.ts'

const ROUNDS = 3
const TRANSACTIONS = 60
const MESSAGES = 8
const PARTITIONS = 4
const MESSAGE_BYTES = 100_000
const BYTES = TRANSACTIONS * MESSAGES * MESSAGE_BYTES

/** JSON lines with hashes, which compress to about a third as rows of blocks do. */
const value = (seed: number): Buffer => {
  let state = seed + 1
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state.toString(16).padStart(8, '0')
  }
  let text = ''
  while (text.length < MESSAGE_BYTES)
    text += `{"network":"ETH","block_number":${seed},"tx_hash":"0x${word()}${word()}","sign":1,"token":"0x00000000"}\n`
  return Buffer.from(text.slice(0, MESSAGE_BYTES))
}

const produce = async (bus: Bus, topic: string, values: readonly Buffer[]): Promise<number> => {
  const producer = await bus.producer({ transactionalId: topic })
  const begun = performance.now()
  for (let number = 0; number < TRANSACTIONS; number += 1) {
    const messages = Array.from({ length: MESSAGES }, (_, index) => ({
      value: values[index] ?? Buffer.alloc(0),
      partition: index % PARTITIONS,
    }))
    await producer.send([{ topic, messages }])
  }
  const seconds = (performance.now() - begun) / 1_000
  await producer.close()
  return seconds
}

const consumeAll = async (bus: Bus, topic: string): Promise<number> => {
  const consumer = await bus.consumer({ groupId: topic, topics: [topic], maxBytes: 16_000_000 })
  let [count, begun] = [0, 0]
  const running = consumer.run(async ({ messages, commit }) => {
    begun ||= performance.now()
    count += messages.length
    await commit((messages.at(-1)?.offset ?? 0n) + 1n)
    if (count === TRANSACTIONS * MESSAGES) done((performance.now() - begun) / 1_000)
  })
  let done: (seconds: number) => void = () => {}
  const seconds = await new Promise<number>((resolve) => {
    done = resolve
  })
  await consumer.close()
  await running
  return seconds
}

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

/** Arguments: the line of Kafka, 3 or 4. @default 4 */
export const run = async ([line = '4']: string[]): Promise<BenchResult[]> => {
  const broker = await startJava(line as KafkaLine)
  const clients: KafkaClient[] = ['kafkajs', 'platformatic']
  const values = Array.from({ length: MESSAGES }, (_, seed) => value(seed))
  const seconds = { kafkajs: { produce: [], consume: [] }, platformatic: { produce: [], consume: [] } } as Record<
    KafkaClient,
    Record<'produce' | 'consume', number[]>
  >
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kafkaClient of round % 2 === 0 ? clients : [...clients].reverse()) {
      const bus = await openBus({ kafkaBrokers: broker.brokers, kafkaClient, log: createLog('error') })
      const topic = `bench-${round}-${kafkaClient}`
      await bus.createTopics([{ topic, partitions: PARTITIONS }])
      seconds[kafkaClient].produce.push(await produce(bus, topic, values))
      seconds[kafkaClient].consume.push(await consumeAll(bus, topic))
      await bus.close()
    }
  await broker.close()
  const rate = (client: KafkaClient, what: 'produce' | 'consume') => BYTES / 1_000_000 / median(seconds[client][what])
  return (['produce', 'consume'] as const).map((what) => {
    const [figure, ceiling] = [rate('platformatic', what), rate('kafkajs', what)]
    return { what, figure, ceiling, ratio: figure / ceiling, unit: 'MB/s of messages', broker: line }
  })
}
