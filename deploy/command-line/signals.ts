/**
 * How a command ends when somebody stops it, or no longer reads what it prints. Commands that have to put something in order
 * listen to signals themselves (`runRole`, `runTool`); the others end at once.
 */

/** Exit code of a command that Ctrl-C ended, as shells have it: 128 and the number of the signal. */
export const INTERRUPTED = 130
const TERMINATED = 143

type Signal = 'SIGINT' | 'SIGTERM'

/** Whether the command listens itself. */
const isHeard = (signal: Signal): boolean => process.listenerCount(signal) > 1

/** Says once that the command was stopped, and ends the process unless the command does so itself. */
export const endOnSignals = (): void => {
  const end = (signal: Signal, code: number) => () => {
    if (isHeard(signal)) return
    process.stderr.write('\nInterrupted.\n')
    process.exit(code)
  }
  process.on('SIGINT', end('SIGINT', INTERRUPTED)).on('SIGTERM', end('SIGTERM', TERMINATED))
}

/** A reader that has seen enough, such as `head`, is no error: the command ends without a word. */
export const endOnClosedPipe = (): void => {
  let ending = false
  const closed = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (ending) return
    ending = true
    // A service has children and files to give back.
    if (isHeard('SIGINT')) process.emit('SIGINT')
    else process.exit(0)
  }
  process.stdout.on('error', closed)
  process.stderr.on('error', closed)
}
