import type { Message, OutgoingMessage } from '../bus.ts'

/*
 * A record of the embedded log, numbers big endian: time (8 bytes, float), length of the key (4 bytes, NO_KEY without),
 * number of headers (2 bytes), key, then per header length and text of its name and of its value (4 bytes each), value.
 * Log keys are topic id (4 bytes), partition (4 bytes), offset (8 bytes), so that LMDB keeps log order.
 */
const HEAD_BYTES = 14
const NO_KEY = 0xffffffff

/** Encodes a record of the log; the value is copied. `timestamp` is in milliseconds since the epoch. */
export const encodeFrame = ({ key, headers, value }: OutgoingMessage, timestamp: number): Buffer => {
  const entries = Object.entries(headers ?? {})
  const texts = entries.flat()
  const keyBytes = key === undefined ? 0 : Buffer.byteLength(key)
  let bytes = HEAD_BYTES + keyBytes + value.length
  for (const text of texts) bytes += 4 + Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(bytes)
  frame.writeDoubleBE(timestamp, 0)
  frame.writeUInt32BE(key === undefined ? NO_KEY : keyBytes, 8)
  frame.writeUInt16BE(entries.length, 12)
  let at = HEAD_BYTES
  if (key !== undefined) at += frame.write(key, at)
  for (const text of texts) {
    const written = frame.write(text, at + 4)
    frame.writeUInt32BE(written, at)
    at += 4 + written
  }
  value.copy(frame, at)
  return frame
}

/** Timestamp of a record, in milliseconds since the epoch. */
export const frameTime = (frame: Buffer): number => frame.readDoubleBE(0)

/** Decodes a record of the log. The value is a view of the frame. */
export const decodeFrame = (frame: Buffer, place: { topic: string; partition: number; offset: bigint }): Message => {
  const keyBytes = frame.readUInt32BE(8)
  let at = HEAD_BYTES
  const text = (bytes: number) => {
    at += bytes
    return frame.toString('utf8', at - bytes, at)
  }
  const long = () => {
    at += 4
    return text(frame.readUInt32BE(at - 4))
  }
  const key = keyBytes === NO_KEY ? undefined : text(keyBytes)
  const headers = Object.fromEntries(Array.from({ length: frame.readUInt16BE(12) }, () => [long(), long()]))
  const { topic, partition, offset } = place
  return { topic, partition, offset, key, value: frame.subarray(at), headers, timestamp: frameTime(frame) }
}

/** Key of a record in the log: keys of one partition sort by offset and lie together. */
export const logKey = (topicId: number, partition: number, offset: number): Buffer => {
  const key = Buffer.allocUnsafe(16)
  key.writeUInt32BE(topicId, 0)
  key.writeUInt32BE(partition, 4)
  key.writeBigUInt64BE(BigInt(offset), 8)
  return key
}

/** Offset in a key that `logKey` made. */
export const offsetOf = (key: Buffer): bigint => key.readBigUInt64BE(8)
