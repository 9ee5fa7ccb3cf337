import { randomUUID } from 'node:crypto'
import type { Clock } from '../../context/clock.ts'
import { RetryableError } from '../../errors.ts'
import type { Store } from '../store.ts'

const LATEST = `
  SELECT generation, owner, max(released) AS released, toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(min(taken_at)) AS age
  FROM schema_locks GROUP BY generation, owner ORDER BY generation DESC LIMIT 1`

type Latest = { generation: string; owner: string; released: number; age: string }

const STALE_MS = 600_000

/**
 * Age from which a lock counts as abandoned, ms. Only one process at a time can open an embedded store, so a lock older than
 * this process belongs to a dead one.
 */
const staleAfter = ({ embedded }: Store): number => (embedded ? Math.min(process.uptime() * 1_000, STALE_MS) : STALE_MS)

const row = (generation: bigint, owner: string, released: 0 | 1) =>
  `${JSON.stringify({ generation: generation.toString(), owner, released })}\n`

/**
 * Holds the migration lock while `work` runs. Taking it is an insert with the generation as deduplication token: of two
 * attempts, the store keeps the first. A lock counts as abandoned after ten minutes, and on an embedded store if it is
 * older than this process.
 * @throws RetryableError ASSAY_STORE_MIGRATION_LOCKED when another process holds it longer than `waitMs`.
 */
export const withMigrationLock = async <T>(
  store: Store,
  clock: Clock,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  const owner = randomUUID()
  const deadline = clock.now() + waitMs
  const latest = async () => (await store.query<Latest>(LATEST, undefined, { route: 'migration_lock' }))[0]
  for (;;) {
    const held = await latest()
    if (!held || held.released === 1 || Number(held.age) > staleAfter(store)) {
      const generation = BigInt(held?.generation ?? 0) + 1n
      await store.insert('schema_locks', row(generation, owner, 0), { token: `lock:${generation}` })
      if ((await latest())?.owner === owner) {
        try {
          return await work()
        } finally {
          await store.insert('schema_locks', row(generation, owner, 1))
        }
      }
    }
    if (clock.now() >= deadline) {
      throw new RetryableError(
        'ASSAY_STORE_MIGRATION_LOCKED',
        'Another process is migrating this database. Nothing was applied. Start again when it is done. The lock of a crashed process expires after ten minutes, on an embedded store immediately.',
      )
    }
    await clock.sleep(100)
  }
}
