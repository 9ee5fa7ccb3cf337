/**
 * Cells, TON's unit of data: up to 1,023 bits and four references. A cell's hash covers everything below it. Source: TON
 * whitepaper ("tvm.pdf", section 3.1) and the reference implementation, `crypto/vm/cells/DataCell.cpp`.
 */
import { hash as digest } from 'node:crypto'

/** A cell with its computed hashes. */
export type Cell = {
  readonly exotic: boolean
  /** Bits, most significant first; those of the last byte beyond `length` are zero. */
  readonly data: Buffer
  /** Number of bits. */
  readonly length: number
  readonly refs: readonly Cell[]
  /** Bit i: something below was pruned at level i + 1. Zero for cells without proofs. */
  readonly levels: number
  /** One per significant level; the last is the cell's own. */
  readonly hashes: readonly Buffer[]
  readonly depths: readonly number[]
}

const KIND = { pruned: 1, library: 2, merkleProof: 3, merkleUpdate: 4 } as const
const MAX_DEPTH = 1_024
const MAX_BITS = 1_023
const HASH_BYTES = 32

const sha256 = (bytes: Buffer): Buffer => digest('sha256', bytes, 'buffer')
const ones = (mask: number): number => (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
/** The part of a mask up to a level. */
const upTo = (mask: number, level: number): number => mask & ((1 << level) - 1)

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new RangeError('a cell lacks a hash of its level')
  return found
}
const hashAt = ({ hashes, levels }: Cell, level: number): Buffer => at(hashes, ones(upTo(levels, level)))
const depthAt = ({ depths, levels }: Cell, level: number): number => at(depths, ones(upTo(levels, level)))

/** Hash of a cell, by which blocks and transactions refer to it. */
export const hashOf = ({ hashes }: Cell): Buffer => at(hashes, hashes.length - 1)

/** Bits with the mark that ends an incomplete byte. */
const padded = (data: Buffer, length: number): Buffer => {
  if (length % 8 === 0) return data
  const bytes = Buffer.from(data)
  const last = bytes.length - 1
  bytes[last] = (bytes[last] ?? 0) | (0x80 >> (length % 8))
  return bytes
}

const levelsOf = (kind: number | undefined, data: Buffer, refs: readonly Cell[]): number => {
  if (kind === KIND.pruned) return data[1] ?? 0
  if (kind === KIND.library) return 0
  const below = refs.reduce((mask, ref) => mask | ref.levels, 0)
  return kind === KIND.merkleProof || kind === KIND.merkleUpdate ? below >> 1 : below
}

/** The bytes to hash: above the lowest level, the hash of the level below replaces the bits. */
const represent = (
  exotic: boolean,
  mask: number,
  content: Buffer,
  length: number,
  refs: readonly Cell[],
  level: number,
) => {
  const bytes = Buffer.allocUnsafe(2 + content.length + refs.length * (2 + HASH_BYTES))
  bytes[0] = refs.length + (exotic ? 8 : 0) + 32 * mask
  bytes[1] = (length >> 3) + ((length + 7) >> 3)
  content.copy(bytes, 2)
  let offset = 2 + content.length
  let depth = 0
  for (const ref of refs) {
    const below = depthAt(ref, level)
    if (below >= depth) depth = below + 1
    offset = bytes.writeUInt16BE(below, offset)
  }
  for (const ref of refs) offset += hashAt(ref, level).copy(bytes, offset)
  if (depth > MAX_DEPTH) throw new RangeError('cells are nested too deeply')
  return { hash: sha256(bytes), depth }
}

/** Hashes and depths that a pruned cell states of its former content. */
const stated = (data: Buffer, mask: number) => {
  const count = ones(mask)
  if (data.length !== 2 + count * (HASH_BYTES + 2)) throw new RangeError('a pruned cell of a wrong size')
  return Array.from({ length: count }, (_, index) => ({
    hash: data.subarray(2 + index * HASH_BYTES, 2 + (index + 1) * HASH_BYTES),
    depth: data.readUInt16BE(2 + count * HASH_BYTES + index * 2),
  }))
}

/** Creates a cell and computes its hashes. @throws RangeError when it is invalid. */
export const makeCell = (data: Buffer, length: number, refs: readonly Cell[], exotic = false): Cell => {
  if (length > MAX_BITS || refs.length > 4) throw new RangeError('a cell holds 1023 bits and four references')
  const kind = exotic ? data[0] : undefined
  const levels = levelsOf(kind, data, refs)
  if (levels > 7) throw new RangeError('a cell has three levels at most')
  const content = padded(data, length)
  const made: { hash: Buffer; depth: number }[] = []
  if (kind === KIND.pruned) {
    made.push(...stated(data, levels), represent(exotic, levels, content, length, [], 0))
  } else {
    const shift = kind === KIND.merkleProof || kind === KIND.merkleUpdate ? 1 : 0
    for (let level = 0; level <= 3; level += 1) {
      if (level > 0 && (levels & (1 << (level - 1))) === 0) continue
      const bytes = made.at(-1)?.hash ?? content
      made.push(represent(exotic, upTo(levels, level), bytes, length, refs, level + shift))
    }
  }
  return {
    exotic,
    data,
    length,
    refs,
    levels,
    hashes: made.map(({ hash }) => hash),
    depths: made.map(({ depth }) => depth),
  }
}
