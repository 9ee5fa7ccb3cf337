import type { KafkaMessage } from 'kafkajs'
import type { Message } from '../bus.ts'

const textOf = (value: Buffer | string | (Buffer | string)[] | undefined): string =>
  Array.isArray(value) ? textOf(value[0]) : (value?.toString() ?? '')

/** A message of kafkajs in our terms. Of a header that occurs several times, the first value counts. */
export const messageFrom = (
  topic: string,
  partition: number,
  { key, value, headers, offset, timestamp }: KafkaMessage,
): Message => ({
  topic,
  partition,
  offset: BigInt(offset),
  key: key?.toString(),
  value: value ?? Buffer.alloc(0),
  headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, textOf(text)])),
  timestamp: Number(timestamp),
})
