/** What to do about an error that ended the work on one network. */
import { isAssayError, OperatorError } from '../../../platform/errors.ts'

/**
 * - `all`: every network depends on what failed (store, bus), so the process ends.
 * - `stop`: an operator has to change something; looked at again after `againMs`, where somebody else may have changed it.
 * - `again`: it is started again after `againMs`.
 */
export type Remedy = { kind: 'all' } | { kind: 'stop'; againMs?: number } | { kind: 'again'; againMs: number }

/** Times of restarts, ms. */
export type RestartTimes = {
  /** First pause, doubled with each failure in a row. @default 1_000 */
  firstMs: number
  /** Longest pause. @default 60_000 */
  longestMs: number
  /** Pause before a stop that somebody else may have repaired is looked at again. @default 300_000 */
  recheckMs: number
  /** A run this long counts as sound: the next failure is the first one again. @default 600_000 */
  soundMs: number
}

/** Pauses before a failed part is started again, and how long it has to run to count as sound, ms. */
export const RESTART_TIMES: RestartTimes = {
  firstMs: 1_000,
  longestMs: 60_000,
  recheckMs: 5 * 60_000,
  soundMs: 10 * 60_000,
}

/** Errors of the bus and the store that are about the data of one network. */
const OF_ONE_NETWORK = new Set(['ASSAY_BUS_FENCED', 'ASSAY_BUS_TOPIC_UNKNOWN', 'ASSAY_STORE_ROWS_REFUSED'])
/** Stops that a provider can repair behind the same URL. */
const REPAIRED_ELSEWHERE = new Set(['ASSAY_SOURCE_WRONG_CHAIN'])
/** Settings with which a network cannot be indexed. */
const MISCONFIGURED = new Set(['ASSAY_CONFIG_NO_SOURCE', 'ASSAY_SOURCE_NO_HTTP', 'ASSAY_SOURCE_WRONG_CHAIN'])

/** Whether the settings of the network are the cause. */
export const isMisconfigured = (error: unknown): boolean => isAssayError(error) && MISCONFIGURED.has(error.code)

/** @param failures failures in a row before this one. */
export const remedyOf = (error: unknown, failures: number, times: RestartTimes): Remedy => {
  if (error instanceof OperatorError) {
    if (/^ASSAY_(BUS|STORE)_/.test(error.code) && !OF_ONE_NETWORK.has(error.code)) return { kind: 'all' }
    return { kind: 'stop', ...(REPAIRED_ELSEWHERE.has(error.code) && { againMs: times.recheckMs }) }
  }
  // A bug may depend on the moment, and what it stopped loses nothing by being tried again.
  return { kind: 'again', againMs: Math.min(times.longestMs, times.firstMs * 2 ** Math.min(failures, 30)) }
}

/** Code and text of an error, fit to be shown: what nobody foresaw may hold anything, and stays in the log. */
export const shownError = (error: unknown): { code: string; message: string } =>
  isAssayError(error)
    ? { code: error.code, message: error.message }
    : { code: 'unexpected', message: 'An error that nobody foresaw. The log of the role has it.' }
