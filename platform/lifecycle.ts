import { setMaxListeners } from 'node:events'

/** What a process has to give back when it ends: closers run in reverse order of registration, each bounded. */
export type Lifecycle = {
  /** Aborted as soon as shutdown begins; loops stop at their next safe point. */
  readonly signal: AbortSignal
  onClose: (name: string, close: () => Promise<void> | void) => void
  /** Idempotent. Resolves when every closer ran or was given up on after `graceMs`. Returns the names that failed. */
  close: () => Promise<string[]>
}

export const createLifecycle = (graceMs = 30_000): Lifecycle => {
  const controller = new AbortController()
  // Every loop of a process listens: their number is no leak.
  setMaxListeners(0, controller.signal)
  const closers: { name: string; close: () => Promise<void> | void }[] = []
  let closing: Promise<string[]> | undefined

  const runOne = async ({ name, close }: (typeof closers)[number]): Promise<string | undefined> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(name), graceMs)
    })
    try {
      return await Promise.race([Promise.resolve(close()).then(() => undefined), late])
    } catch {
      return name
    } finally {
      clearTimeout(timer)
    }
  }

  const closeAll = async () => {
    controller.abort(new Error('shutting down'))
    const failed: string[] = []
    for (const closer of closers.reverse()) {
      const name = await runOne(closer)
      if (name) failed.push(name)
    }
    return failed
  }

  return {
    signal: controller.signal,
    onClose: (name, close) => closers.push({ name, close }),
    close: () => {
      closing ??= closeAll()
      return closing
    },
  }
}
