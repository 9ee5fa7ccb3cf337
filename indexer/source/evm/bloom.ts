import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { RawLog } from './raw.ts'

const BLOOM_BYTES = 256
/** Entries per generation; two are kept. Values repeat (event signatures, busy tokens), and hashing is the whole cost. */
const GENERATION = 20_000

type Bits = readonly [number, number, number]

/** Bits that a value sets: the low eleven of each of the first three 16-bit words of its keccak-256 (Yellow Paper, 4.4.3). */
const bitsOf = (value: string): Bits => {
  const hash = keccak_256(hexToBytes(value.slice(2)))
  const bit = (at: number) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047
  return [bit(0), bit(2), bit(4)]
}

/**
 * Computes log blooms, with a cache of values' bits.
 * @returns a function from logs to their bloom as lower-case 0x-hex, 256 bytes.
 */
export const createBloom = () => {
  let young = new Map<string, Bits>()
  let old = new Map<string, Bits>()

  const bits = (value: string): Bits => {
    const known = young.get(value)
    if (known) return known
    const found = old.get(value) ?? bitsOf(value)
    if (young.size >= GENERATION) {
      old = young
      young = new Map()
    }
    young.set(value, found)
    return found
  }

  return (logs: Iterable<Pick<RawLog, 'address' | 'topics'>>): string => {
    const bloom = Buffer.alloc(BLOOM_BYTES)
    const add = (value: string) => {
      for (const bit of bits(value)) {
        const at = BLOOM_BYTES - 1 - (bit >> 3)
        bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
      }
    }
    for (const log of logs) {
      add(log.address)
      for (const topic of log.topics) add(topic)
    }
    return `0x${bloom.toString('hex')}`
  }
}

/** Computes the bloom of logs. A source uses one instance, because its cache makes it fast. */
export type Bloom = ReturnType<typeof createBloom>
