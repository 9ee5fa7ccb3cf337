/** Decides what happens after an error ended the work on one network. */
import { isAssayError, OperatorError } from '../../../platform/errors.ts'

/**
 * - `all`: every network depends on what failed (store, bus), so the process ends.
 * - `stop`: an operator has to act. With `againMs` it is retried, because the cause may be fixed elsewhere.
 * - `again`: restarted after `againMs`.
 */
export type Remedy = { kind: 'all' } | { kind: 'stop'; againMs?: number } | { kind: 'again'; againMs: number }

/** Times of restarts, ms. */
export type RestartTimes = {
  /** First pause, doubled with each failure in a row. @default 1_000 */
  firstMs: number
  /** Maximum pause. @default 60_000 */
  longestMs: number
  /** Pause before a retry after a stop whose cause may be fixed elsewhere. @default 300_000 */
  recheckMs: number
  /** Duration after which a run counts as sound, which resets the number of failures. @default 600_000 */
  soundMs: number
}

/** Default times of restarts. */
export const RESTART_TIMES: RestartTimes = {
  firstMs: 1_000,
  longestMs: 60_000,
  recheckMs: 5 * 60_000,
  soundMs: 10 * 60_000,
}

/** Errors of bus and store that concern only one network. */
const OF_ONE_NETWORK = new Set(['ASSAY_BUS_FENCED', 'ASSAY_BUS_TOPIC_UNKNOWN', 'ASSAY_STORE_ROWS_REFUSED'])
/** Errors that a provider can fix without a change of settings. */
const FIXED_ELSEWHERE = new Set(['ASSAY_SOURCE_WRONG_CHAIN'])
/** Errors caused by the settings of a network. */
const MISCONFIGURED = new Set(['ASSAY_CONFIG_NO_SOURCE', 'ASSAY_SOURCE_NO_HTTP', 'ASSAY_SOURCE_WRONG_CHAIN'])

/** Whether the settings of the network are the cause. */
export const isMisconfigured = (error: unknown): boolean => isAssayError(error) && MISCONFIGURED.has(error.code)

/** @param failures number of consecutive failures before this one */
export const remedyOf = (error: unknown, failures: number, times: RestartTimes): Remedy => {
  if (error instanceof OperatorError) {
    if (/^ASSAY_(BUS|STORE)_/.test(error.code) && !OF_ONE_NETWORK.has(error.code)) return { kind: 'all' }
    return { kind: 'stop', ...(FIXED_ELSEWHERE.has(error.code) && { againMs: times.recheckMs }) }
  }
  // Even a bug may depend on timing, and a retry does no harm.
  return { kind: 'again', againMs: Math.min(times.longestMs, times.firstMs * 2 ** Math.min(failures, 30)) }
}

/** Code and message of an error for users. Messages of unexpected errors may contain anything and stay in the log. */
export const shownError = (error: unknown): { code: string; message: string } =>
  isAssayError(error)
    ? { code: error.code, message: error.message }
    : { code: 'unexpected', message: 'Unexpected error. See the log of the role.' }
