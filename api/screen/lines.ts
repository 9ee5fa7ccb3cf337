/** Lines of a stream of bytes. A line has a longest length, so that one that never ends takes no memory. */
import { isUtf8 } from 'node:buffer'

/** A line without its end, or why it cannot be read. */
export type Line = string | { problem: 'too-long' | 'not-utf8' }

const NEWLINE = 0x0a
/** Ends a line by itself in files of old spreadsheets, and before a newline in most others. */
const RETURN = 0x0d

/** The chunk with newlines only: what comes between two line ends is an empty line, which is left out. */
const withNewlines = (chunk: Buffer): Buffer => {
  let at = chunk.indexOf(RETURN)
  if (at < 0) return chunk
  const copy = Buffer.from(chunk)
  for (; at >= 0; at = copy.indexOf(RETURN, at)) copy[at] = NEWLINE
  return copy
}

/** Cuts chunks into lines; what is left over waits for the next chunk. Empty lines are left out. */
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
    // Of a line that is too long nothing is kept; of others a copy, so that they do not keep whole chunks.
    if (tooLong) rest = []
    else rest.push(Buffer.from(part))
  }
  const isEmpty = (line: Line) => typeof line === 'string' && line.trim() === ''

  return {
    /** Lines that a chunk completes. */
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
    /** The last line, when it has no end. */
    flush: function* (): Generator<Line> {
      if (held === 0) return
      const line = end(Buffer.alloc(0))
      if (!isEmpty(line)) yield line
    },
  }
}
