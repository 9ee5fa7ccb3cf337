/**
 * Stored screening jobs. States: waiting -> running -> finished or stopped, and from each of them to deleted. A replica holds a running
 * job for a limited time and returns it to waiting; the hold of a dead replica expires. The rank of a state is part of the version, so
 * that a late write cannot undo a later state: deleted outranks everything.
 */
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Operation } from '../../schema/networks.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import { JOB_STATES, type JobState } from '../../schema/tables/service/screening.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const FIND = sql('find-jobs')
const OPEN = sql('open-jobs')
const LIST = sql('list-jobs')
const USED = sql('used-rows')
const OUTCOMES = sql('outcomes')
const DELETES = [sql('delete-rows'), sql('delete-results')]

/** How long a job with its rows and results is kept, ms. */
export const KEPT_MS = 7 * 86_400_000

/** Maximum time for which a job is held or postponed, ms. */
export const HOLD_MS = 60_000
/** Holds that end later than this from now are ignored: a clock was set back since they were written. */
const MAX_HOLD_MS = 2 * HOLD_MS

/** Whether a job is held or postponed at a time (ms). */
export const isHeldAt = ({ held_until }: Pick<Job, 'held_until'>, now: number): boolean =>
  held_until > now && held_until <= now + MAX_HOLD_MS

const RANKS: Record<JobState, bigint> = { waiting: 0n, running: 0n, finished: 1n, stopped: 1n, deleted: 2n }
const RANK_BITS = 60n

const millis = z.coerce.number()
const job = z.object({
  id: z.string(),
  account: z.string(),
  operation: z.enum(Object.keys(OPERATIONS) as [Operation, ...Operation[]]),
  state: z.enum(JOB_STATES),
  upload: z.string(),
  rows: z.number(),
  malformed: z.number(),
  distinct: z.number(),
  look_alikes: z.string(),
  fingerprint: z.string(),
  holder: z.string(),
  /** Times are milliseconds since the epoch; 0 means not yet. */
  held_until: millis,
  moved: millis,
  created: millis,
  started: millis,
  finished: millis,
  reason: z.string(),
  /** Unix seconds. */
  expires: z.number(),
  /** Version of the row that was read; absent for a new job. */
  version: z.string().optional(),
})
/** A stored job. */
export type Job = z.output<typeof job>

const outcomes = z.array(z.object({ status: z.number(), rows: z.coerce.number() }))
const listed = z.array(
  z.object({ id: z.string(), state: z.enum(JOB_STATES), operation: z.string(), rows: z.number(), created: millis }),
)
/** A job in lists. */
export type ListedJob = z.output<typeof listed>[number]
const used = z.object({ rows: millis, oldest: millis, open: millis })
/** Rows of an account's jobs since a time, including deleted jobs; creation time of the first of those jobs (ms); number of open jobs. */
export type Used = z.output<typeof used>

/** Jobs of all accounts. */
export type Jobs = {
  /** A job that is not deleted. */
  find: (id: string) => Promise<Job | undefined>
  /** A job, even if deleted: its id is in use either way. */
  findAny: (id: string) => Promise<Job | undefined>
  /** The newest `limit` jobs of an account, newest first. */
  list: (account: string, limit: number) => Promise<ListedJob[]>
  /** Usage of an account since a time, ms. */
  used: (account: string, since: number) => Promise<Used>
  /** Ids of jobs to work on: for each account the one that has waited longest, longest wait first. */
  open: () => Promise<string[]>
  write: (job: Job) => Promise<void>
  /** Writes a new job. If several replicas write one id, the store keeps the first. */
  begin: (job: Job) => Promise<void>
  /** Finished rows by status. */
  outcomes: (upload: string) => Promise<ReadonlyMap<number, number>>
  /** Removes the rows and results of an upload. */
  clear: (upload: string) => Promise<void>
}

/** Id of a job. Derived from the idempotency key, so that a retried upload finds its job. */
export const jobIdOf = (account: string, idempotencyKey: string | undefined): string => {
  const seed = idempotencyKey === undefined ? randomUUID() : JSON.stringify([account, idempotencyKey])
  return `screen_${createHash('sha256').update(seed).digest('hex').slice(0, 24)}`
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** `now` in milliseconds since the epoch. */
export const createJobs = (store: Store, now: () => number): Jobs => {
  let last = 0
  /** Always above the version that was read, which may come from a clock that was set back since. */
  const version = ({ state, version: read = '0' }: Job): string => {
    last = Math.max(last + 1, now() * 1_000, Number(BigInt.asUintN(Number(RANK_BITS), BigInt(read))) + 1)
    return String((RANKS[state] << RANK_BITS) | BigInt(last))
  }
  const findAny = async (id: string): Promise<Job | undefined> => {
    const [found] = z.array(job).parse(await store.query(FIND, { id }, { route: 'screen_jobs' }))
    return found
  }
  const rowOf = (written: Job) => ({
    ...written,
    version: version(written),
    held_until: seconds(written.held_until),
    moved: seconds(written.moved),
    created: seconds(written.created),
    started: seconds(written.started),
    finished: seconds(written.finished),
  })
  const insert = (row: object, token: string) => store.insert('screen_jobs', `${JSON.stringify(row)}\n`, { token })
  return {
    find: async (id) => {
      const found = await findAny(id)
      return found?.state === 'deleted' ? undefined : found
    },
    findAny,
    list: async (account, limit) =>
      listed.parse(await store.query(LIST, { account, limit }, { route: 'screen_jobs_of_account' })),
    used: async (account, since) => {
      const [row] = await store.query(USED, { account, since }, { route: 'screen_rows_used' })
      return used.parse(row)
    },
    open: async () =>
      (
        await store.query<{ id: string }>(OPEN, { now: now(), believed: MAX_HOLD_MS }, { route: 'open_screen_jobs' })
      ).map(({ id }) => id),
    write: (written) => {
      const row = rowOf(written)
      return insert(row, `screen_jobs:${row.id}:${row.holder}:${row.version}`)
    },
    // The token includes the expiry period, so that an id can be reused after its job expired.
    begin: (written) =>
      insert(rowOf(written), `screen_jobs:${written.id}:expires in:${Math.floor((written.expires * 1_000) / KEPT_MS)}`),
    outcomes: async (upload) => {
      const rows = outcomes.parse(await store.query(OUTCOMES, { upload }, { route: 'screen_outcomes' }))
      return new Map(rows.map(({ status, rows }) => [status, rows]))
    },
    clear: async (upload) => {
      for (const statement of DELETES) await store.command(statement, { upload })
    },
  }
}
