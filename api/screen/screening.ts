/**
 * Screening put together. Jobs have a reader of their own, with little memory and its own queue of computations: a million rows neither
 * push the records that callers ask about out of memory nor make callers wait behind them.
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

/** Records that rows of one piece share. */
const MEMORY_BYTES = 16 * 1024 * 1024
/**
 * Counters kept after they were sent. The count that an address comes with may lack those of the last seconds when a job asks for it twice;
 * none is lost.
 */
const COUNTERS = 2_000
const MAX_AGE_MS = 5_000
/** Look-ups at a time, and rows of one. */
const LOOKUPS = 2
const LOOKUP_ROWS = 500
/** Computations at a time, and more waiting than a piece has rows. */
const COMPUTING = 2
const WAITING = 10_000
/** Rows of a piece whose records are computed together. */
const COMPUTING_IN_BULK = 1_000
/** A batch of them may wait for the one before. */
const BULK_DEADLINE_MS = 60_000

/** What screening needs of the API. */
export type ScreeningOptions = {
  context: Context
  store: Store
  providers: Providers
  operations: Omit<OperationsOptions, 'context' | 'reader' | 'counts'>
  /** Where answers about addresses are counted. */
  served: Pick<CountsOptions, 'store' | 'send'>
  tuning: { lookupDeadlineMs: number; absentMs: number; computeDeadlineMs: number }
  /** Since when networks can be relied on; always when not given. */
  settled?: SettledOf | undefined
  authorize: Authorize
  ring: KeyRing
  /** Whether agents may pay for calls here. @default false */
  payable?: boolean
  /** Whether no other process answers over this store: jobs are not looked for then. @default false */
  alone?: boolean | undefined
  /** How slow a client may be. @default PACE */
  pace?: Pace
}

/** Jobs, their worker and their routes. It answers uploads on every replica; one replica works on a job at a time. */
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
    /** Sends what was counted now. */
    flush: counts.flush,
    /** Stores the rows in hand and sends what they counted. */
    close: async () => {
      await worker.idle()
      await counts.flush()
    },
  }
}
