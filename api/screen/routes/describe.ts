/** Answers about a job: progress, rate, and remaining limits of the account. */
import type { Context } from '../../../platform/context/context.ts'
import { timestampOf } from '../../../schema/records/common.ts'
import type { ScreenJob } from '../../../schema/records/service/screening.ts'
import type { Answer } from '../../answers/answer.ts'
import { type Allowed, shownLimits } from '../allowance.ts'
import type { Job, Jobs } from '../jobs.ts'

const timeOf = (ms: number): string | null => (ms > 0 ? timestampOf(ms) : null)

/** Creates answers about a job. Progress is counted from stored results with a query, so that replicas agree. */
export const createJobAnswer = (jobs: Pick<Jobs, 'outcomes'>, clock: Context['clock']) => {
  const described = async (job: Job, limits: Allowed): Promise<ScreenJob> => {
    const outcomes = await jobs.outcomes(job.upload)
    const done = [...outcomes.values()].reduce((sum, rows) => sum + rows, 0)
    const seconds = Math.max(0, (job.finished || clock.now()) - job.started) / 1_000
    const rate = job.started > 0 && done > 0 && seconds > 0 ? done / seconds : null
    const isOpen = job.state === 'waiting' || job.state === 'running'
    return {
      message: 'Success',
      id: job.id,
      operation: job.operation,
      state: job.state,
      rows: job.rows,
      done,
      statuses: Object.fromEntries([...outcomes].map(([status, rows]) => [String(status), rows])),
      malformed: job.malformed,
      distinct: job.distinct,
      lookAlikes: JSON.parse(job.look_alikes),
      rowsPerSecond: rate === null ? null : Math.round(rate * 10) / 10,
      secondsLeft: isOpen && rate !== null ? Math.ceil((job.rows - done) / rate) : null,
      createdAt: timestampOf(job.created),
      finishedAt: timeOf(job.finished),
      expiresAt: timestampOf(job.expires * 1_000),
      reason: job.reason === '' ? null : job.reason,
      limits: shownLimits(limits),
    }
  }
  return async (status: number, job: Job, limits: Allowed, headers = {}): Promise<Answer> => ({
    status,
    body: JSON.stringify(await described(job, limits)),
    outcome: 'screen',
    headers: { ...headers, location: `/screen/${job.id}` },
  })
}
/** Creates an answer about a job. */
export type JobAnswer = ReturnType<typeof createJobAnswer>
