/** How many rows a key may upload: as many in 24 hours as it could make calls. Counted by the stored jobs, so that replicas agree. */
import type { Caller } from '../keys/caller.ts'
import type { Limits } from '../limits/limits.ts'
import type { Jobs, ListedJob } from './jobs.ts'

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

/** An upload under way, whose rows count before its job is stored. */
export type Upload = { add: (rows: number) => void; end: () => void }

/** Counts what is stored and what is being uploaded here. Uploads to several replicas at once may exceed it. */
export const createAllowance = (limits: Pick<Limits, 'perDay'>, jobs: Pick<Jobs, 'ofAccount'>, now: () => number) => {
  const uploads = new Map<string, { rows: number }[]>()
  let all = 0
  const uploading = (account: string) => uploads.get(account) ?? []

  const allowedOf = (listed: readonly ListedJob[], account: string, caller: Caller): Allowed => {
    const rowsPerDay = limits.perDay(caller)
    const recent = listed.filter(({ created }) => created > now() - DAY_MS)
    const used = [...recent, ...uploading(account)].reduce((sum, { rows }) => sum + rows, 0)
    const oldest = recent.at(-1)?.created ?? now()
    return {
      rowsPerDay,
      left: Math.max(0, rowsPerDay - used),
      retryAfter: Math.max(1, Math.ceil((oldest + DAY_MS - now()) / 1_000)),
      full: listed.filter(({ state }) => state === 'waiting' || state === 'running').length >= MAX_OPEN,
    }
  }

  return {
    of: async (account: string, caller: Caller): Promise<Allowed & { listed: ListedJob[] }> => {
      const listed = await jobs.ofAccount(account)
      return { ...allowedOf(listed, account, caller), listed }
    },
    /** Takes a place for an upload; `undefined` when all are taken. */
    begin: (account: string): Upload | undefined => {
      if (all >= MAX_ALL_UPLOADS || uploading(account).length >= MAX_UPLOADS) return undefined
      const upload = { rows: 0 }
      uploads.set(account, [...uploading(account), upload])
      all++
      return {
        add: (rows) => {
          upload.rows += rows
        },
        end: () => {
          const rest = uploading(account).filter((other) => other !== upload)
          if (rest.length > 0) uploads.set(account, rest)
          else uploads.delete(account)
          all--
        },
      }
    },
  }
}
/** What accounts may upload. */
export type Allowance = ReturnType<typeof createAllowance>
