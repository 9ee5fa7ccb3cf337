/** Screening jobs over HTTP: upload, progress, results, removal. Enterprise surface only. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../platform/context/context.ts'
import type { Store } from '../../platform/store/store.ts'
import { networksOf, parseNetwork } from '../../schema/networks.ts'
import { timestampOf } from '../../schema/records/common.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import type { ScreenJob } from '../../schema/records/service/screening.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Authorize } from '../http/authorize.ts'
import { allowSlowBody } from '../http/edge/slow-uploads.ts'
import { sendAnswer } from '../http/errors.ts'
import { requireKey } from '../http/routes.ts'
import type { Caller } from '../keys/caller.ts'
import { operationRefused } from '../keys/restrictions.ts'
import type { KeyRing } from '../keys/ring.ts'
import { failed, invalid } from '../operations.ts'
import { createTurns } from '../turns.ts'
import type { Allowance, Allowed } from './allowance.ts'
import { charsetOf } from './encoding.ts'
import { type Job, type Jobs, jobIdOf, KEPT_MS } from './jobs.ts'
import { MAX_QUOTE_BYTES, quoteOf } from './quote.ts'
import { UploadRefused } from './refused.ts'
import { RESULT_FORMATS, type ResultFormat, resultsOf } from './results.ts'
import type { UploadFormat } from './rows.ts'
import { fingerprintOf, MAX_BYTES, MAX_ROWS, type Pace, takeUpload } from './upload.ts'

const PARQUET = 'application/vnd.apache.parquet'
const FORMATS: Record<string, UploadFormat> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' }
const TYPES: Record<ResultFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: PARQUET,
}
/** Of a refused upload so much is read on, so that its sender gets to read the answer. */
const DISCARD = { bytes: 4 * 1024 * 1024, ms: 2_000 }
const LISTED = 100

const uploadQuery = z
  .object({
    operation: z
      .enum(
        Object.keys(OPERATIONS) as [keyof typeof OPERATIONS],
        `must be one of ${Object.keys(OPERATIONS).join(', ')}`,
      )
      .default('fraud_check'),
    network: z.string().default(''),
  })
  .transform(({ operation, network: name }, context) => {
    if (name === '') return { operation, network: name }
    const networks = networksOf(operation)
    const network = parseNetwork(name)
    if (network && networks.includes(network)) return { operation, network }
    const message = `must be one of ${networks.join(', ')}`
    context.issues.push({ code: 'custom', path: ['network'], message, input: name })
    return z.NEVER
  })
const uploadHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional(),
  'x-assay-rows': z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number of rows')
    .transform(Number)
    .optional(),
})
const quoteQuery = z.object({
  lines: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number of lines')
    .transform(Number)
    .optional(),
})
const resultQuery = z.object({
  format: z.enum(RESULT_FORMATS, `must be one of ${RESULT_FORMATS.join(', ')}`).optional(),
  from: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a row')
    .transform(Number)
    .default(1),
})

/** What the routes of jobs need of the API. */
export type ScreenOptions = {
  context: Pick<Context, 'clock' | 'log'>
  authorize: Authorize
  store: Store
  jobs: Jobs
  allowance: Allowance
  ring: Pick<KeyRing, 'accountOf'>
  pace: Pace
  /** Whether agents may pay for calls here. */
  payable: boolean
  /** Told of each new job. */
  onJob: () => void
}

const UNKNOWN = errorAnswer('NOT_FOUND', 'You have no screening job of this id.')
const BUSY = errorAnswer('OVERLOADED', 'Too many uploads are coming in. Try again shortly.', [], { 'retry-after': '5' })
const ENCODED = errorAnswer('UNSUPPORTED_CONTENT_TYPE', 'An upload must not be compressed.', [
  { field: 'content-encoding', reason: 'must be identity or left out' },
])

const LONG_BEGINNING = errorAnswer(
  'BODY_TOO_LARGE',
  'Send the first megabyte of the list, and how many lines it has.',
  [{ field: 'body', reason: 'must not be larger than 1 MB' }],
)
const NO_FORMAT = invalid([{ path: ['content-type'], message: 'must be text/csv or application/x-ndjson' }])
const NO_CHARSET = invalid([
  { path: ['content-type'], message: 'must have a charset such as utf-8, utf-16le or windows-1252' },
])

/** Answers to uploads that are refused. `limits` when it began. */
const refusalOf = (kind: UploadRefused['kind'], limits: Allowed): Answer => {
  switch (kind) {
    case 'no-rows-left':
      return errorAnswer(
        'RATE_LIMITED',
        `The upload has more rows than your key has left: ${limits.left} of ${limits.rowsPerDay} in 24 hours.`,
        [{ field: 'body', reason: `must not have more than ${limits.left} rows now` }],
        { 'retry-after': String(limits.retryAfter) },
      )
    case 'too-many-rows':
      return invalid([{ path: ['body'], message: `must not have more than ${MAX_ROWS} rows` }])
    case 'not-text':
      return errorAnswer(
        'UNSUPPORTED_CONTENT_TYPE',
        'The upload is no text that can be read. Send UTF-8, or name its charset in the content type. Spreadsheets and compressed files are not read.',
        [{ field: 'body', reason: 'must be text in UTF-8, or in the charset of the content type' }],
      )
    case 'empty':
      return invalid([{ path: ['body'], message: 'must have a row' }])
    case 'too-large':
      return errorAnswer('BODY_TOO_LARGE', 'The upload is too large: 256 MB may be sent.', [
        { field: 'body', reason: 'is too large' },
      ])
    case 'too-slow':
    case 'broken-off':
      return invalid([{ path: ['body'], message: 'came too slowly, or broke off' }])
  }
}

/** `null` for one that cannot be read. */
const readCharset = ({ headers }: FastifyRequest): string | undefined | null => {
  try {
    return charsetOf(headers['content-type'] ?? '')
  } catch {
    return null
  }
}

const formatOf = ({ headers }: FastifyRequest): UploadFormat | undefined =>
  FORMATS[(headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '']

const discard = (body: Readable): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    const timer = setTimeout(() => end(), DISCARD.ms)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > DISCARD.bytes) end()
    }
    const end = () => {
      clearTimeout(timer)
      body.off('data', count).off('end', end).off('close', end).off('error', end).pause()
      resolve()
    }
    if (body.readableEnded || body.destroyed) end()
    else body.on('end', end).on('close', end).on('error', end).on('data', count)
  })

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
const limitsOf = ({ rowsPerDay, left }: Allowed) => ({ rowsPerDay: finite(rowsPerDay), left: finite(left) })
const timeOf = (ms: number): string | null => (ms > 0 ? timestampOf(ms) : null)

/** Adds `/screen` and what is below it. An upload is read as it comes, and starts its job when it is whole. */
export const installScreening = (app: FastifyInstance, options: ScreenOptions): void => {
  const { context, authorize, store, jobs, allowance, ring, pace, payable, onJob } = options
  const { clock } = context
  const inTurn = createTurns()

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
      limits: limitsOf(limits),
    }
  }
  const jobAnswer = async (status: number, job: Job, limits: Allowed, headers = {}): Promise<Answer> => ({
    status,
    body: JSON.stringify(await described(job, limits)),
    outcome: 'screen',
    headers: { ...headers, location: `/screen/${job.id}` },
  })

  const upload = async (request: FastifyRequest, caller: Caller): Promise<Answer> => {
    const query = uploadQuery.safeParse(request.query)
    if (!query.success) return invalid(query.error.issues)
    const headers = uploadHeaders.safeParse(request.headers)
    if (!headers.success) return invalid(headers.error.issues)
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return ENCODED
    const format = formatOf(request)
    const { operation, network } = query.data
    if (!format) return NO_FORMAT
    const charset = readCharset(request)
    if (charset === null) return NO_CHARSET
    const refused = operationRefused(caller, operation)
    if (refused) return refused
    const { 'idempotency-key': idempotencyKey, 'x-assay-rows': announced } = headers.data
    const account = ring.accountOf(caller.id)
    const place = allowance.begin(account)
    if (!place) return BUSY
    try {
      const id = jobIdOf(account, idempotencyKey)
      // The same bytes in another charset are another list.
      const asked = JSON.stringify([operation, network, format, ...(charset === undefined ? [] : [charset])])
      const body = request.body as Readable
      const replay = async (job: Job, fingerprint: string): Promise<Answer> =>
        job.state !== 'deleted' && job.fingerprint === fingerprint
          ? jobAnswer(200, job, await allowance.of(account, caller), { 'idempotent-replayed': 'true' })
          : errorAnswer(
              'IDEMPOTENCY_CONFLICT',
              'This idempotency key belongs to another upload, or to a job that was deleted. Choose a new one.',
              [{ field: 'idempotency-key', reason: 'belongs to another upload' }],
            )
      const known = idempotencyKey === undefined ? undefined : await jobs.findAny(id)
      const limits = await allowance.of(account, caller)
      try {
        if (known) return await replay(known, await fingerprintOf({ body, asked, pace }))
        if (limits.left < (announced ?? 1)) return refusalOf('no-rows-left', limits)
        if (limits.full) {
          return errorAnswer('RATE_LIMITED', 'Twenty of your screening jobs are not done yet.', [], {
            'retry-after': '60',
          })
        }
        const created = clock.now()
        const expires = Math.floor((created + KEPT_MS) / 1_000)
        const taken = await takeUpload(store, {
          body,
          format,
          charset,
          network,
          asked,
          rowsLeft: limits.left,
          onRows: place.add,
          expires,
          pace,
          clear: (upload) => jobs.clear(upload),
        })
        const job: Job = {
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
          moved: clock.now(),
          created: clock.now(),
          started: 0,
          finished: 0,
          reason: '',
          expires,
        }
        // Sent twice at the same time: the first one that was complete is the job, whichever replica took it.
        const other = await inTurn(id, async () => {
          const earlier = idempotencyKey === undefined ? undefined : await jobs.findAny(id)
          if (earlier) return earlier
          await jobs.begin(job)
          const written = idempotencyKey === undefined ? job : await jobs.findAny(id)
          return written?.upload === taken.upload ? undefined : written
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
      place.end()
    }
  }

  const quote = async (request: FastifyRequest, caller: Caller): Promise<Answer> => {
    const [query, more] = [uploadQuery.safeParse(request.query), quoteQuery.safeParse(request.query)]
    if (!query.success) return invalid(query.error.issues)
    if (!more.success) return invalid(more.error.issues)
    const format = formatOf(request)
    if (!format) return NO_FORMAT
    const charset = readCharset(request)
    if (charset === null) return NO_CHARSET
    const refused = operationRefused(caller, query.data.operation)
    if (refused) return refused
    const limits = await allowance.of(ring.accountOf(caller.id), caller)
    try {
      const { lines } = more.data
      const quoted = await quoteOf({
        body: request.body as Readable,
        format,
        charset,
        ...query.data,
        lines,
        limits,
        payable,
        pace,
      })
      return { status: 200, body: JSON.stringify(quoted), outcome: 'screen' }
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error
      return error.kind === 'too-large' ? LONG_BEGINNING : refusalOf(error.kind, limits)
    }
  }

  const own = async (id: string, caller: Caller): Promise<Job | undefined> => {
    const job = await jobs.find(id.slice(0, 64))
    return job?.account === ring.accountOf(caller.id) ? job : undefined
  }

  const results = async (request: FastifyRequest, reply: FastifyReply, job: Job): Promise<Answer | undefined> => {
    const query = resultQuery.safeParse(request.query)
    if (!query.success) return invalid(query.error.issues)
    if (job.state === 'waiting' || job.state === 'running') {
      return errorAnswer('NOT_FINISHED', 'The screening job is not finished yet.', [], { 'retry-after': '5' })
    }
    const { accept = '' } = request.headers
    const accepted = accept.includes(PARQUET) ? 'parquet' : accept.includes('text/csv') ? 'csv' : 'ndjson'
    const { format = accepted, from } = query.data
    // Its end says where its parts are: there is no half of such a file.
    if (format === 'parquet' && from > 1) return invalid([{ path: ['from'], message: 'must be 1 for parquet' }])
    reply.outcome = 'screen'
    reply.header('content-type', TYPES[format])
    reply.header('content-disposition', `attachment; filename="${job.id}.${format}"`)
    reply.send(Readable.from(resultsOf(store, job, format, from), { objectMode: false, highWaterMark: 1 }))
    return undefined
  }

  const callerOf = ({ caller }: FastifyRequest): Caller => {
    if (!caller) throw new TypeError('a request without caller reached a handler')
    return caller
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(Object.keys(FORMATS), (_request, payload, done) => done(null, payload))
    const route = { onRequest: requireKey(authorize), config: { operation: 'screen' as const } }
    const serve =
      (work: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<Answer | undefined>) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        const answer = await work(request, reply, callerOf(request)).catch((error) => failed(context, 'screen', error))
        return answer ? sendAnswer(reply, answer) : reply
      }
    const ofJob = (work: (job: Job, request: FastifyRequest, reply: FastifyReply) => Promise<Answer | undefined>) =>
      serve(async (request, reply, caller) => {
        const { id } = request.params as { id: string }
        const job = await own(id, caller)
        return job ? work(job, request, reply) : UNKNOWN
      })

    scope.post(
      '/screen',
      { ...route, bodyLimit: MAX_BYTES },
      serve(async (request, reply, caller) => {
        const end = allowSlowBody(request)
        try {
          const answer = await upload(request, caller)
          if (answer.status >= 400) {
            await discard(request.raw)
            // What is still to come is not read.
            if (!request.raw.complete) reply.header('connection', 'close')
          }
          return answer
        } finally {
          end()
        }
      }),
    )
    scope.post(
      '/screen/quote',
      { ...route, bodyLimit: MAX_QUOTE_BYTES },
      serve(async (request, reply, caller) => {
        const answer = await quote(request, caller)
        if (answer.status >= 400) {
          await discard(request.raw)
          if (!request.raw.complete) reply.header('connection', 'close')
        }
        return answer
      }),
    )
    scope.get(
      '/screen',
      route,
      serve(async (_request, _reply, caller) => {
        const { listed, ...limits } = await allowance.of(ring.accountOf(caller.id), caller)
        const shown = listed
          .filter(({ state }) => state !== 'deleted')
          .slice(0, LISTED)
          .map(({ created, ...job }) => ({ ...job, createdAt: timestampOf(created) }))
        const body = { message: 'Success', limits: limitsOf(limits), jobs: shown }
        return { status: 200, body: JSON.stringify(body), outcome: 'screen' }
      }),
    )
    const withLimits = async (job: Job, request: FastifyRequest) =>
      jobAnswer(200, job, await allowance.of(job.account, callerOf(request)))
    scope.get('/screen/:id', route, ofJob(withLimits))
    scope.get(
      '/screen/:id/result',
      route,
      ofJob((job, request, reply) => results(request, reply, job)),
    )
    scope.delete(
      '/screen/:id',
      route,
      ofJob(async (job, request) => {
        const deleted: Job = { ...job, state: 'deleted', holder: '', finished: job.finished || clock.now() }
        await jobs.write(deleted)
        await jobs.clear(job.upload)
        return withLimits(deleted, request)
      }),
    )
  })
}
