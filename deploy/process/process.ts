/** What every process and thread of Assay has around its work: context, signals, and an exit code that means something. */

import type { Config } from '../../platform/config/config.ts'
import { systemClock } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { isAssayError, messageOf } from '../../platform/errors.ts'
import { portErrorOf } from '../preflight/port.ts'

/** Exit code of a process that stopped for an error nobody foresaw (sysexits EX_SOFTWARE). */
const UNFORESEEN = 70
/** Of one that a person can do something about. */
const OPERATOR = 1
const SAME_REQUEST_MS = 1_000

/** The context of a process or thread, with the real clock. Log lines and metrics carry the role. */
export const createContext = (config: Pick<Config, 'ASSAY_LOG_LEVEL'>, role: string): Context => ({
  log: createLog(config.ASSAY_LOG_LEVEL, { role }),
  metrics: createMetrics(role),
  clock: systemClock,
  lifecycle: createLifecycle(),
})

/** What the system refused, in its own words: `EACCES: permission denied, open '/data'`. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'syscall' in error

/** Where it happened is for those who mend it, and in the way of everybody else. */
const wantsTrace = (): boolean => ['debug', 'trace'].includes(process.env.ASSAY_LOG_LEVEL ?? '')

/** Prints what a person has to know about a failure and returns the exit code its family stands for. */
export const explain = (thrown: unknown): number => {
  const error = portErrorOf(thrown) ?? thrown
  if (isAssayError(error)) {
    process.stderr.write(`\n${error.code}: ${error.message}\n`)
    return error.exitCode
  }
  if (wantsTrace() && error instanceof Error) process.stderr.write(`\n${error.stack ?? error.message}\n`)
  else if (isSystemError(error))
    process.stderr.write(`\nThe system refused: ${error.message}. Correct that and start again.\n`)
  else {
    process.stderr.write(
      `\nAn error that should not happen: ${messageOf(error)}. Start again with ASSAY_LOG_LEVEL=debug to see where it comes from, and report it.\n`,
    )
  }
  return isSystemError(error) ? OPERATOR : UNFORESEEN
}

/**
 * Runs a role until it ends, fails or is asked to stop. The first SIGINT or SIGTERM closes gracefully, the second ends
 * the process at once. `main` starts the work and resolves to a promise that settles when the work is over.
 */
export const runRole = async (context: Context, main: () => Promise<{ done: Promise<unknown> }>): Promise<number> => {
  const { log, lifecycle } = context
  let stopped = () => {}
  const asked = new Promise<void>((resolve) => {
    stopped = resolve
  })
  let askedAt = 0
  const stop = (signal: NodeJS.Signals) => {
    // A terminal and npm may both pass on one Ctrl-C: only a later one means "at once".
    if (askedAt > 0) {
      if (context.clock.now() - askedAt > SAME_REQUEST_MS) process.exit(UNFORESEEN)
      return
    }
    askedAt = context.clock.now()
    log.info({ signal }, 'stopping')
    void lifecycle.close().then(stopped)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  let code = 0
  try {
    const { done } = await main()
    await Promise.race([done, asked])
  } catch (error) {
    if (!lifecycle.signal.aborted) {
      code = explain(error)
      if (code === UNFORESEEN) log.error({ err: error }, 'ended by an error that should not happen')
    }
  }
  const { failed, late } = await lifecycle.close()
  if (failed.length > 0) log.warn({ failed: failed.join(',') }, 'failed to close')
  if (late.length > 0) {
    log.warn({ late: late.join(',') }, 'gave up on closing')
    // What does not close may hold a native thread, and an exit would wait for that for ever.
    process.kill(process.pid, 'SIGKILL')
  }
  return code
}
