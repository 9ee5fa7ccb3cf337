import type { KafkaMessage } from 'kafkajs'
import type { Message } from '../bus.ts'

const textOf = (value: Buffer | string | (Buffer | string)[] | undefined): string =>
  Array.isArray(value) ? textOf(value[0]) : (value?.toString() ?? '')

/** Converts a message of kafkajs. If a header occurs several times, the first value is used. */
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
