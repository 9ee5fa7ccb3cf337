/** Parameters of screening requests: query, headers, and the format of the list. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { networksOf, type Operation, parseNetwork } from '../../../schema/networks.ts'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import type { Answer } from '../../answers/answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { operationRefused } from '../../keys/restrictions.ts'
import { charsetOf } from '../encoding.ts'
import { RESULT_FORMATS } from '../results.ts'
import type { UploadFormat } from '../rows.ts'
import { ENCODED, NO_CHARSET, NO_FORMAT } from './refusals.ts'

const FORMATS: Record<string, UploadFormat> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' }
/** Accepted content types of lists. Other bodies do not reach the handlers. */
export const LIST_TYPES = Object.keys(FORMATS)

/** Query of an upload and of a quote. `network` applies to rows without one; empty if every row must name its own. */
export const listQuery = z
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

/** Headers of an upload. With `x-assay-rows` an upload that exceeds the limit is refused before it is read. */
export const uploadHeaders = z.object({
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

/** Further query of a quote: lines of the whole list, if only its beginning is sent. */
export const quoteQuery = z.object({
  lines: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number of lines')
    .transform(Number)
    .optional(),
})

/** Query of results. `from` is the first row to return, from 1, to continue an interrupted download. */
export const resultQuery = z.object({
  format: z.enum(RESULT_FORMATS, `must be one of ${RESULT_FORMATS.join(', ')}`).optional(),
  from: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a row')
    .transform(Number)
    .default(1),
})

const formatOf = ({ headers }: FastifyRequest): UploadFormat | undefined =>
  FORMATS[(headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '']

/** `null` for an unknown charset. */
const readCharset = ({ headers }: FastifyRequest): string | undefined | null => {
  try {
    return charsetOf(headers['content-type'] ?? '')
  } catch {
    return null
  }
}

/** Format and charset of the list, or the refusal. Does not read the body. */
export const readingOf = (
  request: FastifyRequest,
  caller: Caller,
  operation: Operation,
): { format: UploadFormat; charset: string | undefined } | { refused: Answer } => {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return { refused: ENCODED }
  const format = formatOf(request)
  if (!format) return { refused: NO_FORMAT }
  const charset = readCharset(request)
  if (charset === null) return { refused: NO_CHARSET }
  const refused = operationRefused(caller, operation)
  return refused ? { refused } : { format, charset }
}
