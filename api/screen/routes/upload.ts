/** Takes an upload as it comes, and starts its job when it is whole. */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../../schema/networks.ts'
import type { Answer } from '../../answers/answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { invalid } from '../../operations.ts'
import { createTurns } from '../../turns.ts'
import { type Job, jobIdOf, KEPT_MS } from '../jobs.ts'
import { UploadRefused } from '../refused.ts'
import { fingerprintOf, takeUpload, type Uploaded } from '../upload.ts'
import { listQuery, readingOf, uploadHeaders } from './asked.ts'
import type { JobAnswer } from './describe.ts'
import { BUSY, KEY_TAKEN, refusalOf, TOO_MANY_JOBS } from './refusals.ts'
import type { ScreenOptions } from './serve.ts'

type Begun = { id: string; account: string; operation: Operation; now: number; expires: number }

const jobOf = ({ id, account, operation, now, expires }: Begun, taken: Uploaded): Job => ({
  id,
  account,
  operation,
  state: 'waiting',
  upload: taken.upload,
  rows: taken.rows,
  malformed: taken.malformed,
  distinct: taken.distinct,
  look_alikes: JSON.stringify(taken.lookAlikes),
  fingerprint: taken.fingerprint,
  holder: '',
  held_until: 0,
  moved: now,
  created: now,
  started: 0,
  finished: 0,
  reason: '',
  expires,
})

/**
 * Makes the handler of uploads. One that is sent twice is one job: a key of idempotency gives the id of the job, whichever replica gets
 * it, and the same upload under the same key is answered with the job as it is by then. What was refused leaves no rows behind.
 */
export const createUpload = (options: ScreenOptions, jobAnswer: JobAnswer) => {
  const { context, store, jobs, allowance, ring, pace, onJob } = options
  const { clock, log } = context
  const inTurn = createTurns()

  /** Removes the rows of a job that was not stored. The store may have kept it without an answer: then it needs them. */
  const discardRows = async ({ id, upload }: Job): Promise<void> => {
    const stored = await jobs.findAny(id)
    if (stored?.upload !== upload) await jobs.clear(upload)
  }

  return async (request: FastifyRequest, caller: Caller): Promise<Answer> => {
    const query = listQuery.safeParse(request.query)
    if (!query.success) return invalid(query.error.issues)
    const headers = uploadHeaders.safeParse(request.headers)
    if (!headers.success) return invalid(headers.error.issues)
    const { operation, network } = query.data
    const reading = readingOf(request, caller, operation)
    if ('refused' in reading) return reading.refused
    const { format, charset } = reading
    const { 'idempotency-key': idempotencyKey, 'x-assay-rows': announced } = headers.data
    const account = ring.accountOf(caller.id)
    const end = allowance.begin(account)
    if (!end) return BUSY
    try {
      const id = jobIdOf(account, idempotencyKey)
      // The same bytes in another charset are another list.
      const asked = JSON.stringify([operation, network, format, ...(charset === undefined ? [] : [charset])])
      const body = request.body as Readable
      const replay = async (job: Job, fingerprint: string): Promise<Answer> =>
        job.state !== 'deleted' && job.fingerprint === fingerprint
          ? jobAnswer(200, job, await allowance.of(account, caller), { 'idempotent-replayed': 'true' })
          : KEY_TAKEN
      const known = idempotencyKey === undefined ? undefined : await jobs.findAny(id)
      let limits = await allowance.of(account, caller)
      try {
        if (known) return await replay(known, await fingerprintOf({ body, asked, pace }))
        if (limits.left < (announced ?? 1)) return refusalOf('no-rows-left', limits)
        if (limits.full) return TOO_MANY_JOBS
        const expires = Math.floor((clock.now() + KEPT_MS) / 1_000)
        const taken = await takeUpload(store, {
          body,
          format,
          charset,
          network,
          asked,
          rowsLeft: limits.left,
          expires,
          pace,
          clear: (upload) => jobs.clear(upload),
        })
        const job = jobOf({ id, account, operation, now: clock.now(), expires }, taken)
        // Sent twice at the same time: the first one that was complete is the job, whichever replica took it.
        // Lists that come in beside each other each have all the rows that were left: they are the first one's.
        const other = await inTurn(account, async () => {
          const earlier = idempotencyKey === undefined ? undefined : await jobs.findAny(id)
          if (earlier) return earlier
          limits = await allowance.of(account, caller)
          if (limits.left < job.rows) throw new UploadRefused('no-rows-left')
          await jobs.begin(job)
          const written = idempotencyKey === undefined ? job : await jobs.findAny(id)
          return written?.upload === taken.upload ? undefined : written
        }).catch(async (error: unknown) => {
          await discardRows(job).catch((err: unknown) =>
            log.warn({ job: id, err }, 'failed to remove rows of an upload'),
          )
          throw error
        })
        if (other) {
          await jobs.clear(taken.upload)
          return await replay(other, taken.fingerprint)
        }
        onJob()
        return await jobAnswer(202, job, { ...limits, left: limits.left - job.rows })
      } catch (error) {
        if (error instanceof UploadRefused) return refusalOf(error.kind, limits)
        throw error
      }
    } finally {
      end()
    }
  }
}
