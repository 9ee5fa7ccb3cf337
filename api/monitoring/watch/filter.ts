/**
 * Which addresses may be watched, in a few bytes each: a set of 32-bit hashes. It never misses one that was added; one in some thousands
 * of others is taken for watched and sorted out by the table. Asking takes the same time however many there are.
 */
import { randomInt } from 'node:crypto'

const LEAST_SLOTS = 1_024
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

/** Which addresses may be watched. */
export type WatchFilter = {
  add: (network: string, address: string) => void
  /** False only where nobody watches the address. */
  mayHave: (network: string, address: string) => boolean
  readonly size: number
  /** Memory it takes. */
  readonly bytes: number
}

/** @param seed unknown to others, who could choose addresses that all fall on one place otherwise. */
export const createWatchFilter = (seed = randomInt(2 ** 32)): WatchFilter => {
  let slots = new Uint32Array(LEAST_SLOTS)
  let size = 0

  /** Where a hash is, or the free slot where it would be. */
  const placeOf = (hash: number): number => {
    const mask = slots.length - 1
    let at = hash & mask
    for (let found = slots[at]; found !== EMPTY && found !== hash; found = slots[at]) at = (at + 1) & mask
    return at
  }
  const put = (hash: number) => {
    const at = placeOf(hash)
    if (slots[at] === hash) return
    slots[at] = hash
    size++
  }
  /** Half of the slots stay free, so that places are found at once. */
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
    mayHave: (network, address) => slots[placeOf(hashOf(seed, network, address))] !== EMPTY,
    get size() {
      return size
    },
    get bytes() {
      return slots.byteLength
    },
  }
}
