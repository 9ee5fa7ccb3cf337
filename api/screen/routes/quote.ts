/** The quote route. Nothing is stored, and no rows of the limit are used. */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Answer } from '../../answers/answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { invalid } from '../../operations.ts'
import { quoteOf } from '../quote.ts'
import { UploadRefused } from '../refused.ts'
import { listQuery, quoteQuery, readingOf } from './asked.ts'
import { LONG_BEGINNING, refusalOf } from './refusals.ts'
import type { ScreenOptions } from './serve.ts'

/** Creates the handler. A list that exceeds the limits gets a quote with the reason why its upload would be refused. */
export const createQuote =
  ({ allowance, ring, payable, pace }: Pick<ScreenOptions, 'allowance' | 'ring' | 'payable' | 'pace'>) =>
  async (request: FastifyRequest, caller: Caller): Promise<Answer> => {
    const [query, more] = [listQuery.safeParse(request.query), quoteQuery.safeParse(request.query)]
    if (!query.success) return invalid(query.error.issues)
    if (!more.success) return invalid(more.error.issues)
    const reading = readingOf(request, caller, query.data.operation)
    if ('refused' in reading) return reading.refused
    const limits = await allowance.of(ring.accountOf(caller.id), caller)
    try {
      const body = request.body as Readable
      const { lines } = more.data
      const quoted = await quoteOf({ body, ...reading, ...query.data, lines, limits, payable, pace })
      return { status: 200, body: JSON.stringify(quoted), outcome: 'screen' }
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error
      return error.kind === 'too-large' ? LONG_BEGINNING : refusalOf(error.kind, limits)
    }
  }
