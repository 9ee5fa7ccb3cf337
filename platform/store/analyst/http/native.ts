/**
 * Completes blocks of format Native for clients that announce a version of the native protocol: they expect block info before
 * each block (from version 51903) and a serialization byte after each type (from 54454), which the in-process engine leaves
 * out.
 */
import { WireException } from './exception.ts'

const BLOCK_INFO_SINCE = 51_903
const SERIALIZATION_SINCE = 54_454
/** Field 1: no overflow. Field 2: bucket -1. End. */
const BLOCK_INFO = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0])
const DEFAULT_SERIALIZATION = Buffer.from([0])

/** Width of values in bytes, by type. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, 'Int8 UInt8 Bool Enum8 Nothing'],
      [2, 'Int16 UInt16 Date Enum16 BFloat16'],
      [4, 'Int32 UInt32 Float32 Date32 DateTime IPv4 Time'],
      [8, 'Int64 UInt64 Float64 DateTime64 Time64'],
      [16, 'Int128 UInt128 UUID IPv6'],
      [32, 'Int256 UInt256'],
    ] as const
  ).flatMap(([width, types]) => types.split(' ').map((type) => [type, width] as const)),
)

const decimalWidth = (precision: number) => (precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32)

/** Arguments of a type: `Map(String, Array(UInt8))` has two. Quoted names may hold brackets and commas. */
const argumentsOf = (text: string): string[] => {
  const parts: string[] = []
  let [depth, begin] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === "'" || letter === '`') {
      for (at += 1; at < text.length && text[at] !== letter; at += 1) if (text[at] === '\\') at += 1
    } else if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(begin, at).trim())
      begin = at + 1
    }
  }
  parts.push(text.slice(begin).trim())
  return parts
}

/** Type of a tuple's element, without its name. */
const unnamed = (element: string): string => element.replace(/^(?:`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*)\s+(?=[A-Z])/, '')

const notReadable = (type: string) =>
  new WireException(
    400,
    50,
    'UNKNOWN_TYPE',
    `Values of type ${type.slice(0, 60)} cannot be sent in format Native. Convert them with toString.`,
  )

type Cursor = { bytes: Buffer; at: number }

const varint = (cursor: Cursor): number => {
  let [value, scale] = [0, 1]
  for (;;) {
    const byte = cursor.bytes.readUInt8(cursor.at)
    cursor.at += 1
    value += (byte & 127) * scale
    if (byte < 128) return value
    scale *= 128
  }
}
const skipText = (cursor: Cursor): void => {
  const length = varint(cursor)
  cursor.at += length
}
const readText = (cursor: Cursor): string => {
  const length = varint(cursor)
  cursor.at += length
  return cursor.bytes.toString('utf8', cursor.at - length, cursor.at)
}

const uint64 = (cursor: Cursor): number => {
  cursor.at += 8
  return Number(cursor.bytes.readBigUInt64LE(cursor.at - 8))
}

/** Length of a column's prefix: a version for each LowCardinality inside its type. */
const prefixOf = (type: string): number => 8 * (bare(type).match(/\bLowCardinality\(/g)?.length ?? 0)
const bare = (type: string) => type.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs, '')

/** Flag of a dictionary that is sent with its block. */
const OWN_KEYS = 0x200

/** Skips a dictionary and the index into it of each row. */
const skipDictionary = (inner: string, cursor: Cursor): void => {
  const flags = uint64(cursor)
  if ((flags & OWN_KEYS) === 0) throw notReadable(`LowCardinality(${inner})`)
  const keys = uint64(cursor)
  skip(/^Nullable\((.*)\)$/s.exec(inner)?.[1] ?? inner, keys, cursor)
  const rows = uint64(cursor)
  cursor.at += rows * 2 ** (flags & 0xff)
}

/** Skips `rows` values of a type. @throws WireException for a type whose values have unknown lengths */
const skip = (type: string, rows: number, cursor: Cursor): void => {
  if (rows === 0) return
  const [, name = '', inner = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(type) ?? []
  const width =
    name === 'FixedString'
      ? Number(inner)
      : name === 'Decimal'
        ? decimalWidth(Number.parseInt(inner, 10))
        : WIDTHS.get(name)
  if (width !== undefined) cursor.at += width * rows
  else if (name.startsWith('Interval')) cursor.at += 8 * rows
  else if (name === 'String') for (let row = 0; row < rows; row += 1) skipText(cursor)
  else if (name === 'Nullable') {
    cursor.at += rows
    skip(inner, rows, cursor)
  } else if (name === 'Array' || name === 'Map') {
    cursor.at += 8 * (rows - 1)
    const values = uint64(cursor)
    skip(name === 'Map' ? `Tuple(${inner})` : inner, values, cursor)
  } else if (name === 'LowCardinality') skipDictionary(inner, cursor)
  else if (name === 'Tuple' && inner !== '') {
    for (const element of argumentsOf(inner)) skip(unnamed(element), rows, cursor)
  } else if (name === 'SimpleAggregateFunction') skip(argumentsOf(inner)[1] ?? '', rows, cursor)
  else throw notReadable(type)
}

/**
 * Converts blocks for a client of this protocol version.
 * @throws WireException for a type whose values have unknown lengths
 */
export const forProtocol = (bytes: Buffer, protocol: number): Buffer => {
  if (protocol < BLOCK_INFO_SINCE) return bytes
  const cursor: Cursor = { bytes, at: 0 }
  const parts: Buffer[] = []
  while (cursor.at < bytes.length) {
    parts.push(BLOCK_INFO)
    let begin = cursor.at
    const columns = varint(cursor)
    const rows = varint(cursor)
    for (let column = 0; column < columns; column += 1) {
      skipText(cursor)
      const type = readText(cursor)
      if (protocol >= SERIALIZATION_SINCE) {
        parts.push(bytes.subarray(begin, cursor.at), DEFAULT_SERIALIZATION)
        begin = cursor.at
      }
      if (rows > 0) cursor.at += prefixOf(type)
      skip(type, rows, cursor)
    }
    parts.push(bytes.subarray(begin, cursor.at))
  }
  if (cursor.at !== bytes.length) throw notReadable('of this result')
  return Buffer.concat(parts)
}
