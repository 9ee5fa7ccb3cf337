/**
 * One process at a time does the work of all replicas. Whoever finds the lease free writes its name and reads back, after a pause, whose
 * name stands there. Times are those of the store's clock; how long this process may believe in its own lease is measured by itself.
 * Two processes may both believe in it for a moment after a pause of seconds between write and read: what they do has to be harmless
 * when it is done twice.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../../platform/context.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const LEASE = readSql(import.meta.url, './sql/lease.sql')
const CLAIM = readSql(import.meta.url, './sql/claim.sql')

export type LeaseTuning = {
  /** How long a process that died keeps its lease, ms. */
  holdMs: number
  /** Pause before a new holder reads back, ms. */
  settleMs: number
}
export const LEASE_TUNING: LeaseTuning = { holdMs: 30_000, settleMs: 1_000 }

export type Lease = {
  /** Takes or renews the lease; whether this process holds it. */
  hold: () => Promise<boolean>
  /** Whether it is held now, without asking anybody. */
  isHeld: () => boolean
  release: () => Promise<void>
}

const row = z.object({ holder: z.string(), left: z.coerce.number() })

export const createLease = (
  { clock, lifecycle }: Pick<Context, 'clock' | 'lifecycle'>,
  store: Store,
  name: string,
  { holdMs, settleMs }: LeaseTuning = LEASE_TUNING,
): Lease => {
  const me = randomUUID()
  let until = 0
  const isHeld = () => performance.now() < until
  const read = async () => {
    const [found] = z.array(row).parse(await store.query(LEASE, { name }, { route: 'monitor_lease' }))
    return found
  }
  const claim = (ms: number) => store.command(CLAIM, { name, holder: ms > 0 ? me : '', ms })

  const hold = async (): Promise<boolean> => {
    if (until - performance.now() > holdMs / 2) return true
    const found = await read()
    if (found && found.holder !== me && found.holder !== '' && found.left > 0) {
      until = 0
      return false
    }
    const isNew = found?.holder !== me
    const begun = performance.now()
    await claim(holdMs)
    if (isNew) await clock.sleep(settleMs, lifecycle.signal)
    const isMine = (await read())?.holder === me
    until = isMine ? begun + holdMs : 0
    return isHeld()
  }
  return {
    hold,
    isHeld,
    release: async () => {
      if (!isHeld()) return
      until = 0
      await claim(0)
    },
  }
}
