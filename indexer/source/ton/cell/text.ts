/** Text in cells: the bytes of a cell go on in its first reference (the "snake" form of TEP-64). */
import { type Slice, sliceOf } from './slice.ts'

/** Bytes read of one text. */
const MOST = 8_192

/** The bytes from here on. An incomplete byte at an end is no part of them. */
export const snakeOf = (start: Slice): Buffer => {
  const parts: Buffer[] = []
  let size = 0
  let slice: Slice | undefined = start
  while (slice && size < MOST) {
    const part = slice.bytes(slice.bitsLeft() >> 3)
    parts.push(part)
    size += part.length
    slice = slice.refsLeft() > 0 ? sliceOf(slice.ref()) : undefined
  }
  return Buffer.concat(parts)
}
