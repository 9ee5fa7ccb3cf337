/** Context, signal handling and exit codes of every process and thread. */

import type { Config } from '../../platform/config/config.ts'
import { systemClock } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { isAssayError, messageOf } from '../../platform/errors.ts'
import { portErrorOf } from '../preflight/port.ts'

/** Exit code after an unexpected error (EX_SOFTWARE of sysexits). */
const UNEXPECTED = 70
/** Exit code after an error that an operator can fix. */
const OPERATOR = 1
/** Signals within this time count as one, ms. */
const SAME_SIGNAL_MS = 1_000

/** The context of a process or thread, with the real clock. Log lines and metrics carry the role. */
export const createContext = (config: Pick<Config, 'ASSAY_LOG_LEVEL'>, role: string): Context => ({
  log: createLog(config.ASSAY_LOG_LEVEL, { role }),
  metrics: createMetrics(role),
  clock: systemClock,
  lifecycle: createLifecycle(),
})

/** Whether an error is of the operating system, such as `EACCES: permission denied, open '/data'`. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'syscall' in error

/** Stack traces are shown only at log levels debug and trace. */
const wantsTrace = (): boolean => ['debug', 'trace'].includes(process.env.ASSAY_LOG_LEVEL ?? '')

/** Prints a failure for the user, and returns the exit code of its family. */
export const explain = (thrown: unknown): number => {
  const error = portErrorOf(thrown) ?? thrown
  if (isAssayError(error)) {
    process.stderr.write(`\n${error.code}: ${error.message}\n`)
    return error.exitCode
  }
  if (wantsTrace() && error instanceof Error) process.stderr.write(`\n${error.stack ?? error.message}\n`)
  else if (isSystemError(error))
    process.stderr.write(`\nThe system refused: ${error.message}. Correct it and start again.\n`)
  else {
    process.stderr.write(
      `\nUnexpected error: ${messageOf(error)}. Please report it, with the stack trace that ASSAY_LOG_LEVEL=debug prints.\n`,
    )
  }
  return isSystemError(error) ? OPERATOR : UNEXPECTED
}

/**
 * Runs a role until it ends, fails or receives a signal. The first SIGINT or SIGTERM closes it gracefully, the second ends the
 * process at once. `main` starts the work and resolves to a promise that settles when the work is over.
 */
export const runRole = async (context: Context, main: () => Promise<{ done: Promise<unknown> }>): Promise<number> => {
  const { log, lifecycle } = context
  let stopped = () => {}
  const asked = new Promise<void>((resolve) => {
    stopped = resolve
  })
  let askedAt = 0
  const stop = (signal: NodeJS.Signals) => {
    // Terminal and npm may both forward one Ctrl-C, so signals in quick succession count as one.
    if (askedAt > 0) {
      if (context.clock.now() - askedAt > SAME_SIGNAL_MS) process.exit(UNEXPECTED)
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
      if (code === UNEXPECTED) log.error({ err: error }, 'ended by an unexpected error')
    }
  }
  const { failed, late } = await lifecycle.close()
  if (failed.length > 0) log.warn({ failed: failed.join(',') }, 'failed to close')
  if (late.length > 0) {
    log.warn({ late: late.join(',') }, 'gave up on closing')
    // An unclosed resource may hold a native thread, for which a normal exit would wait forever.
    process.kill(process.pid, 'SIGKILL')
  }
  return code
}
