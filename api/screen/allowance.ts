/** How many rows a key may upload: as many in 24 hours as it could make calls. Counted by the stored jobs, so that replicas agree. */
import type { Caller } from '../keys/caller.ts'
import type { Limits } from '../limits/limits.ts'
import type { Jobs, Used } from './jobs.ts'
import { createPlaces } from './places.ts'

const DAY_MS = 86_400_000
/** Jobs of an account that are not done. */
const MAX_OPEN = 20
/** Uploads that come in at a time: of an account, and on this replica. */
const MAX_UPLOADS = 2
const MAX_ALL_UPLOADS = 8

/** Rows that an account may upload now. */
export type Allowed = {
  /** Infinity without a limit. */
  rowsPerDay: number
  left: number
  /** Seconds until rows are free again. */
  retryAfter: number
  /** Whether so many jobs are not done that another one has to wait. */
  full: boolean
}

/** A number of rows as answers have it: `null` without a limit, because JSON has no infinity. */
export const shownRows = (rows: number): number | null => (Number.isFinite(rows) ? rows : null)

/** The limits as answers have them. */
export const shownLimits = ({ rowsPerDay, left }: Allowed) => ({
  rowsPerDay: shownRows(rowsPerDay),
  left: shownRows(left),
})

/** Counts what is stored. Jobs that begin on several replicas within moments may exceed it. */
export const createAllowance = (limits: Pick<Limits, 'perDay'>, jobs: Pick<Jobs, 'used'>, now: () => number) => {
  const uploads = createPlaces({ ofAccount: MAX_UPLOADS, ofAll: MAX_ALL_UPLOADS })

  const allowedOf = ({ rows, oldest, open }: Used, caller: Caller): Allowed => {
    const rowsPerDay = limits.perDay(caller)
    return {
      rowsPerDay,
      left: Math.max(0, rowsPerDay - rows),
      retryAfter: Math.max(1, Math.ceil(((oldest || now()) + DAY_MS - now()) / 1_000)),
      full: open >= MAX_OPEN,
    }
  }

  return {
    of: async (account: string, caller: Caller): Promise<Allowed> =>
      allowedOf(await jobs.used(account, now() - DAY_MS), caller),
    /** Takes a place for an upload, and gives what returns it; `undefined` when all are taken. */
    begin: uploads.take,
  }
}
/** What accounts may upload. */
export type Allowance = ReturnType<typeof createAllowance>
