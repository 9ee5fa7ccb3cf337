/** Splits a byte stream into lines of bounded length. */
import { isUtf8 } from 'node:buffer'

/** A line without its line end, or why it is unreadable. */
export type Line = string | { problem: 'too-long' | 'not-utf8' }

const NEWLINE = 0x0a
/** Ends a line by itself in files of old spreadsheets, and with a newline in Windows files. */
const RETURN = 0x0d

/** Replaces carriage returns by newlines. The empty line of CRLF is skipped later. */
const withNewlines = (chunk: Buffer): Buffer => {
  let at = chunk.indexOf(RETURN)
  if (at < 0) return chunk
  const copy = Buffer.from(chunk)
  for (; at >= 0; at = copy.indexOf(RETURN, at)) copy[at] = NEWLINE
  return copy
}

/** Splits chunks into lines. Skips empty lines. */
export const createLineCutter = (maxBytes: number) => {
  let rest: Buffer[] = []
  let held = 0
  let tooLong = false

  const read = (last: Buffer): Line => {
    const whole = rest.length === 0 ? last : Buffer.concat([...rest, last])
    return isUtf8(whole) ? whole.toString('utf8') : { problem: 'not-utf8' }
  }
  const end = (last: Buffer): Line => {
    const line: Line = tooLong || held + last.length > maxBytes ? { problem: 'too-long' } : read(last)
    rest = []
    held = 0
    tooLong = false
    return line
  }
  const hold = (part: Buffer) => {
    if (part.length === 0) return
    held += part.length
    tooLong ||= held > maxBytes
    // Drops a line that is too long. Copies other parts, so that they do not keep whole chunks in memory.
    if (tooLong) rest = []
    else rest.push(Buffer.from(part))
  }
  const isEmpty = (line: Line) => typeof line === 'string' && line.trim() === ''

  return {
    /** Lines completed by a chunk. */
    push: function* (given: Buffer): Generator<Line> {
      const chunk = withNewlines(given)
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        const line = end(chunk.subarray(from, at))
        from = at + 1
        if (!isEmpty(line)) yield line
      }
      hold(chunk.subarray(from))
    },
    /** The last line, if it has no line end. */
    flush: function* (): Generator<Line> {
      if (held === 0) return
      const line = end(Buffer.alloc(0))
      if (!isEmpty(line)) yield line
    },
  }
}
