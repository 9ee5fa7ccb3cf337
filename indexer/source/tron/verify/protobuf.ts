/**
 * The Protocol Buffers wire format, as far as TRON's blocks need it: fields are written in ascending order without default
 * values, like Google's own library, whose output the chain hashes.
 * Source: Protocol Buffers documentation, "Encoding".
 */

const VARINT = 0
const FIXED64 = 1
const LENGTH = 2
const FIXED32 = 5

const varint = (value: bigint): number[] => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

const tag = (field: number, type: number): number[] => varint(BigInt((field << 3) | type))

/** A whole number or boolean; nothing for zero, the default. */
export const numberField = (field: number, value: bigint): Buffer =>
  value === 0n ? Buffer.alloc(0) : Buffer.from([...tag(field, VARINT), ...varint(value)])

/** Bytes, text or a message, written even if empty. */
export const messageField = (field: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...tag(field, LENGTH), ...varint(BigInt(bytes.length))]), bytes])

/** Bytes or text; nothing if empty, the default. */
export const bytesField = (field: number, bytes: Uint8Array): Buffer =>
  bytes.length === 0 ? Buffer.alloc(0) : messageField(field, bytes)

/** Fields of a parsed message; missing fields have their default. */
export type Message = {
  /** The last of several values, as the format requires. */
  int: (field: number) => bigint
  bytes: (field: number) => Buffer
  /** Messages of a repeated field, in order. */
  all: (field: number) => Buffer[]
  /** A message field; several pieces are concatenated. */
  message: (field: number) => Message
}

const NOTHING = Buffer.alloc(0)

/** Parses a message. @throws RangeError when the bytes are not a message. */
export const readMessage = (from: Uint8Array): Message => {
  const bytes = Buffer.from(from.buffer, from.byteOffset, from.byteLength)
  const ints = new Map<number, bigint>()
  const texts = new Map<number, Buffer[]>()
  let at = 0
  const integer = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined) throw new RangeError('a number of a protobuf message is cut off')
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw new RangeError('a number of a protobuf message is too long')
  }
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw new RangeError('a field of a protobuf message is cut off')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(integer())
    const [field, type] = [key >>> 3, key & 7]
    if (type === VARINT) ints.set(field, integer())
    else if (type === LENGTH) {
      const text = take(Number(integer()))
      const others = texts.get(field)
      if (others) others.push(text)
      else texts.set(field, [text])
    } else if (type === FIXED64) take(8)
    else if (type === FIXED32) take(4)
    else throw new RangeError(`protobuf messages have no wire type ${type}`)
  }
  const all = (field: number) => texts.get(field) ?? []
  return {
    int: (field) => ints.get(field) ?? 0n,
    bytes: (field) => all(field).at(-1) ?? NOTHING,
    all,
    message: (field) => readMessage(Buffer.concat(all(field))),
  }
}
