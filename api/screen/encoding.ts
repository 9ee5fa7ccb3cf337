/**
 * Converts uploads to UTF-8. The encoding is that of the byte order mark, else the charset of the content type, else UTF-8. Binary
 * files are refused before any row is counted.
 */
import { UploadRefused } from './refused.ts'

/** Bytes that are inspected to detect the encoding. */
const HEAD_BYTES = 512
const MARKS: readonly (readonly [Buffer, string])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
]
/** First bytes of compressed files and spreadsheets (zip, gzip, zstd, Excel before 2007). */
const FILES: readonly Buffer[] = ['504b0304', '1f8b', '28b52ffd', 'd0cf11e0'].map((hex) => Buffer.from(hex, 'hex'))

const beginsWith = (bytes: Buffer, beginning: Buffer): boolean => bytes.subarray(0, beginning.length).equals(beginning)

const NAMED = /;\s*charset="?([^\s;"]+)/i

/** The charset of a content type; `undefined` for UTF-8 or none. @throws RangeError for an unknown charset */
export const charsetOf = (contentType: string): string | undefined => {
  const { encoding } = new TextDecoder(NAMED.exec(contentType)?.[1])
  return encoding === 'utf-8' ? undefined : encoding
}

type Decode = (bytes: Buffer, last: boolean) => Buffer

const decoderOf = (head: Buffer, charset: string): Decode => {
  const marked = MARKS.find(([mark]) => beginsWith(head, mark))?.[1]
  const { encoding } = new TextDecoder(marked ?? charset)
  // UTF-8 is checked per line, so that an invalid line breaks only its own row.
  if (encoding === 'utf-8') return (bytes) => bytes
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (bytes, last) => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: !last }))
    } catch {
      throw new UploadRefused('not-text')
    }
  }
}

/** Detects the decoder from the first bytes. @throws UploadRefused for binary data */
const begin = (head: Buffer, charset: string): { decode: Decode; first: Buffer } => {
  if (FILES.some((file) => beginsWith(head, file))) throw new UploadRefused('not-text')
  const decode = decoderOf(head, charset)
  const first = decode(head, false)
  // Also detects UTF-16 without byte order mark or charset.
  if (first.includes(0)) throw new UploadRefused('not-text')
  return { decode, first }
}

/** @param charset of the content type @throws UploadRefused for binary data, or text of another charset */
export async function* inUtf8(chunks: AsyncIterable<Buffer>, charset = 'utf-8'): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  let decode: Decode | undefined
  for await (const chunk of chunks) {
    if (decode) {
      yield decode(chunk, false)
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < HEAD_BYTES) continue
    const begun = begin(head, charset)
    decode = begun.decode
    yield begun.first
  }
  if (!decode) {
    const begun = begin(head, charset)
    decode = begun.decode
    yield begun.first
  }
  yield decode(Buffer.alloc(0), true)
}
