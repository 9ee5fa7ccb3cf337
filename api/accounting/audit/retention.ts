/** Removes expired entries of the audit log. An anchor with the last removed entry keeps the rest verifiable. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const EXPIRED = readSql(import.meta.url, './sql/last-expired.sql')
const REMOVE = readSql(import.meta.url, './sql/remove-entries.sql')
const DAY_MS = 86_400_000

const expiredRow = z.object({ chain: z.string(), last: z.string(), hash: z.string(), ms: z.coerce.number() })

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Idempotent: replicas may remove the same entries concurrently. @param now milliseconds since the epoch */
export const removeExpired = async (store: Store, days: number, now: number): Promise<void> => {
  const before = now - days * DAY_MS
  const expired = z.array(expiredRow).parse(await store.query(EXPIRED, { before }, { route: 'audit_expired' }))
  for (const { chain, last, hash, ms } of expired) {
    // The anchor comes first: if the process dies in between, the next round removes the entries.
    const anchor = { chain, seq: last, hash, at: seconds(ms), removed: seconds(now) }
    await store.insert('audit_anchors', `${JSON.stringify(anchor)}\n`, { token: `audit_anchors:${chain}:${last}` })
    await store.command(REMOVE, { chain, last })
  }
}
