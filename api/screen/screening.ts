/**
 * Assembles screening. Jobs have their own reader with a small cache and its own computation queue, so that a million rows neither
 * evict the records of interactive callers nor delay their computations.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../platform/context/context.ts'
import type { Store } from '../../platform/store/store.ts'
import type { SettledOf } from '../answers/catching-up.ts'
import type { Providers } from '../answers/providers/provider.ts'
import { createCompute } from '../answers/reader/compute.ts'
import { createReader } from '../answers/reader/reader.ts'
import { type CountsOptions, createCounts } from '../answers/served/counts.ts'
import type { Authorize } from '../http/authorize.ts'
import type { KeyRing } from '../keys/ring.ts'
import { createHandle, type OperationsOptions } from '../operations.ts'
import { createAllowance } from './allowance.ts'
import { createJobs } from './jobs.ts'
import { installScreening } from './routes/install.ts'
import { PACE, type Pace } from './upload.ts'
import { createWorker } from './worker.ts'

/** Cache for records that rows of one piece share. */
const MEMORY_BYTES = 16 * 1024 * 1024
/**
 * Idle counters in memory. An address that a job contains twice may show a count without the last seconds; no count is lost.
 */
const COUNTERS = 2_000
const MAX_AGE_MS = 5_000
/** Concurrent look-ups, and rows per look-up. */
const LOOKUPS = 2
const LOOKUP_ROWS = 500
/** Concurrent computations, and a queue larger than the rows of a piece. */
const COMPUTING = 2
const WAITING = 10_000
/** Concurrent computations of bulk providers: the rows of a piece form one batch. */
const COMPUTING_IN_BULK = 1_000
/** Allows a batch to wait for the previous one. */
const BULK_DEADLINE_MS = 60_000

/** Dependencies of screening. */
export type ScreeningOptions = {
  context: Context
  store: Store
  providers: Providers
  operations: Omit<OperationsOptions, 'context' | 'reader' | 'counts'>
  /** Where served answers are counted. */
  served: Pick<CountsOptions, 'store' | 'send'>
  tuning: { lookupDeadlineMs: number; absentMs: number; computeDeadlineMs: number }
  /** Since when the data of a network is complete. @default always */
  settled?: SettledOf | undefined
  authorize: Authorize
  ring: KeyRing
  /** Whether this server accepts payments per call. @default false */
  payable?: boolean
  /** Whether no other API process shares the store: then open jobs are polled less often. @default false */
  alone?: boolean | undefined
  /** Minimum pace of clients. @default PACE */
  pace?: Pace
}

/** Jobs, their worker and their routes. Every replica accepts uploads; one replica at a time works on a job. */
export const createScreening = (options: ScreeningOptions) => {
  const { context, store, providers, operations, served, tuning, settled, authorize, ring, pace = PACE } = options
  const { clock } = context
  const counts = createCounts({ ...served, now: clock.now, maxIdle: COUNTERS, settledMs: 0 })
  const reader = createReader({
    context,
    providers,
    counts,
    compute: createCompute({
      concurrency: COMPUTING,
      maxWaiting: WAITING,
      deadlineMs: tuning.computeDeadlineMs,
    }),
    computeInBulk: createCompute({
      concurrency: COMPUTING_IN_BULK,
      maxWaiting: WAITING,
      deadlineMs: BULK_DEADLINE_MS,
    }),
    maxBytes: MEMORY_BYTES,
    maxAgeMs: MAX_AGE_MS,
    hardMaxAgeMs: MAX_AGE_MS,
    lookupConcurrency: LOOKUPS,
    maxBatch: LOOKUP_ROWS,
    lookupDeadlineMs: tuning.lookupDeadlineMs,
    absentMs: tuning.absentMs,
    maxAbsent: WAITING,
    settled,
  })
  const jobs = createJobs(store, clock.now)
  const handle = createHandle({ context, reader, counts, ...operations })
  const worker = createWorker({
    context,
    store,
    jobs,
    handle,
    callerOf: ring.callerOf,
    catchingUp: operations.catchingUp,
    alone: options.alone,
  })
  const allowance = createAllowance(operations.limits, jobs, clock.now)
  return {
    install: (app: FastifyInstance) =>
      installScreening(app, {
        context,
        authorize,
        store,
        jobs,
        allowance,
        ring,
        pace,
        payable: options.payable ?? false,
        onJob: worker.wake,
      }),
    work: worker.work,
    /** Sends served counts now. */
    flush: counts.flush,
    /** Waits until rows in progress are stored, and sends their counts. */
    close: async () => {
      await worker.idle()
      await counts.flush()
    },
  }
}
