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
  readonly size: number
}

type Entry = { digest: Buffer; expires: number; caller: Caller }

/**
 * The map is looked up by hash, of which a caller can not choose prefixes; the digest found is compared in constant
 * time all the same, so that nothing rests on how a map compares.
 */
export const createKeyRing = ({ clock }: Pick<Context, 'clock'>, keys: Pick<Keys, 'list'>): KeyRing => {
  let entries = new Map<string, Entry>()

  const entryOf = ({ id, tier, hash, expires }: StoredKey): Entry => ({
    digest: Buffer.from(hash, 'hex'),
    expires: expires === 0 ? Number.POSITIVE_INFINITY : expires,
    caller: { kind: 'key', tier, id },
  })

  return {
    find: (key) => {
      const digest = hash('sha256', key, 'buffer')
      const entry = entries.get(digest.toString('hex'))
      if (!entry || !timingSafeEqual(entry.digest, digest) || entry.expires <= clock.now()) return undefined
      return entry.caller
    },
    refresh: async () => {
      const now = clock.now()
      const inForce = (await keys.list()).filter(({ revoked, expires }) => !revoked && (expires === 0 || expires > now))
      entries = new Map(inForce.map((key) => [key.hash, entryOf(key)]))
    },
    get size() {
      return entries.size
    },
  }
}
