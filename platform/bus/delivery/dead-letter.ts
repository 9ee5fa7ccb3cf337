/** Undecodable messages, copied to topic `dlq`. */
import type { Message, OutgoingMessage } from '../bus.ts'

const MAX_REASON = 1_000

/** The message unchanged, with the reason, its place and the `token` of the failed work as headers. */
export const deadLetter = (message: Message, reason: string, token: string): OutgoingMessage => ({
  key: `${message.topic}:${message.partition}`,
  value: message.value,
  headers: {
    ...message.headers,
    reason: reason.slice(0, MAX_REASON),
    topic: message.topic,
    partition: String(message.partition),
    offset: message.offset.toString(),
    token,
  },
})

/** Topic, partition and offset of a message, as text. */
export const placeOf = ({ topic, partition, offset }: Message): string => `${topic}:${partition}:${offset}`
