/** Runs the work of a stream command with a context, clean shutdown and progress lines. */
import { setMaxListeners } from 'node:events'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { isAssayError } from '../../platform/errors.ts'
import { INTERRUPTED } from '../command-line/signals.ts'
import { createContext } from '../process/process.ts'

/** What the work of a command receives. */
export type Tool = {
  context: Context
  config: Config
  /** Aborted by Ctrl-C or SIGTERM. The work then ends at its next safe point. */
  signal: AbortSignal
  /** Prints a line of text: to standard error if the result is printed as JSON. */
  say: (line: string) => void
  /** Prints the result if JSON was requested. */
  report: (result: object) => void
  /** Prints a progress line, at most every two seconds. */
  progress: (line: () => string) => void
}

const PROGRESS_MS = 2_000

/** Runs the work of a command, and closes what it opened however it ends. */
export const runTool = async <T>(
  config: Config,
  name: string,
  work: (tool: Tool) => Promise<T>,
  { json = false }: { json?: boolean | undefined } = {},
): Promise<T | undefined> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, name)
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const onSignal = () => {
    // A second signal ends the process at once.
    if (stop.signal.aborted) process.exit(INTERRUPTED)
    process.exitCode = INTERRUPTED
    stop.abort(new Error('interrupted'))
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const say = (line: string) => (json ? process.stderr : process.stdout).write(`${line}\n`)
  const report = (result: object) => {
    if (json) process.stdout.write(`${JSON.stringify(result)}\n`)
  }
  let shownAt = Number.NEGATIVE_INFINITY
  const progress = (line: () => string) => {
    const now = context.clock.now()
    if (now - shownAt < PROGRESS_MS) return
    shownAt = now
    say(line())
  }
  try {
    return await work({ context, config, signal: stop.signal, say, report, progress })
  } catch (error) {
    // An error from an aborted step is not a failure.
    if (stop.signal.aborted && !isAssayError(error)) return undefined
    throw error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await context.lifecycle.close()
  }
}
