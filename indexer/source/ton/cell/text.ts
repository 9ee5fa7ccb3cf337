/** Text in cells: the bytes continue in the first reference (the "snake" form of TEP-64). */
import { type Slice, sliceOf } from './slice.ts'

/** Maximum number of bytes read of one text. */
const MAX_BYTES = 8_192

/** The bytes from here on, without an incomplete byte at the end. */
export const snakeOf = (start: Slice): Buffer => {
  const parts: Buffer[] = []
  let size = 0
  let slice: Slice | undefined = start
  while (slice && size < MAX_BYTES) {
    const part = slice.bytes(slice.bitsLeft() >> 3)
    parts.push(part)
    size += part.length
    slice = slice.refsLeft() > 0 ? sliceOf(slice.ref()) : undefined
  }
  return Buffer.concat(parts)
}
