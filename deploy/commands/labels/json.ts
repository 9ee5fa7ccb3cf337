/** Streaming reader of JSON documents: entries of the outermost array or object, or JSON lines. Memory holds one entry. */
import { JSONParser, TokenType } from '@streamparser/json'

/** One entry, with its position for messages. */
export type JsonEntry = {
  /** Line on which the entry begins, from 1. */
  line: number
  /** Number of the entry, from 1. */
  entry: number
  /** Key of the entry if the document is an object. */
  key: string | undefined
  value: unknown
}

const MAX_ENTRY = 10_000_000
const NEWLINE = 10

/** Splits chunks after line breaks. */
const splitLines = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, from)
      const to = end < 0 ? chunk.length : end + 1
      yield chunk.subarray(from, to)
      from = to
    }
  }
}

/**
 * Reads a document. With `lines`, every outermost value is an entry (JSON lines), else the members of the outermost array or
 * object are.
 * @throws RangeError naming the line, if the JSON is invalid, truncated or has an entry larger than 10 MB
 */
export const jsonEntries = async function* (
  chunks: AsyncIterable<Uint8Array>,
  { lines = false } = {},
): AsyncGenerator<JsonEntry> {
  const parser = new JSONParser({
    paths: [lines ? '$' : '$.*'],
    keepStack: false,
    ...(lines ? { separator: '' } : {}),
  })
  const open = lines ? 0 : 1
  let line = 1
  let depth = 0
  let begun = 0
  let entry = 0
  let size = 0
  const found: JsonEntry[] = []
  parser.onToken = ({ token }) => {
    if (begun === 0 && depth === open && token !== TokenType.COMMA) begun = line
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--
  }
  parser.onValue = ({ key, value }) => {
    found.push({ line: begun, entry: ++entry, key: typeof key === 'string' ? key : undefined, value })
    begun = 0
    size = 0
  }
  for await (const piece of splitLines(chunks)) {
    try {
      parser.write(piece)
    } catch (cause) {
      throw new RangeError(`line ${line} is not valid JSON`, { cause })
    }
    yield* found
    found.length = 0
    size += piece.length
    if (size > MAX_ENTRY) throw new RangeError(`the entry that begins in line ${begun || line} is larger than 10 MB`)
    if (piece.at(-1) === NEWLINE) line++
  }
  try {
    if (!parser.isEnded) parser.end()
  } catch (cause) {
    throw new RangeError(`the document is truncated in line ${line}`, { cause })
  }
  yield* found
}
