/**
 * Throttles the guessing of keys: an address that sends too many invalid keys is not listened to until the window ends.
 * Keys that were accepted from that address before go on, so that one careless client does not shut out its neighbours
 * behind the same address, and a new key is refused there whether it is right or wrong.
 */
import { LRUCache } from 'lru-cache'

export type Failures = {
  /** Counts an invalid key. */
  fail: (ip: string) => void
  /** Remembers that a key (its id) was accepted from the address. */
  accept: (ip: string, id: string) => void
  /** Milliseconds the address is not listened to; 0 when it is, or when the key was accepted from it before. */
  blockedMs: (ip: string, id?: string) => number
}

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

export const createFailures = ({ limit, windowMs, maxAddresses, now }: FailuresOptions): Failures => {
  const failed = new LRUCache<string, { index: number; count: number }>({ max: maxAddresses })
  const accepted = new LRUCache<string, true>({ max: maxAddresses })
  const indexOf = () => Math.floor(now() / windowMs)
  return {
    fail: (ip) => {
      const source = sourceOf(ip)
      const index = indexOf()
      const known = failed.get(source)
      if (known?.index === index) known.count++
      else failed.set(source, { index, count: 1 })
    },
    accept: (ip, id) => void accepted.set(`${ip} ${id}`, true),
    blockedMs: (ip, id) => {
      if (limit === 0 || failed.size === 0) return 0
      const known = failed.get(sourceOf(ip))
      if (!known || known.count < limit || known.index !== indexOf()) return 0
      if (id !== undefined && accepted.has(`${ip} ${id}`)) return 0
      return (known.index + 1) * windowMs - now()
    },
  }
}
