/** Answers to requests about screening that are refused. */
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import { invalid } from '../../operations.ts'
import type { Allowed } from '../allowance.ts'
import type { UploadRefused } from '../refused.ts'
import { MAX_ROWS } from '../upload.ts'

/** The same for a job of another account and for none, so that nobody learns which ids exist. */
export const UNKNOWN = errorAnswer('NOT_FOUND', 'You have no screening job of this id.')
/** Every place for uploads is taken, of this account or on this replica. */
export const BUSY = errorAnswer('OVERLOADED', 'Too many uploads are coming in. Try again shortly.', [], {
  'retry-after': '5',
})
/** The account downloads as many results as it may at a time. */
export const DOWNLOADING = errorAnswer(
  'OVERLOADED',
  'You are downloading two results already. Try again when one is complete.',
  [],
  {
    'retry-after': '5',
  },
)
/** Uploads are read as they are sent; nothing inflates them. */
export const ENCODED = errorAnswer('UNSUPPORTED_CONTENT_TYPE', 'An upload must not be compressed.', [
  { field: 'content-encoding', reason: 'must be identity or left out' },
])
/** A quote needs the beginning of a list only, and reads no more of it. */
export const LONG_BEGINNING = errorAnswer(
  'BODY_TOO_LARGE',
  'Send the first megabyte of the list, and how many lines it has.',
  [{ field: 'body', reason: 'must not be larger than 1 MB' }],
)
/** The content type is missing, or names neither CSV nor NDJSON; nothing is guessed from the bytes. */
export const NO_FORMAT = invalid([{ path: ['content-type'], message: 'must be text/csv or application/x-ndjson' }])
/** The content type names a charset that this runtime cannot decode. */
export const NO_CHARSET = invalid([
  { path: ['content-type'], message: 'must have a charset such as utf-8, utf-16le or windows-1252' },
])
/** The account has as many jobs that are not done as it may have, whatever rows it has left. */
export const TOO_MANY_JOBS = errorAnswer('RATE_LIMITED', 'Twenty of your screening jobs are not done yet.', [], {
  'retry-after': '60',
})
/** A key of idempotency stands for one upload for as long as its job is kept, also where the job was deleted. */
export const KEY_TAKEN = errorAnswer(
  'IDEMPOTENCY_CONFLICT',
  'This idempotency key belongs to another upload, or to a job that was deleted. Choose a new one.',
  [{ field: 'idempotency-key', reason: 'belongs to another upload' }],
)
/** Results are served once the job has ended: rows no longer change then, and a download that broke off can be continued. */
export const NOT_FINISHED = errorAnswer('NOT_FINISHED', 'The screening job is not finished yet.', [], {
  'retry-after': '5',
})

/** Why an upload was refused while it was read. @param limits without its own rows */
export const refusalOf = (kind: UploadRefused['kind'], limits: Allowed): Answer => {
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
      return errorAnswer('UPLOAD_TOO_SLOW', 'The upload came too slowly. Nothing of it was kept.', [
        { field: 'body', reason: 'came too slowly' },
      ])
    case 'broken-off':
      return invalid([{ path: ['body'], message: 'broke off' }])
  }
}
