/** What every command on the stream has around its work: a context, an orderly end, and lines of progress. */
import { setMaxListeners } from 'node:events'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { createContext } from '../process/process.ts'

export type Tool = {
  context: Context
  config: Config
  /** Aborted by Ctrl-C or SIGTERM: the work ends at its next safe point. */
  signal: AbortSignal
  say: (line: string) => void
  /** Prints the line unless one was printed this way less than a few seconds ago. */
  progress: (line: () => string) => void
}

const PROGRESS_MS = 2_000

/** A time as people say it. @param ms milliseconds */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** Runs the work of a command and gives back what it opened, however it ends. */
export const runTool = async <T>(config: Config, name: string, work: (tool: Tool) => Promise<T>): Promise<T> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, name)
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const onSignal = () => stop.abort(new Error('interrupted'))
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  let shownAt = Number.NEGATIVE_INFINITY
  const progress = (line: () => string) => {
    const now = context.clock.now()
    if (now - shownAt < PROGRESS_MS) return
    shownAt = now
    say(line())
  }
  try {
    return await work({ context, config, signal: stop.signal, say, progress })
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await context.lifecycle.close()
  }
}
