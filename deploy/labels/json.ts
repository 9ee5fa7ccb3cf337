/** JSON documents read as a stream of the entries of their outermost array, object, or row of lines: memory holds one entry. */

export type JsonEntry = {
  /** Line on which the entry begins, from 1. */
  line: number
  /** Place among the entries, from 1. */
  entry: number
  /** JSON text of an object's key, for entries of an object. */
  key: string | undefined
  /** JSON text of the value. */
  value: string
}

const MAX_ENTRY = 10_000_000
const BLANK = /\s/

/**
 * Splits a document. With `lines`, every outermost value is an entry (JSON lines); otherwise the outermost array or object
 * is opened and its members are. Values are only cut out here, not read.
 * @throws RangeError naming the line, when the document ends early or an entry is larger than 10 MB.
 */
export const jsonEntries = async function* (
  chunks: AsyncIterable<string>,
  { lines = false } = {},
): AsyncGenerator<JsonEntry> {
  const open = lines ? 0 : 1
  let line = 1
  let depth = 0
  let text = ''
  let begun = 0
  let entry = 0
  let key: string | undefined
  let inString = false
  let escaped = false
  const take = (): JsonEntry | undefined => {
    const value = text.trim()
    const found = value === '' ? undefined : { line: begun, entry: ++entry, key, value }
    text = ''
    key = undefined
    return found
  }
  for await (const chunk of chunks) {
    for (const c of chunk) {
      if (c === '\n') line++
      if (text === '' && (BLANK.test(c) || c === '\uFEFF')) continue
      if (text === '') begun = line
      if (inString) {
        text += c
        if (escaped) escaped = false
        else if (c === '\\') escaped = true
        else if (c === '"') inString = false
        if (text.length > MAX_ENTRY) throw new RangeError(`the entry that begins in line ${begun} does not end`)
        continue
      }
      if (c === '"') {
        inString = true
        text += c
      } else if (c === '{' || c === '[') {
        if (depth++ >= open) text += c
      } else if (c === '}' || c === ']') {
        if (depth > open) text += c
        depth--
        if (depth === open - 1 || (lines && depth === 0)) {
          const found = take()
          if (found) yield found
        }
      } else if (c === ',' && depth === open) {
        const found = take()
        if (found) yield found
      } else if (c === ':' && depth === open && key === undefined && !lines) {
        key = text.trim()
        text = ''
      } else text += c
      if (text.length > MAX_ENTRY) throw new RangeError(`the entry that begins in line ${begun} does not end`)
    }
  }
  if (depth > 0 || inString) throw new RangeError(`the document ends in line ${line} before it is complete`)
  const found = take()
  if (found) yield found
}
