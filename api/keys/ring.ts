/** The keys in force, in memory, refreshed from the store every few seconds. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Caller } from '../caller.ts'
import type { Keys, StoredKey } from './keys.ts'

export type KeyRing = {
  /** The caller a key belongs to; `undefined` when it is not in force. */
  find: (key: string) => Caller | undefined
  /** Reads the store now. @throws what the store throws; the keys known so far stay. */
  refresh: () => Promise<void>
  /** Id of the key that began the line of rotated keys: what belongs to a key belongs to its successors too. */
  accountOf: (id: string) => string
  /** Who an account is now: its newest key in force. */
  callerOf: (account: string) => Caller | undefined
  readonly size: number
}

/** The first key of each key's line. Keys are listed oldest first, so that a predecessor is known before its successor. */
const accountsOf = (keys: readonly StoredKey[]): Map<string, string> => {
  const accounts = new Map<string, string>()
  for (const { id, replaced } of keys) if (replaced !== '') accounts.set(id, accounts.get(replaced) ?? replaced)
  return accounts
}

type Entry = { digest: Buffer; expires: number; caller: Caller }

/**
 * The map is looked up by hash, of which a caller can not choose prefixes; the digest found is compared in constant
 * time all the same, so that nothing rests on how a map compares.
 */
export const createKeyRing = ({ clock }: Pick<Context, 'clock'>, keys: Pick<Keys, 'list'>): KeyRing => {
  let entries = new Map<string, Entry>()
  let accounts: ReadonlyMap<string, string> = new Map()

  const entryOf = ({ id, tier, hash, expires }: StoredKey): Entry => ({
    digest: Buffer.from(hash, 'hex'),
    expires: expires === 0 ? Number.POSITIVE_INFINITY : expires,
    caller: { kind: 'key', tier, id },
  })

  const accountOf = (id: string): string => accounts.get(id) ?? id

  return {
    find: (key) => {
      const digest = hash('sha256', key, 'buffer')
      const entry = entries.get(digest.toString('hex'))
      if (!entry || !timingSafeEqual(entry.digest, digest) || entry.expires <= clock.now()) return undefined
      return entry.caller
    },
    refresh: async () => {
      const now = clock.now()
      const all = await keys.list()
      const inForce = all.filter(({ revoked, expires }) => !revoked && (expires === 0 || expires > now))
      entries = new Map(inForce.map((key) => [key.hash, entryOf(key)]))
      accounts = accountsOf(all)
    },
    accountOf,
    callerOf: (account) =>
      [...entries.values()].findLast(({ caller, expires }) => expires > clock.now() && accountOf(caller.id) === account)
        ?.caller,
    get size() {
      return entries.size
    },
  }
}
