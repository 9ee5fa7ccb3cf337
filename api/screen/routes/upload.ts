/** Streams an upload into the tables, and creates its job once it is complete. */
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
 * Creates the upload handler. The id of a job derives from the idempotency key, on every replica: repeating an upload with its key
 * returns the existing job. A refused upload leaves no rows behind.
 */
export const createUpload = (options: ScreenOptions, jobAnswer: JobAnswer) => {
  const { context, store, jobs, allowance, ring, pace, onJob } = options
  const { clock, log } = context
  const inTurn = createTurns()

  /** Removes the rows of a job that was not stored. Keeps them if the store has the job although the insert failed. */
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
      // The same bytes with another charset are another list.
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
        // Of concurrent uploads with one key the first that completes becomes the job, on whichever replica.
        // Concurrent uploads of an account share its remaining rows, so the limit is checked again, one upload at a time.
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
