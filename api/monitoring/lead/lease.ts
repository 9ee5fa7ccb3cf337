/**
 * Leader election: one process at a time works for all replicas. A process that finds the lease free, or its own, inserts a claim that
 * follows the version it read. Of several claims that follow one version the store keeps the first, as in the chunk ledger; each claimant
 * then reads who won. Expiry uses the clock of the store; a holder measures its own remaining time with its monotonic clock.
 * A suspended process may continue briefly after another has taken over, so the work must be idempotent.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const LEASE = readSql(import.meta.url, './sql/lease.sql')
const CLAIM = readSql(import.meta.url, './sql/claim.sql')

/** Settings of a lease. */
export type LeaseTuning = {
  /** How long a dead process keeps its lease, ms. */
  holdMs: number
}
/** Longer than a pause of a process, short enough for a quick change of leaders. */
export const LEASE_TUNING: LeaseTuning = { holdMs: 30_000 }

/** The exclusive right to do some work. */
export type Lease = {
  /** Takes or renews the lease. Returns whether this process holds it. */
  hold: () => Promise<boolean>
  /** Whether it is held now, without a query. */
  isHeld: () => boolean
  release: () => Promise<void>
}

/** The lease of a single process: always held. */
export const ownLease = (): Lease => ({ hold: async () => true, isHeld: () => true, release: async () => {} })

const row = z.object({ holder: z.string(), left: z.coerce.number(), version: z.string() })

/** A named lease in the store. Two processes may both hold it for a moment. */
export const createLease = (store: Store, name: string, { holdMs }: LeaseTuning = LEASE_TUNING): Lease => {
  const me = randomUUID()
  let until = 0
  /** Version of the winning claim when it was last read. */
  let version = '0'
  const isHeld = () => performance.now() < until
  const read = async () => {
    const [found] = z.array(row).parse(await store.query(LEASE, { name }, { route: 'monitor_lease' }))
    return found
  }
  const claim = (after: string, ms: number) =>
    store.command(
      CLAIM,
      { name, holder: ms > 0 ? me : '', ms, after },
      { token: `monitor_lease:${name}:after:${after}` },
    )

  const hold = async (): Promise<boolean> => {
    if (until - performance.now() > holdMs / 2) return true
    const found = await read()
    if (found && found.holder !== me && found.holder !== '' && found.left > 0) {
      until = 0
      return false
    }
    const begun = performance.now()
    await claim(found?.version ?? '0', holdMs)
    const now = await read()
    version = now?.version ?? '0'
    until = now?.holder === me ? begun + holdMs : 0
    return isHeld()
  }
  return {
    hold,
    isHeld,
    release: async () => {
      if (!isHeld()) return
      until = 0
      await claim(version, 0)
    },
  }
}
