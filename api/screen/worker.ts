/**
 * Works on screening jobs in turns of a few seconds, so that a small job does not wait for a large one. The position in a job is read
 * from its results, so a killed process loses only the rows in progress. If two replicas briefly hold the same job, some rows are
 * answered twice; one of the answers is kept.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { parseNetwork } from '../../schema/networks.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { CatchingUpOf } from '../answers/catching-up.ts'
import type { Caller } from '../keys/caller.ts'
import type { Handle } from '../operations.ts'
import { HOLD_MS, isHeldAt, type Job, type Jobs } from './jobs.ts'

const ROWS = readSql(import.meta.url, './sql/rows.sql')
const POSITION = readSql(import.meta.url, './sql/position.sql')

/** Pause before the next poll if no job is open, ms. A local upload ends the pause. */
const IDLE_MS = 15_000
/** The same pause if no other process shares the store, ms. */
const ALONE_MS = 600_000
/** Length of a turn, ms. */
const TURN_MS = 5_000
/** Rows per step: fewer if a step is slow, so that a killed process loses little. */
const MIN_STEP_ROWS = 50
const MAX_STEP_ROWS = 1_000
const FAST_MS = 1_000
const SLOW_MS = 5_000
/** How long rows may block the event loop at a time, ms. */
const SLICE_MS = 4
/** Transient failures: such rows are retried after increasing pauses. */
const TRANSIENT: ReadonlySet<string> = new Set(['OVERLOADED', 'DEPENDENCY_UNAVAILABLE', 'INTERNAL'])
const PAUSES_MS = [500, 2_000, 5_000]
/** How long a job waits for networks that catch up, ms since its start. After that their rows become errors. */
const CATCH_UP_WAIT_MS = 3_600_000
/** Maximum time for which a job is postponed at once, ms. */
const MAX_PAUSE_MS = HOLD_MS

const storedRow = z.object({
  row: z.number(),
  network: z.string(),
  address: z.string(),
  reference: z.string(),
  problem: z.string(),
})
/** A row of a job without an answer yet. */
export type StoredRow = z.output<typeof storedRow>

/** Dependencies of the worker. */
export type WorkerOptions = {
  context: Pick<Context, 'clock' | 'lifecycle' | 'log' | 'metrics'>
  store: Store
  jobs: Jobs
  /** Runs an operation. Calls are not counted. */
  handle: Handle
  /** The caller of an account; `undefined` if it has no valid key. */
  callerOf: (account: string) => Caller | undefined
  catchingUp: CatchingUpOf
  /** Whether no other API process shares the store. @default false */
  alone?: boolean | undefined
}

/** The 400 of a malformed row. */
const unreadable = (problem: string): Answer => {
  const [field = 'row', ...reason] = problem.split(': ')
  return errorAnswer('INVALID_REQUEST', `The row is not valid. ${problem}.`, [{ field, reason: reason.join(': ') }])
}

/** Works until the lifecycle ends. */
export const createWorker = (options: WorkerOptions) => {
  const { context, store, jobs, handle, callerOf, catchingUp, alone = false } = options
  const { clock, lifecycle, log, metrics } = context
  const { signal } = lifecycle
  const time = steadyTime(clock.now)
  const me = randomUUID()
  const done = metrics.counter('assay_screen_rows_total', 'Answered rows of screening jobs')
  let size = MIN_STEP_ROWS
  /** Answers to rows after a postponed one, by upload: kept so that they are not computed and counted twice. */
  const ahead = new Map<string, Map<number, Answer>>()

  const claim = async (id: string): Promise<Job | undefined> => {
    const job = await jobs.find(id)
    const now = clock.now()
    if (!job || (job.state !== 'waiting' && job.state !== 'running')) return undefined
    if (isHeldAt(job, now) && job.holder !== me) return undefined
    const held_until = now + HOLD_MS
    await jobs.write({ ...job, state: 'running', holder: me, held_until, moved: now, started: job.started || now })
    return mine(id)
  }
  /** The job if this replica still holds it. Another replica may have claimed it at the same time. */
  const mine = async (id: string): Promise<Job | undefined> => {
    const job = await jobs.find(id)
    return job?.state === 'running' && job.holder === me ? job : undefined
  }

  const answerOf = async (job: Job, row: StoredRow, caller: Caller): Promise<Answer> => {
    if (row.problem !== '') return unreadable(row.problem)
    const input = { network: row.network, walletAddress: row.address }
    for (const pause of PAUSES_MS) {
      const answer = await handle(job.operation, input, caller, 'enterprise')
      if (!TRANSIENT.has(answer.outcome)) return answer
      await clock.sleep(pause, signal)
    }
    return handle(job.operation, input, caller, 'enterprise')
  }

  const answerAll = async (job: Job, rows: readonly StoredRow[], caller: Caller): Promise<Answer[]> => {
    // Equal rows share an answer.
    const underWay = new Map<string, Promise<Answer>>()
    const known = ahead.get(job.upload)
    const answers: (Answer | Promise<Answer>)[] = []
    let begun = performance.now()
    for (const row of rows) {
      const earlier = known?.get(row.row)
      if (earlier) {
        answers.push(earlier)
        continue
      }
      const key = `${row.network} ${row.address} ${row.problem}`
      const answer = underWay.get(key) ?? answerOf(job, row, caller)
      underWay.set(key, answer)
      answers.push(answer)
      if (performance.now() - begun > SLICE_MS) {
        await setImmediate()
        begun = performance.now()
      }
    }
    return Promise.all(answers)
  }

  /** Seconds until a row's network may have caught up; `undefined` if the row can be answered now. */
  const pauseOf = ({ network: spelling, problem }: StoredRow): number | undefined => {
    const network = problem === '' ? parseNetwork(spelling) : undefined
    return network && catchingUp(network)?.retryAfterSeconds
  }

  const postpone = async (job: Job, pauseSeconds: number): Promise<0> => {
    const now = clock.now()
    const held_until = now + Math.min(MAX_PAUSE_MS, pauseSeconds * 1_000)
    await jobs.write({ ...job, state: 'waiting', holder: '', held_until, moved: now })
    return 0
  }

  /**
   * Answers rows in order. While the job may wait for networks, a row whose network catches up ends the step; if it is the first
   * row, the job is postponed.
   * @returns the next row; 0 if there is nothing to do now
   */
  const step = async (job: Job, from: number): Promise<number> => {
    const caller = callerOf(job.account)
    if (!caller) {
      ahead.delete(job.upload)
      await jobs.write({ ...job, state: 'stopped', holder: '', finished: clock.now(), reason: 'KEY_NOT_IN_FORCE' })
      return 0
    }
    const begun = time()
    const parameters = { upload: job.upload, from, limit: size }
    const asked = z.array(storedRow).parse(await store.query(ROWS, parameters, { route: 'screen_rows' }))
    const mayWait = clock.now() < job.started + CATCH_UP_WAIT_MS && !caller.test
    const late = mayWait ? asked.findIndex((row) => pauseOf(row) !== undefined) : -1
    const rows = late < 0 ? asked : asked.slice(0, late)
    const all = await answerAll(job, rows, caller)
    // A network may fall behind while rows are answered.
    const refused = mayWait ? all.findIndex(({ outcome }) => outcome === 'CATCHING_UP') : -1
    const answers = refused < 0 ? all : all.slice(0, refused)
    const kept = all.flatMap((answer, index): [number, Answer][] =>
      index > answers.length && answer.outcome !== 'CATCHING_UP' ? [[from + index, answer]] : [],
    )
    if (answers.length > 0) {
      const lines = answers.map(({ status, body }, index) =>
        JSON.stringify({ upload: job.upload, row: rows[index]?.row, status, body, expires: job.expires }),
      )
      await store.insert('screen_results', `${lines.join('\n')}\n`, {
        token: `screen_results:${job.upload}:${from}:${answers.length}`,
      })
      done.inc(answers.length)
    }
    if (kept.length > 0) ahead.set(job.upload, new Map(kept))
    else ahead.delete(job.upload)
    const [first] = asked
    if (answers.length === 0 && first) return postpone(job, pauseOf(first) ?? 1)
    const next = from + answers.length
    if (next > job.rows || answers.length === 0) {
      await jobs.write({ ...job, state: 'finished', holder: '', finished: clock.now() })
      return 0
    }
    const took = time() - begun
    if (took < FAST_MS) size = Math.min(MAX_STEP_ROWS, size * 2)
    else if (took > SLOW_MS) size = Math.max(MIN_STEP_ROWS, Math.floor(size / 2))
    return next
  }

  const release = async (id: string) => {
    const job = await mine(id)
    if (job) await jobs.write({ ...job, state: 'waiting', holder: '', held_until: 0, moved: clock.now() })
  }

  const turn = async (id: string): Promise<void> => {
    const claimed = await claim(id)
    if (!claimed) return
    try {
      const end = time() + TURN_MS
      const [position] = await store.query<{ done: number }>(
        POSITION,
        { upload: claimed.upload },
        { route: 'screen_position' },
      )
      let next = (position?.done ?? 0) + 1
      let job: Job | undefined = claimed
      while (job && next > 0 && time() < end && !signal.aborted) {
        next = await step(job, next)
        job = await mine(id)
      }
      // The job was deleted meanwhile: removes what was inserted after that.
      if (!job && !(await jobs.find(id))) {
        ahead.delete(claimed.upload)
        await jobs.clear(claimed.upload)
      }
    } finally {
      await release(id)
    }
  }

  let nextLook = 0
  const workOnAll = async (): Promise<void> => {
    if (time() < nextLook) return
    nextLook = time() + IDLE_MS
    const open = await jobs.open()
    if (alone && open.length === 0 && nextLook > 0) nextLook = time() + ALONE_MS
    for (const id of open) {
      nextLook = 0
      if (signal.aborted) return
      await turn(id).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ job: id, err }, 'failed to work on a screening job')
      })
    }
  }

  let working = Promise.resolve()
  return {
    /** Works one turn on each open job. Rounds do not overlap. */
    work: (): Promise<void> => {
      const round = working.then(workOnAll)
      working = round.catch(() => undefined)
      return round
    },
    /** Makes the next round poll for jobs. Call after a new job. */
    wake: (): void => {
      nextLook = 0
    },
    /** Resolves when the rows in progress are stored. */
    idle: (): Promise<void> => working,
  }
}
