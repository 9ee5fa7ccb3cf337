/**
 * Throttles failing attempts: an address that sends too many invalid keys or payments gets 429 for more of them until the
 * window ends. A valid key is not asked here, so that nobody shuts out a neighbour behind the same address. Guessing gains
 * nothing by it: keys have 16 characters at least, ours 256 random bits, and a wrong one costs a hash as before.
 */
import { LRUCache } from 'lru-cache'

/** Failing attempts by address. */
export type Failures = {
  /** Counts an invalid key or payment. */
  fail: (ip: string) => void
  /** Milliseconds until failing attempts of the address are counted again; 0 when it has some left. */
  blockedMs: (ip: string) => number
}

/** How many are borne, and how many addresses are remembered. */
export type FailuresOptions = {
  /** Failures an address may have in a window; 0 means no limit. */
  limit: number
  windowMs: number
  /** Addresses remembered, the busiest last to go. */
  maxAddresses: number
  /** Milliseconds since the epoch. */
  now: () => number
}

const NETWORK_GROUPS = 4

/** Who is held responsible: an IPv4 address, or the /64 of an IPv6 one, since that is what one host is given. */
export const sourceOf = (ip: string): string => {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** Counts in this process alone: it slows guessing, and keys are too long to be guessed. */
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
