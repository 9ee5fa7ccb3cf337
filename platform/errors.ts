/**
 * The three error families. Every error Assay throws on purpose extends one, so that whoever catches it knows what to
 * do without reading the text: retry, ask the operator, or report a bug. `docs/errors.md` lists every code.
 */

/** Stable code of the form ASSAY_<AREA>_<WHAT>, listed in `docs/errors.md`. */
export type ErrorCode = `ASSAY_${string}`

abstract class AssayError extends Error {
  /** Exit code of a process that dies of this error (sysexits: 75 temporary failure, 70 software error). */
  abstract readonly exitCode: 75 | 1 | 70
  constructor(
    readonly code: ErrorCode,
    /** What happened, what we did, what to do. Never holds secrets or record values. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = new.target.name
  }
}

/** Something outside failed and may work again: a node, a broker, the store. A supervisor restarts on it. */
export class RetryableError extends AssayError {
  readonly exitCode = 75
}

/** A human has to change something: configuration, credentials, a decision such as re-indexing. */
export class OperatorError extends AssayError {
  readonly exitCode = 1
}

/** An invariant of ours does not hold. */
export class BugError extends AssayError {
  readonly exitCode = 70
}

export const isAssayError = (error: unknown): error is RetryableError | OperatorError | BugError =>
  error instanceof AssayError

/** Message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
