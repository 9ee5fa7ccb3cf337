/**
 * One process at a time does the work of all replicas. Whoever finds the lease free, or its own, claims it as the one that follows what it
 * found: of several claims that follow the same one the store keeps the first, as in the chunk ledger, and each claimant reads whose
 * that was. Times are those of the store's clock; how long this process may believe in its own lease is measured by itself.
 * A process that is suspended between two of its steps may go on for a moment after another took over: what it does has to be
 * harmless when it is done twice.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const LEASE = readSql(import.meta.url, './sql/lease.sql')
const CLAIM = readSql(import.meta.url, './sql/claim.sql')

/** Patience of a lease. */
export type LeaseTuning = {
  /** How long a process that died keeps its lease, ms. */
  holdMs: number
}
/** Long enough for a pause of a process, short enough for a change of leaders. */
export const LEASE_TUNING: LeaseTuning = { holdMs: 30_000 }

/** The right to do a work alone. */
export type Lease = {
  /** Takes or renews the lease; whether this process holds it. */
  hold: () => Promise<boolean>
  /** Whether it is held now, without asking anybody. */
  isHeld: () => boolean
  release: () => Promise<void>
}

/** The lease of the only process there is: nobody has to be asked. */
export const ownLease = (): Lease => ({ hold: async () => true, isHeld: () => true, release: async () => {} })

const row = z.object({ holder: z.string(), left: z.coerce.number(), version: z.string() })

/** A lease by its name in the store. Work has to bear two holders for a moment: clocks are not trusted that far. */
export const createLease = (store: Store, name: string, { holdMs }: LeaseTuning = LEASE_TUNING): Lease => {
  const me = randomUUID()
  let until = 0
  /** Version of the claim that holds, as far as it was read. */
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
