/**
 * Throttles failing attempts: an address that sends too many invalid keys or payments gets 429 for further ones until the
 * window ends. Valid keys are not affected, so that nobody can block others behind the same address. Guessing stays
 * infeasible: keys have at least 16 characters, ours 256 random bits.
 */
import { LRUCache } from 'lru-cache'

/** Failed attempts by address. */
export type Failures = {
  /** Counts an invalid key or payment. */
  fail: (ip: string) => void
  /** Milliseconds until the block of the address ends; 0 if it is not blocked. */
  blockedMs: (ip: string) => number
}

/** Limits of failed attempts. */
export type FailuresOptions = {
  /** Failures per address and window; 0 means no limit. */
  limit: number
  windowMs: number
  /** Maximum number of tracked addresses. The least recently used one is dropped. */
  maxAddresses: number
  /** Milliseconds since the epoch. */
  now: () => number
}

const NETWORK_GROUPS = 4

/** The unit that is counted: an IPv4 address, or the /64 of an IPv6 address, because one host usually has a whole /64. */
export const sourceOf = (ip: string): string => {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** Counts in this process only, which is enough to slow down guessing. */
export const createFailures = ({ limit, windowMs, maxAddresses, now }: FailuresOptions): Failures => {
  const failed = new LRUCache<string, { index: number; count: number }>({ max: maxAddresses })
  const indexOf = () => Math.floor(now() / windowMs)
  return {
    fail: (ip) => {
      const source = sourceOf(ip)
      const index = indexOf()
      const known = failed.get(source)
      if (known?.index === index) known.count++
      else failed.set(source, { index, count: 1 })
    },
    blockedMs: (ip) => {
      if (limit === 0 || failed.size === 0) return 0
      const known = failed.get(sourceOf(ip))
      if (!known || known.count < limit || known.index !== indexOf()) return 0
      return (known.index + 1) * windowMs - now()
    },
  }
}
