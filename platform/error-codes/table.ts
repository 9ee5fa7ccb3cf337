/**
 * The table of error codes, by the room that throws them. A new code is an entry in its room's file; the compiler refuses
 * other codes, and `npm run docs` writes the table to `docs/use/errors.md`.
 */
import { API_ERRORS } from './api.ts'
import { DEPLOY_ERRORS } from './deploy.ts'
import type { ErrorFamily } from './entry.ts'
import { INDEXER_ERRORS } from './indexer.ts'
import { PLATFORM_ERRORS } from './platform.ts'
import { SCORER_ERRORS } from './scorer.ts'

/** Every code with its family, meaning and remedy. */
export const ERRORS = {
  ...PLATFORM_ERRORS,
  ...INDEXER_ERRORS,
  ...SCORER_ERRORS,
  ...API_ERRORS,
  ...DEPLOY_ERRORS,
} as const

/** Stable code, ASSAY_<AREA>_<WHAT>. */
export type ErrorCode = keyof typeof ERRORS

/** Codes of one family. */
export type CodeOf<Family extends ErrorFamily> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]['family'] extends Family ? Code : never
}[ErrorCode]

/** First word of a code after `ASSAY_`. */
export type ErrorArea = ErrorCode extends `ASSAY_${infer Area}_${string}` ? Area : never

/** Whether a text from outside is a code of the table. */
export const isErrorCode = (text: unknown): text is ErrorCode => typeof text === 'string' && Object.hasOwn(ERRORS, text)
