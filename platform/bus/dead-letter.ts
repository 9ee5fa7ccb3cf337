/** Messages nobody can read, set aside with what was known of them. */
import type { Message, OutgoingMessage } from './bus.ts'

const MAX_REASON = 1_000

/** The message as it was, and in its headers why nobody could read it, where it was, and the `token` of the work it broke. */
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

/** Where a message is, as text. */
export const placeOf = ({ topic, partition, offset }: Message): string => `${topic}:${partition}:${offset}`
