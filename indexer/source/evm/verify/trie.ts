/**
 * Root of the Merkle Patricia trie of an ordered list, keyed by the RLP of each index, as headers commit to transactions and
 * receipts (Yellow Paper, sections 4.3.2 and appendix D). The keys are known, so the trie is computed over the sorted keys
 * without storing nodes.
 */
import { keccak256, keccakHex } from '../../../../platform/keccak.ts'
import type { RlpWriter } from './rlp.ts'

const HASH_BYTES = 32
const CHILDREN = 16
const ONE_BYTE = 0x80

/** RLP of an index as nibbles. */
const keyOf = (index: number): readonly number[] => {
  if (index === 0) return [8, 0]
  const digits = index.toString(16)
  const hex = digits.length % 2 === 1 ? `0${digits}` : digits
  const text = index < ONE_BYTE ? hex : `8${hex.length / 2}${hex}`
  return [...text].map((digit) => Number.parseInt(digit, 16))
}

const KEYS: (readonly number[])[] = []
const keyAt = (index: number): readonly number[] => {
  const known = KEYS[index] ?? keyOf(index)
  KEYS[index] = known
  return known
}

/** Indexes in key order: 1 to 127, then 0, then the others. */
const inKeyOrder = (count: number): number[] => {
  const order: number[] = []
  for (let index = 1; index < Math.min(count, ONE_BYTE); index += 1) order.push(index)
  if (count > 0) order.push(0)
  for (let index = ONE_BYTE; index < count; index += 1) order.push(index)
  return order
}

/**
 * Root of a list of `count` values.
 * @param encode writes the value of an index into the given writer.
 * @returns lower-case 0x-hex.
 */
export const listRoot = (
  count: number,
  encode: (index: number, writer: RlpWriter) => void,
  writer: RlpWriter,
): string => {
  const order = inKeyOrder(count)
  const key = (place: number) => keyAt(order[place] ?? 0)

  /** Nibbles with their flags (Yellow Paper, appendix C), as a string. */
  const writePath = (nibbles: readonly number[], leaf: boolean) => {
    const from = writer.size()
    for (let at = nibbles.length - 1; at > 0; at -= 2) {
      writer.byte(((nibbles[at - 1] ?? 0) << 4) | (nibbles[at] ?? 0))
    }
    const flag = leaf ? 2 : 0
    writer.byte(nibbles.length % 2 === 1 ? ((flag + 1) << 4) | (nibbles[0] ?? 0) : flag << 4)
    writer.closeString(from)
  }

  const writeLeaf = (place: number, depth: number) => {
    writer.clear()
    encode(order[place] ?? 0, writer)
    writer.closeString(0)
    writePath(key(place).slice(depth), true)
    writer.closeList(0)
  }

  /** Reference to a node in its parent: its hash, or the node itself if that is shorter. */
  const reference = (from: number, to: number, depth: number): Uint8Array => {
    writeNode(from, to, depth)
    return writer.size() < HASH_BYTES ? writer.view().slice() : keccak256(writer.view())
  }

  const writeReference = (child: Uint8Array) => {
    const from = writer.size()
    writer.raw(child)
    if (child.length === HASH_BYTES) writer.closeString(from)
  }

  const writeBranch = (from: number, to: number, depth: number) => {
    const children: (Uint8Array | undefined)[] = new Array(CHILDREN)
    for (let first = from; first < to; ) {
      const nibble = key(first)[depth] ?? 0
      let end = first + 1
      while (end < to && key(end)[depth] === nibble) end += 1
      children[nibble] = reference(first, end, depth + 1)
      first = end
    }
    writer.clear()
    writer.data(null)
    for (let nibble = CHILDREN - 1; nibble >= 0; nibble -= 1) {
      const child = children[nibble]
      if (child) writeReference(child)
      else writer.data(null)
    }
    writer.closeList(0)
  }

  const writeExtension = (from: number, to: number, depth: number, shared: number) => {
    const child = reference(from, to, shared)
    writer.clear()
    writeReference(child)
    writePath(key(from).slice(depth, shared), false)
    writer.closeList(0)
  }

  /** Writes the node of the keys `from` up to `to` (exclusive), which agree up to `depth`. */
  const writeNode = (from: number, to: number, depth: number) => {
    const [first, last] = [key(from), key(to - 1)]
    let shared = depth
    if (to - from > 1) while (first[shared] === last[shared]) shared += 1
    if (to - from === 1) writeLeaf(from, depth)
    else if (shared === depth) writeBranch(from, to, depth)
    else writeExtension(from, to, depth, shared)
  }

  if (count > 0) writeNode(0, count, 0)
  else {
    writer.clear()
    writer.data(null)
  }
  return keccakHex(writer.view())
}
