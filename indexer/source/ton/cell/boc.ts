/**
 * Bags of cells, the serialization of cells. Cells are listed so that each only refers to later ones, which rules out cycles.
 * Source: TON, `crypto/tl/boc.tlb` (serialized_boc) and `crypto/vm/boc.cpp`.
 */
import { type Cell, makeCell } from './cell.ts'

const MAGIC = 0xb5ee9c72
const HEADER_BYTES = 6
/** Maximum number of cells of one bag: ten times a full block of a busy shard. */
const MAX_CELLS = 1_000_000

type Listed = { data: Buffer; length: number; exotic: boolean; refs: readonly number[] }

const malformed = (what: string) => new RangeError(`no bag of cells: ${what}`)

const count = (bytes: Buffer, at: number, size: number): number => {
  if (at + size > bytes.length) throw malformed('it ends too early')
  return bytes.readUIntBE(at, size)
}

/** Bits of a cell. An incomplete last byte ends with a one and zeros, which do not count. */
const bitsOf = (bytes: Buffer, whole: boolean): { data: Buffer; length: number } => {
  if (whole || bytes.length === 0) return { data: bytes, length: bytes.length * 8 }
  const last = bytes[bytes.length - 1] ?? 0
  if (last === 0) throw malformed('an incomplete byte without its mark')
  const unused = Math.clz32(last & -last) ^ 31
  const data = Buffer.from(bytes)
  data[data.length - 1] = last & ~(1 << unused)
  return { data, length: data.length * 8 - unused - 1 }
}

/** Reads a bag with one root. @throws RangeError when it is invalid. */
export const readBag = (bytes: Buffer): Cell => {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(0) !== MAGIC) throw malformed('other bytes')
  const flags = bytes[4] ?? 0
  const size = flags & 7
  const offsetSize = bytes[5] ?? 0
  if (size < 1 || size > 4 || offsetSize < 1 || offsetSize > 6) throw malformed('sizes out of range')
  let at = HEADER_BYTES
  const next = (width: number): number => {
    const value = count(bytes, at, width)
    at += width
    return value
  }
  const cells = next(size)
  const roots = next(size)
  next(size)
  next(offsetSize)
  if (roots !== 1 || cells < 1 || cells > MAX_CELLS) throw malformed(`${roots} roots and ${cells} cells`)
  const root = next(size)
  if (flags & 0x80) at += cells * offsetSize

  const one = (own: number): Listed => {
    const first = next(1)
    const second = next(1)
    const refs = first & 7
    if (refs > 4) throw malformed('a cell with more than four references')
    // Hashes in the bag are skipped, because they are computed.
    if (first & 16) {
      const mask = first >> 5
      at += ((mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + 1) * 34
    }
    const length = (second + 1) >> 1
    if (at + length > bytes.length) throw malformed('it ends too early')
    const bits = bitsOf(bytes.subarray(at, at + length), second % 2 === 0)
    at += length
    const targets = Array.from({ length: refs }, () => next(size))
    if (targets.some((target) => target <= own || target >= cells)) throw malformed('a reference that leads back')
    return { ...bits, exotic: (first & 8) !== 0, refs: targets }
  }

  const listed = Array.from({ length: cells }, (_, index) => one(index))
  const made = new Array<Cell>(cells)
  for (let index = cells - 1; index >= 0; index -= 1) {
    const { data, length, refs, exotic } = listed[index] as Listed
    made[index] = makeCell(
      data,
      length,
      refs.map((ref) => made[ref] as Cell),
      exotic,
    )
  }
  const found = made[root]
  if (!found) throw malformed('no root')
  return found
}

/** Writes cells as a bag, each distinct cell once. */
export const writeBag = (root: Cell): Buffer => {
  const order: Cell[] = []
  const place = new Map<string, number>()
  const name = ({ hashes }: Cell) => (hashes[hashes.length - 1] as Buffer).toString('latin1')
  const visit = (cell: Cell): void => {
    if (place.has(name(cell))) return
    place.set(name(cell), -1)
    for (const ref of cell.refs.toReversed()) visit(ref)
    order.push(cell)
  }
  visit(root)
  order.reverse()
  order.forEach((cell, index) => {
    place.set(name(cell), index)
  })
  const size = order.length < 0x100 ? 1 : order.length < 0x1_0000 ? 2 : 3
  const number = (value: number, width: number) => {
    const bytes = Buffer.alloc(width)
    bytes.writeUIntBE(value, 0, width)
    return bytes
  }
  const body = Buffer.concat(
    order.flatMap(({ data, length, refs, exotic, levels }) => {
      const content = Buffer.from(data)
      if (length % 8 !== 0) content[content.length - 1] = (content.at(-1) ?? 0) | (0x80 >> (length % 8))
      const head = Buffer.from([refs.length + (exotic ? 8 : 0) + 32 * levels, (length >> 3) + ((length + 7) >> 3)])
      return [head, content, ...refs.map((ref) => number(place.get(name(ref)) ?? 0, size))]
    }),
  )
  return Buffer.concat([
    Buffer.from('b5ee9c72', 'hex'),
    Buffer.from([size, 4]),
    number(order.length, size),
    number(1, size),
    number(0, size),
    number(body.length, 4),
    number(0, size),
    body,
  ])
}
