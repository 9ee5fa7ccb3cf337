/**
 * A compact set of watched addresses: 32-bit hashes, a few bytes each. No false negatives; about one in some thousands of other addresses
 * is a false positive, which the table sorts out. Look-ups take constant time.
 */
import { randomInt } from 'node:crypto'

const MIN_SLOTS = 1_024
const EMPTY = 0

/** FNV-1a over UTF-16 units with a final mix; never 0, which marks a free slot. */
const hashOf = (seed: number, network: string, address: string): number => {
  let hash = seed
  for (let at = 0; at < network.length; at++) hash = Math.imul(hash ^ network.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ 0x3a, 0x01000193)
  for (let at = 0; at < address.length; at++) hash = Math.imul(hash ^ address.charCodeAt(at), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  return hash >>> 0 || 1
}

/** A set of watched addresses with false positives. */
export type WatchFilter = {
  add: (network: string, address: string) => void
  /** False only if the address was not added. */
  mayHave: (network: string, address: string) => boolean
  readonly size: number
  /** Size in memory. */
  readonly bytes: number
}

/** @param seed secret, so that nobody can choose addresses that collide */
export const createWatchFilter = (seed = randomInt(2 ** 32)): WatchFilter => {
  let slots = new Uint32Array(MIN_SLOTS)
  let size = 0

  /** Index of the slot with the hash, or of the free slot for it. */
  const slotOf = (hash: number): number => {
    const mask = slots.length - 1
    let at = hash & mask
    for (let found = slots[at]; found !== EMPTY && found !== hash; found = slots[at]) at = (at + 1) & mask
    return at
  }
  const put = (hash: number) => {
    const at = slotOf(hash)
    if (slots[at] === hash) return
    slots[at] = hash
    size++
  }
  /** At least half of the slots stay free, which keeps probing short. */
  const grow = () => {
    const before = slots
    slots = new Uint32Array(before.length * 2)
    size = 0
    for (const hash of before) if (hash !== EMPTY) put(hash)
  }

  return {
    add: (network, address) => {
      if (size * 2 >= slots.length) grow()
      put(hashOf(seed, network, address))
    },
    mayHave: (network, address) => slots[slotOf(hashOf(seed, network, address))] !== EMPTY,
    get size() {
      return size
    },
    get bytes() {
      return slots.byteLength
    },
  }
}
