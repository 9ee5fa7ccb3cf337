import { z } from 'zod'
import type { Message, OutgoingMessage } from '../bus.ts'

/**
 * A record of the embedded log: length of the head (4 bytes, big endian), head as JSON, value.
 * Log keys are topic id (4 bytes), partition (4 bytes), offset (8 bytes), big endian, so that LMDB keeps log order.
 */
const head = z.object({
  /** Milliseconds since the epoch. */
  t: z.number(),
  k: z.string().optional(),
  h: z.record(z.string(), z.string()).optional(),
})

export const encodeFrame = (message: OutgoingMessage, timestamp: number): Buffer => {
  const { key, headers, value } = message
  const text = JSON.stringify({ t: timestamp, k: key, h: headers } satisfies z.input<typeof head>)
  const headBytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + headBytes + value.length)
  frame.writeUInt32BE(headBytes, 0)
  frame.write(text, 4)
  value.copy(frame, 4 + headBytes)
  return frame
}

type Place = { topic: string; partition: number; offset: bigint }

export const frameTime = (frame: Buffer): number => headOf(frame).t

const headOf = (frame: Buffer): z.output<typeof head> =>
  head.parse(JSON.parse(frame.toString('utf8', 4, 4 + frame.readUInt32BE(0))))

/** The value is a view of the frame. */
export const decodeFrame = (frame: Buffer, place: Place): Message => {
  const { t, k, h } = headOf(frame)
  return { ...place, key: k, headers: h ?? {}, timestamp: t, value: frame.subarray(4 + frame.readUInt32BE(0)) }
}

export const logKey = (topicId: number, partition: number, offset: number): Buffer => {
  const key = Buffer.allocUnsafe(16)
  key.writeUInt32BE(topicId, 0)
  key.writeUInt32BE(partition, 4)
  key.writeBigUInt64BE(BigInt(offset), 8)
  return key
}

export const offsetOf = (key: Buffer): number => Number(key.readBigUInt64BE(8))
