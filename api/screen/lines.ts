/** Lines of a stream of bytes. A line has a longest length, so that one that never ends takes no memory. */

/** A line without its end, or `undefined` for one that is too long. */
export type Line = string | undefined

const NEWLINE = 0x0a

/** Cuts chunks into lines; what is left over waits for the next chunk. Empty lines are left out. */
export const createLineCutter = (maxBytes: number) => {
  let rest: Buffer[] = []
  let held = 0
  let tooLong = false

  const text = (last: Buffer): string => {
    const whole = rest.length === 0 ? last : Buffer.concat([...rest, last])
    return whole.toString('utf8').replace(/\r$/, '')
  }
  const end = (last: Buffer): Line => {
    const line = tooLong || held + last.length > maxBytes ? undefined : text(last)
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
  const isEmpty = (line: Line) => line !== undefined && line.trim() === ''

  return {
    /** Lines that a chunk completes. */
    push: function* (chunk: Buffer): Generator<Line> {
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
