import type { OutgoingMessage } from '../bus.ts'
import { rejected } from '../errors.ts'

/** Maximum size of key, value and headers of one message, in bytes: Kafka's default limit, less framing. */
export const MAX_RECORD_BYTES = 1_000_000

type Sized = { key?: string | undefined; value: Buffer; headers?: Record<string, string> | undefined }

/** Bytes of key, value and headers. */
export const sizeOf = (message: Sized): number => {
  let bytes = message.value.length + (message.key === undefined ? 0 : Buffer.byteLength(message.key))
  for (const [name, value] of Object.entries(message.headers ?? {}))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  return bytes
}

/** @throws BugError ASSAY_BUS_REJECTED when a message is larger than any bus takes. */
export const checkSize = (topic: string, message: OutgoingMessage): number => {
  const bytes = sizeOf(message)
  if (bytes > MAX_RECORD_BYTES) throw rejected(topic, `${bytes} bytes are more than ${MAX_RECORD_BYTES}`)
  return bytes
}

/** Splits messages into runs of at most `maxBytes`; a larger message is a run of its own. */
export const runsOf = <T extends Sized>(messages: readonly T[], maxBytes: number): T[][] => {
  const runs: T[][] = []
  let bytes = 0
  for (const message of messages) {
    const size = sizeOf(message)
    const run = runs.at(-1)
    if (run && bytes + size <= maxBytes) {
      run.push(message)
      bytes += size
    } else {
      runs.push([message])
      bytes = size
    }
  }
  return runs
}
