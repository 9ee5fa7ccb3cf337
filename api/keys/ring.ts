/** The keys in force, in memory, refreshed from the store every few seconds. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Context } from '../../platform/context/context.ts'
import type { Caller } from './caller.ts'
import type { Keys, StoredKey } from './keys.ts'
import { allows, sourcesOf } from './restrictions.ts'

/** The keys in force, as a request finds them: in memory, by hash. */
export type KeyRing = {
  /** The caller a key belongs to; `undefined` when it is not in force. */
  find: (key: string) => Caller | undefined
  /** Whether a key that is not in force was, until its time was over. */
  isExpired: (key: string) => boolean
  /** Whether the key of a caller may be used from an address. */
  mayCome: (caller: Caller, ip: string) => boolean
  /** Reads the store now. @throws what the store throws; the keys known so far stay. */
  refresh: () => Promise<void>
  /** Id of the key that began the line of rotated keys: what belongs to a key belongs to its successors too. */
  accountOf: (id: string) => string
  /** Ids of all keys in the line of a key, ended ones included. */
  keysOf: (id: string) => string[]
  /** Who an account is now: its newest key in force. */
  callerOf: (account: string) => Caller | undefined
  readonly size: number
}

/** The first key of each key's line, in whatever order keys are listed: a clock that was set back makes successors look older. */
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
 * The map is looked up by hash, of which a caller can not choose prefixes; the digest found is compared in constant
 * time all the same, so that nothing rests on how a map compares.
 */
export const createKeyRing = ({ clock }: Pick<Context, 'clock'>, keys: Pick<Keys, 'list'>): KeyRing => {
  let entries = new Map<string, Entry>()
  /** Keys that may not be used from everywhere. */
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
    mayCome: (caller, ip) => {
      const sources = restricted.get(caller)
      return sources === undefined || allows(sources, ip)
    },
    refresh: async () => {
      const nth = ++begun
      const all = await keys.list()
      // One that began earlier and took longer has older keys: a key that was revoked since would be valid again.
      if (nth < shown) return
      shown = nth
      // Expired ones stay, so that their callers are told so.
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
