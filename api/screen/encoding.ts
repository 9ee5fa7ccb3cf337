/**
 * Uploads as UTF-8, whatever spreadsheets and shells write them in. A byte order mark decides, then the charset that was named, and
 * without both it is UTF-8. What is no text at all is refused before a row of it is counted.
 */
import { UploadRefused } from './refused.ts'

/** So many bytes show what an upload is: names of columns, networks and addresses are ASCII in each encoding. */
const HEAD_BYTES = 512
const MARKS: readonly (readonly [Buffer, string])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
]
/** What compressed files and spreadsheets (zip, gzip, zstd, Excel before 2007) begin with. */
const FILES: readonly Buffer[] = ['504b0304', '1f8b', '28b52ffd', 'd0cf11e0'].map((hex) => Buffer.from(hex, 'hex'))

const beginsWith = (bytes: Buffer, beginning: Buffer): boolean => bytes.subarray(0, beginning.length).equals(beginning)

const NAMED = /;\s*charset="?([^\s;"]+)/i

/** The charset that a content type names, `undefined` for UTF-8 or none. @throws RangeError for one that cannot be read. */
export const charsetOf = (contentType: string): string | undefined => {
  const { encoding } = new TextDecoder(NAMED.exec(contentType)?.[1])
  return encoding === 'utf-8' ? undefined : encoding
}

type Decode = (bytes: Buffer, last: boolean) => Buffer

const decoderOf = (head: Buffer, charset: string): Decode => {
  const marked = MARKS.find(([mark]) => beginsWith(head, mark))?.[1]
  const { encoding } = new TextDecoder(marked ?? charset)
  // Lines that are not UTF-8 are rows that cannot be read, and cost no others.
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

/** What is read of a beginning. @throws UploadRefused when it is no text. */
const begin = (head: Buffer, charset: string): { decode: Decode; first: Buffer } => {
  if (FILES.some((file) => beginsWith(head, file))) throw new UploadRefused('not-text')
  const decode = decoderOf(head, charset)
  const first = decode(head, false)
  // Also that of UTF-16 which does not say so.
  if (first.includes(0)) throw new UploadRefused('not-text')
  return { decode, first }
}

/** @param charset as the content type names it. @throws UploadRefused when it is no text, or none of that charset. */
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
