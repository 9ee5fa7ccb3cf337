import type { Context } from '../platform/context.ts'

/** Runs a task over and over with a pause between, until the lifecycle ends. Failures are logged and tried again. */
export const periodically = (
  { clock, lifecycle, log }: Pick<Context, 'clock' | 'lifecycle' | 'log'>,
  name: string,
  pauseMs: number,
  task: () => Promise<void>,
): void => {
  const { signal } = lifecycle
  const loop = async () => {
    for (;;) {
      await clock.sleep(pauseMs, signal)
      await task().catch((err: unknown) => log.warn({ task: name, err }, 'a periodic task failed'))
    }
  }
  loop().catch((err: unknown) => {
    if (!signal.aborted) log.error({ task: name, err }, 'stopped a periodic task')
  })
}
