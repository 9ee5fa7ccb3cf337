/** Streams the results of a job. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Store } from '../../../platform/store/store.ts'
import type { Answer } from '../../answers/answer.ts'
import { invalid } from '../../operations.ts'
import type { Job } from '../jobs.ts'
import { type ResultFormat, resultsOf } from '../results.ts'
import type { Slots } from '../slots.ts'
import { resultQuery } from './asked.ts'
import { DOWNLOADING, NOT_FINISHED } from './refusals.ts'

const PARQUET = 'application/vnd.apache.parquet'
const TYPES: Record<ResultFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: PARQUET,
}

/**
 * Streams results in the format of the query, else of the `Accept` header, else as NDJSON. Returns `undefined` once streaming has
 * begun, or the refusal. A failure while streaming closes the connection, because the status has already been sent.
 */
export const sendResults = async (
  store: Store,
  downloads: Slots,
  job: Job,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer | undefined> => {
  const query = resultQuery.safeParse(request.query)
  if (!query.success) return invalid(query.error.issues)
  if (job.state === 'waiting' || job.state === 'running') return NOT_FINISHED
  const { accept = '' } = request.headers
  const accepted = accept.includes(PARQUET) ? 'parquet' : accept.includes('text/csv') ? 'csv' : 'ndjson'
  const { format = accepted, from } = query.data
  // A Parquet file cannot be continued: its index is at its end.
  if (format === 'parquet' && from > 1) return invalid([{ path: ['from'], message: 'must be 1 for parquet' }])
  const end = downloads.take(job.account)
  if (!end) return DOWNLOADING
  reply.outcome = 'screen'
  reply.header('content-type', TYPES[format])
  reply.header('content-disposition', `attachment; filename="${job.id}.${format}"`)
  const results = Readable.from(resultsOf(store, job, format, from), { objectMode: false, highWaterMark: 1 })
  reply.send(results.once('close', end))
  return undefined
}
