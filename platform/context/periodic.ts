import type { Context } from './context.ts'

type Deps = Pick<Context, 'clock' | 'lifecycle' | 'log'>

/** Runs until the signal aborts. */
const loop = ({ lifecycle, log }: Deps, name: string, pause: () => Promise<void>, task: () => Promise<void>): void => {
  const { signal } = lifecycle
  const run = async () => {
    for (;;) {
      await pause()
      signal.throwIfAborted()
      await task().catch((err: unknown) => log.warn({ task: name, err }, 'a periodic task failed'))
    }
  }
  run().catch((err: unknown) => {
    if (!signal.aborted) log.error({ task: name, err }, 'stopped a periodic task')
  })
}

/** Repeats a task with a pause in between until the lifecycle ends. Failures are logged, and the task is tried again. */
export const periodically = (deps: Deps, name: string, pauseMs: number, task: () => Promise<void>): void =>
  loop(deps, name, () => deps.clock.sleep(pauseMs, deps.lifecycle.signal), task)

/**
 * Like `periodically`, with a new pause each time.
 * @returns a function that ends the current pause.
 */
export const periodicallyUnlessWoken = (
  deps: Deps,
  name: string,
  pauseMs: () => number,
  task: () => Promise<void>,
): (() => void) => {
  let woken = new AbortController()
  const pause = async () => {
    woken = new AbortController()
    await deps.clock.sleep(pauseMs(), AbortSignal.any([woken.signal, deps.lifecycle.signal])).catch(() => undefined)
  }
  loop(deps, name, pause, task)
  return () => woken.abort()
}
