/**
 * The three error families. Every error thrown on purpose belongs to one of them and has a code of the table in
 * `error-codes/`, so that a caller can decide by the code: retry, ask the operator, or report a bug.
 */
import type { ErrorFamily } from './error-codes/entry.ts'
import { type CodeOf, ERRORS, type ErrorCode } from './error-codes/table.ts'

abstract class AssayError<Family extends ErrorFamily> extends Error {
  /** Exit code of a process that ends with this error (sysexits: 75 temporary failure, 70 software error). */
  abstract readonly exitCode: 75 | 1 | 70
  readonly code: CodeOf<Family>

  /** @param message what happened, what was done, what to do; never secrets or values of records. */
  constructor(code: CodeOf<Family>, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Something outside failed and may work again: a node, a broker, the store. The supervisor should restart the process. */
export class RetryableError extends AssayError<'retryable'> {
  readonly exitCode = 75
}

/** A person has to act: fix configuration or credentials, or decide to index again. */
export class OperatorError extends AssayError<'operator'> {
  readonly exitCode = 1
}

/** An invariant of our own is broken. */
export class BugError extends AssayError<'bug'> {
  readonly exitCode = 70
}

/** Whether an error was thrown on purpose, with a code. */
export const isAssayError = (error: unknown): error is RetryableError | OperatorError | BugError =>
  error instanceof AssayError

const isOf = <Family extends ErrorFamily>(family: Family, code: ErrorCode): code is CodeOf<Family> =>
  ERRORS[code].family === family

/** Creates the error of a code whose family is only known at run time, for example one from another process. */
export const errorOfCode = (code: ErrorCode, message: string): RetryableError | OperatorError | BugError => {
  if (isOf('retryable', code)) return new RetryableError(code, message)
  return isOf('operator', code) ? new OperatorError(code, message) : new BugError(code, message)
}

/** Message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
