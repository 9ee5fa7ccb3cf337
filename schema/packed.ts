/**
 * Blocks with their rows as JSON lines, as in messages and for the store. Rows are encoded once, where they are decoded: bytes
 * are smaller than objects, can be transferred between threads without copying, and are joined without parsing.
 */
import { type Block, type BlockRef, type Rows, TABLES, type TableName, touchedAddresses } from './block.ts'
import type { Network } from './networks.ts'

/** Rows of one table: their number, and a line of JSON each. */
export type PackedRows = { count: number; lines: Buffer }

/** A block with encoded rows. */
export type PackedBlock = BlockRef & {
  network: Network
  /** 1 if the block has its traces. */
  traces: 0 | 1
  /** The distinct addresses that the block changed something for. */
  touched: readonly string[]
  rows: { readonly [T in TableName]?: PackedRows }
}

const LINE_BREAK = 0x0a
const FIRST_BYTES = 1 << 16
/** Maximum UTF-8 bytes per unit of a JavaScript string. */
const UNIT_BYTES = 3

/** Buffer for rows of unknown size: one per thread, never kept across an await. */
let scratch = Buffer.allocUnsafeSlow(FIRST_BYTES)

/** Writes a row and its line break. @returns the position after it. */
const writeRow = (row: object, at: number): number => {
  const text = JSON.stringify(row)
  const maxEnd = at + text.length * UNIT_BYTES + 1
  if (maxEnd > scratch.length) {
    const larger = Buffer.allocUnsafeSlow(2 * maxEnd)
    scratch.copy(larger, 0, 0, at)
    scratch = larger
  }
  const end = at + scratch.write(text, at)
  scratch[end] = LINE_BREAK
  return end + 1
}

/** The written bytes in memory of their own, which can be transferred to another thread. */
const copyOfScratch = (bytes: number): Buffer => {
  const own = Buffer.allocUnsafeSlow(bytes)
  scratch.copy(own, 0, 0, bytes)
  return own
}

/** Rows as JSON lines in one piece of memory, table after table: number and bytes of each. */
export type PackedLines = { lines: Uint8Array; sections: [table: TableName, rows: number, bytes: number][] }

/** Writes rows table by table, without empty tables. */
export const packLines = (rows: { readonly [T in TableName]?: readonly Rows[T][] }): PackedLines => {
  const sections: PackedLines['sections'] = []
  let at = 0
  for (const table of TABLES) {
    const own: readonly object[] = rows[table] ?? []
    if (own.length === 0) continue
    const from = at
    for (const row of own) at = writeRow(row, at)
    sections.push([table, own.length, at - from])
  }
  return { lines: copyOfScratch(at), sections }
}

/** The rows of each table, as views of the shared memory. */
export const sectionsOf = ({ lines, sections }: PackedLines): PackedBlock['rows'] => {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  const rows: { [T in TableName]?: PackedRows } = {}
  let at = 0
  for (const [table, count, length] of sections) {
    rows[table] = { count, lines: bytes.subarray(at, at + length) }
    at += length
  }
  return rows
}

/** Encodes the rows of a block. */
export const packBlock = (block: Block): PackedBlock => {
  const { network, number, hash, parentHash, time, rows } = block
  const traces = rows.blocks.some(({ sees_traces }) => sees_traces === 1) ? 1 : 0
  const touched = touchedAddresses([block])
  return { network, number, hash, parentHash, time, traces, touched, rows: sectionsOf(packLines(rows)) }
}

/** Size of the block's rows and touched addresses, in bytes. */
export const bytesOf = ({ rows, touched }: PackedBlock): number => {
  let bytes = 0
  for (const table of TABLES) bytes += rows[table]?.lines.length ?? 0
  for (const address of touched) bytes += address.length + 3
  return bytes
}

/** Number of rows of a block, packed or not. */
export const rowCount = ({ rows }: Pick<Block | PackedBlock, 'rows'>): number =>
  TABLES.reduce((sum, table) => {
    const own = rows[table]
    return sum + (own === undefined ? 0 : 'lines' in own ? own.count : own.length)
  }, 0)

/** Bytes of the complete lines that fit into `room`; 0 if the first one does not. */
const fitting = (lines: Buffer, room: number): number => {
  if (lines.length <= room) return lines.length
  return room <= 0 ? 0 : lines.lastIndexOf(LINE_BREAK, room - 1) + 1
}

const countLines = (lines: Buffer): number => {
  let count = 0
  for (let at = lines.indexOf(LINE_BREAK); at >= 0; at = lines.indexOf(LINE_BREAK, at + 1)) count += 1
  return count
}

/** Rows of one message: their entries in the envelope, and their lines. */
export type Part = { sections: [table: TableName, rows: number, bytes: number][]; lines: Buffer[] }

/** Rows of blocks, table by table, in parts of at most `budget` bytes; a larger row gets its own part. */
export const partsOf = (blocks: readonly PackedBlock[], budget: number): Part[] => {
  const parts: Part[] = []
  let part: Part = { sections: [], lines: [] }
  let bytes = 0
  const close = () => {
    parts.push(part)
    part = { sections: [], lines: [] }
    bytes = 0
  }
  const add = (table: TableName, lines: Buffer, count: number) => {
    const section = part.sections.at(-1)
    if (section?.[0] === table) {
      section[1] += count
      section[2] += lines.length
    } else part.sections.push([table, count, lines.length])
    part.lines.push(lines)
    bytes += lines.length
  }
  const addAll = (table: TableName, { count, lines }: PackedRows) => {
    let left = lines
    for (let rows = count; left.length > 0; ) {
      const room = fitting(left, budget - bytes)
      if (room === 0 && bytes > 0) {
        close()
        continue
      }
      const next = left.subarray(0, room || left.indexOf(LINE_BREAK) + 1)
      const own = next.length === left.length ? rows : countLines(next)
      add(table, next, own)
      left = left.subarray(next.length)
      rows -= own
    }
  }
  for (const table of TABLES) {
    for (const { rows } of blocks) {
      const own = rows[table]
      if (own) addAll(table, own)
    }
  }
  close()
  return parts
}
