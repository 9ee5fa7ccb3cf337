/** Removes what is older than its retention from the audit log. An anchor stays where a chain then begins, so that the rest verifies. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const EXPIRED = readSql(import.meta.url, './sql/last-expired.sql')
const REMOVE = readSql(import.meta.url, './sql/remove-entries.sql')
const DAY_MS = 86_400_000

const expiredRow = z.object({ chain: z.string(), last: z.string(), hash: z.string(), ms: z.coerce.number() })

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Any replica removes entries of all chains; two that do so together do the same. `now` in milliseconds since the epoch. */
export const removeExpired = async (store: Store, days: number, now: number): Promise<void> => {
  const before = now - days * DAY_MS
  const expired = z.array(expiredRow).parse(await store.query(EXPIRED, { before }, { route: 'audit_expired' }))
  for (const { chain, last, hash, ms } of expired) {
    // First the anchor: a process that ends in between leaves entries that nobody needs, and the next round removes them.
    const anchor = { chain, seq: last, hash, at: seconds(ms), removed: seconds(now) }
    await store.insert('audit_anchors', `${JSON.stringify(anchor)}\n`, { token: `audit_anchors:${chain}:${last}` })
    await store.command(REMOVE, { chain, last })
  }
}
