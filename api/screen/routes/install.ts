/** Routes of screening jobs: upload, quote, progress, results, removal. Enterprise surface only. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timestampOf } from '../../../schema/records/common.ts'
import type { Answer } from '../../answers/answer.ts'
import { allowSlowBody } from '../../http/edge/slow-uploads.ts'
import type { Caller } from '../../keys/caller.ts'
import { shownLimits } from '../allowance.ts'
import type { Job } from '../jobs.ts'
import { MAX_QUOTE_BYTES } from '../quote.ts'
import { createSlots } from '../slots.ts'
import { MAX_BYTES } from '../upload.ts'
import { LIST_TYPES } from './asked.ts'
import { createJobAnswer } from './describe.ts'
import { endBody } from './discard.ts'
import { createQuote } from './quote.ts'
import { UNKNOWN } from './refusals.ts'
import { sendResults } from './results.ts'
import { createServe, type ScreenOptions } from './serve.ts'
import { createUpload } from './upload.ts'

/** Jobs in a list, the newest ones. */
const MAX_LISTED = 100
/** Concurrent downloads per account. */
const MAX_DOWNLOADS = 2

type JobWork = (job: Job, request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<Answer | undefined>

/** Adds `/screen` and its sub-routes. Handlers get bodies as streams. A job is visible to its account only. */
export const installScreening = (app: FastifyInstance, options: ScreenOptions): void => {
  const { context, store, jobs, allowance, ring } = options
  const jobAnswer = createJobAnswer(jobs, context.clock)
  const upload = createUpload(options, jobAnswer)
  const quote = createQuote(options)
  const { route, serve } = createServe(options)
  const downloads = createSlots({ ofAccount: MAX_DOWNLOADS })

  const ofJob = (work: JobWork) =>
    serve(async (request, reply, caller) => {
      const { id } = request.params as { id: string }
      const job = await jobs.find(id.slice(0, 64))
      return job?.account === ring.accountOf(caller.id) ? work(job, request, reply, caller) : UNKNOWN
    })
  const withLimits = async (job: Job, caller: Caller) => jobAnswer(200, job, await allowance.of(job.account, caller))

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(LIST_TYPES, (_request, payload, done) => done(null, payload))

    scope.post(
      '/screen',
      { ...route, bodyLimit: MAX_BYTES },
      serve(async (request, reply, caller) => {
        const end = allowSlowBody(request)
        try {
          return await endBody(request, reply, await upload(request, caller))
        } finally {
          end()
        }
      }),
    )
    scope.post(
      '/screen/quote',
      { ...route, bodyLimit: MAX_QUOTE_BYTES },
      serve(async (request, reply, caller) => endBody(request, reply, await quote(request, caller))),
    )
    scope.get(
      '/screen',
      route,
      serve(async (_request, _reply, caller) => {
        const account = ring.accountOf(caller.id)
        const [limits, listed] = await Promise.all([allowance.of(account, caller), jobs.list(account, MAX_LISTED)])
        const shown = listed.map(({ created, ...job }) => ({ ...job, createdAt: timestampOf(created) }))
        const body = { message: 'Success', limits: shownLimits(limits), jobs: shown }
        return { status: 200, body: JSON.stringify(body), outcome: 'screen' }
      }),
    )
    scope.get(
      '/screen/:id',
      route,
      ofJob((job, _request, _reply, caller) => withLimits(job, caller)),
    )
    scope.get(
      '/screen/:id/result',
      route,
      ofJob((job, request, reply) => sendResults(store, downloads, job, request, reply)),
    )
    scope.delete(
      '/screen/:id',
      route,
      ofJob(async (job, _request, _reply, caller) => {
        const deleted: Job = { ...job, state: 'deleted', holder: '', finished: job.finished || context.clock.now() }
        await jobs.write(deleted)
        await jobs.clear(job.upload)
        return withLimits(deleted, caller)
      }),
    )
  })
}
