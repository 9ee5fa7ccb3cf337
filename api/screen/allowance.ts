/** Limit of uploaded rows: in 24 hours, as many as the account could make calls. Counted from stored jobs, so that replicas agree. */
import type { Caller } from '../keys/caller.ts'
import type { Limits } from '../limits/limits.ts'
import type { Jobs, Used } from './jobs.ts'
import { createSlots } from './slots.ts'

const DAY_MS = 86_400_000
/** Open jobs per account. */
const MAX_OPEN = 20
/** Concurrent uploads: per account, and on this replica. */
const MAX_UPLOADS = 2
const MAX_ALL_UPLOADS = 8

/** What an account may upload now. */
export type Allowed = {
  /** Infinity without a limit. */
  rowsPerDay: number
  left: number
  /** Seconds until the oldest rows no longer count. */
  retryAfter: number
  /** Whether the account has the maximum number of open jobs. */
  full: boolean
}

/** A number of rows in answers: `null` instead of Infinity, which JSON does not have. */
export const shownRows = (rows: number): number | null => (Number.isFinite(rows) ? rows : null)

/** The limits in answers. */
export const shownLimits = ({ rowsPerDay, left }: Allowed) => ({
  rowsPerDay: shownRows(rowsPerDay),
  left: shownRows(left),
})

/** Counts stored jobs. Jobs that begin concurrently on several replicas may exceed the limit. */
export const createAllowance = (limits: Pick<Limits, 'perDay'>, jobs: Pick<Jobs, 'used'>, now: () => number) => {
  const uploads = createSlots({ ofAccount: MAX_UPLOADS, ofAll: MAX_ALL_UPLOADS })

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
    /** Takes a slot for an upload. Returns a function that frees it, or `undefined` if none is free. */
    begin: uploads.take,
  }
}
/** The limits of accounts. */
export type Allowance = ReturnType<typeof createAllowance>
