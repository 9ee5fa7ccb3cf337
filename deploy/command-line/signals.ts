/**
 * How a command ends on a signal, or when its output pipe is closed. Commands that have to clean up handle signals
 * themselves (`runRole`, `runTool`); others end at once.
 */

/** Exit code after Ctrl-C, by the convention of shells: 128 plus the signal number. */
export const INTERRUPTED = 130
const TERMINATED = 143

type Signal = 'SIGINT' | 'SIGTERM'

/** Whether the command handles the signal itself. */
const isHandled = (signal: Signal): boolean => process.listenerCount(signal) > 1

/** Ends the process on SIGINT and SIGTERM with a message, unless the command handles them itself. */
export const endOnSignals = (): void => {
  const end = (signal: Signal, code: number) => () => {
    if (isHandled(signal)) return
    process.stderr.write('\nInterrupted.\n')
    process.exit(code)
  }
  process.on('SIGINT', end('SIGINT', INTERRUPTED)).on('SIGTERM', end('SIGTERM', TERMINATED))
}

/** Ends the command silently when the reader of its output closes the pipe, as `head` does. */
export const endOnClosedPipe = (): void => {
  let ending = false
  const closed = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (ending) return
    ending = true
    // A service has to stop child processes and close files.
    if (isHandled('SIGINT')) process.emit('SIGINT')
    else process.exit(0)
  }
  process.stdout.on('error', closed)
  process.stderr.on('error', closed)
}
