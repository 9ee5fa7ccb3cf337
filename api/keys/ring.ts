import { hash, timingSafeEqual } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Context } from '../../platform/context/context.ts'
import type { Caller } from './caller.ts'
import type { Keys, StoredKey } from './keys.ts'
import { allows, sourcesOf } from './restrictions.ts'

/** The valid keys in memory, by hash, refreshed from the store every few seconds. */
export type KeyRing = {
  /** The caller of a key; `undefined` if the key is not valid. */
  find: (key: string) => Caller | undefined
  /** Whether the key is known and has expired. */
  isExpired: (key: string) => boolean
  /** Whether the caller's key may be used from an IP address. */
  allowsSource: (caller: Caller, ip: string) => boolean
  /** Reads the store now. @throws errors of the store; the known keys stay valid */
  refresh: () => Promise<void>
  /** Id of the first key in a chain of rotations: the owner of everything that belongs to the key and its successors. */
  accountOf: (id: string) => string
  /** Ids of all keys in the rotation chain of a key, including ended ones. */
  keysOf: (id: string) => string[]
  /** The caller of an account: its newest valid key. */
  callerOf: (account: string) => Caller | undefined
  readonly size: number
}

/** The first key of each rotation chain. Does not rely on creation times: a clock that was set back makes successors look older. */
const accountsOf = (keys: readonly StoredKey[]): Map<string, string> => {
  const before = new Map(keys.flatMap(({ id, replaced }) => (replaced === '' ? [] : [[id, replaced] as const])))
  const firstOf = (id: string): string => {
    const line = new Set([id])
    for (let next = before.get(id); next !== undefined && !line.has(next); next = before.get(next)) line.add(next)
    return [...line].at(-1) ?? id
  }
  return new Map([...before.keys()].map((id) => [id, firstOf(id)]))
}

type Entry = { digest: Buffer; expires: number; caller: Caller; sources: BlockList | undefined }

/**
 * Keys are looked up by hash, whose prefix a caller cannot choose. The digest is still compared in constant time, so that
 * security does not depend on the map.
 */
export const createKeyRing = ({ clock }: Pick<Context, 'clock'>, keys: Pick<Keys, 'list'>): KeyRing => {
  let entries = new Map<string, Entry>()
  /** Source addresses of restricted keys. */
  let restricted: ReadonlyMap<Caller, BlockList> = new Map()
  let accounts: ReadonlyMap<string, string> = new Map()
  let [begun, shown] = [0, 0]

  const entryOf = ({ id, tier, hash, expires, operations, networks, sources, test }: StoredKey): Entry => ({
    digest: Buffer.from(hash, 'hex'),
    expires: expires === 0 ? Number.POSITIVE_INFINITY : expires,
    caller: {
      kind: 'key',
      tier,
      id,
      ...(operations.length > 0 && { operations: new Set(operations) }),
      ...(networks.length > 0 && { networks: new Set(networks) }),
      ...(test && { test }),
    },
    sources: sourcesOf(sources),
  })

  const entryFor = (key: string): Entry | undefined => {
    const digest = hash('sha256', key, 'buffer')
    const entry = entries.get(digest.toString('hex'))
    return entry && timingSafeEqual(entry.digest, digest) ? entry : undefined
  }
  const accountOf = (id: string): string => accounts.get(id) ?? id

  return {
    find: (key) => {
      const entry = entryFor(key)
      return entry && entry.expires > clock.now() ? entry.caller : undefined
    },
    isExpired: (key) => (entryFor(key)?.expires ?? Number.POSITIVE_INFINITY) <= clock.now(),
    allowsSource: (caller, ip) => {
      const sources = restricted.get(caller)
      return sources === undefined || allows(sources, ip)
    },
    refresh: async () => {
      const nth = ++begun
      const all = await keys.list()
      // A slower refresh that began earlier has older data: it would revive keys that were revoked since.
      if (nth < shown) return
      shown = nth
      // Expired keys stay, so that their callers get KEY_EXPIRED.
      const made = all.filter(({ revoked }) => !revoked).map((key) => [key.hash, entryOf(key)] as const)
      entries = new Map(made)
      restricted = new Map(made.flatMap(([, { caller, sources }]) => (sources ? [[caller, sources]] : [])))
      accounts = accountsOf(all)
    },
    accountOf,
    keysOf: (id) => {
      const account = accountOf(id)
      return [account, ...[...accounts].flatMap(([key, first]) => (first === account ? [key] : []))]
    },
    callerOf: (account) =>
      [...entries.values()].findLast(({ caller, expires }) => expires > clock.now() && accountOf(caller.id) === account)
        ?.caller,
    get size() {
      return entries.size
    },
  }
}
