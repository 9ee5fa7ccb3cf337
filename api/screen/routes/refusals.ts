/** Refusals of screening requests. */
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import { invalid } from '../../operations.ts'
import type { Allowed } from '../allowance.ts'
import type { UploadRefused } from '../refused.ts'
import { MAX_ROWS } from '../upload.ts'

/** Also for a job of another account, so that nobody learns which ids exist. */
export const UNKNOWN = errorAnswer('NOT_FOUND', 'Your key has no screening job with this id.')
/** All upload slots of the account or of this replica are taken. */
export const BUSY = errorAnswer('OVERLOADED', 'Too many uploads are in progress. Try again shortly.', [], {
  'retry-after': '5',
})
/** All download slots of the account are taken. */
export const DOWNLOADING = errorAnswer(
  'OVERLOADED',
  'Two downloads of your key are already in progress. Try again when one has finished.',
  [],
  {
    'retry-after': '5',
  },
)
/** Compressed uploads are not supported. */
export const ENCODED = errorAnswer('UNSUPPORTED_CONTENT_TYPE', 'An upload must not be compressed.', [
  { field: 'content-encoding', reason: 'must be identity or absent' },
])
/** A quote reads only the beginning of a list. */
export const LONG_BEGINNING = errorAnswer(
  'BODY_TOO_LARGE',
  'A quote takes the first megabyte of a list. Send the number of its lines as the parameter lines.',
  [{ field: 'body', reason: 'must not be larger than 1 MB' }],
)
/** The format is not detected from the bytes. */
export const NO_FORMAT = invalid([{ path: ['content-type'], message: 'must be text/csv or application/x-ndjson' }])
/** The runtime cannot decode the charset. */
export const NO_CHARSET = invalid([
  { path: ['content-type'], message: 'must have a charset such as utf-8, utf-16le or windows-1252' },
])
/** The account has the maximum number of open jobs. */
export const TOO_MANY_JOBS = errorAnswer(
  'RATE_LIMITED',
  'Your key has 20 open screening jobs. Wait until one finishes.',
  [],
  {
    'retry-after': '60',
  },
)
/** An idempotency key belongs to one upload until its job expires, even if the job was deleted. */
export const KEY_TAKEN = errorAnswer(
  'IDEMPOTENCY_CONFLICT',
  'This idempotency key belongs to another upload, or to a job that was deleted. Use a new one.',
  [{ field: 'idempotency-key', reason: 'belongs to another upload' }],
)
/** Results are served only after the job has ended, when they no longer change. */
export const NOT_FINISHED = errorAnswer('NOT_FINISHED', 'The screening job is not finished yet.', [], {
  'retry-after': '5',
})

/** The refusal of an upload. @param limits remaining limits without this upload */
export const refusalOf = (kind: UploadRefused['kind'], limits: Allowed): Answer => {
  switch (kind) {
    case 'no-rows-left':
      return errorAnswer(
        'RATE_LIMITED',
        `The upload exceeds the remaining rows of your key: ${limits.left} of ${limits.rowsPerDay} per 24 hours.`,
        [{ field: 'body', reason: `must not have more than ${limits.left} rows now` }],
        { 'retry-after': String(limits.retryAfter) },
      )
    case 'too-many-rows':
      return invalid([{ path: ['body'], message: `must not have more than ${MAX_ROWS} rows` }])
    case 'not-text':
      return errorAnswer(
        'UNSUPPORTED_CONTENT_TYPE',
        'The upload is not readable text. Send UTF-8, or name the charset in the content type. Spreadsheets and compressed files are not supported.',
        [{ field: 'body', reason: 'must be text in UTF-8, or in the charset of the content type' }],
      )
    case 'empty':
      return invalid([{ path: ['body'], message: 'must have a row' }])
    case 'too-large':
      return errorAnswer('BODY_TOO_LARGE', 'The upload is too large. The limit is 256 MB.', [
        { field: 'body', reason: 'is too large' },
      ])
    case 'too-slow':
      return errorAnswer('UPLOAD_TOO_SLOW', 'The upload was too slow. Nothing was stored.', [
        { field: 'body', reason: 'was sent too slowly' },
      ])
    case 'broken-off':
      return invalid([{ path: ['body'], message: 'broke off' }])
  }
}
