import { setMaxListeners } from 'node:events'

/**
 * What a process has to give back when it ends: closers run in reverse order of registration, each bounded. What is
 * opened while the others close is closed after them.
 */
export type Lifecycle = {
  /** Aborted as soon as shutdown begins; loops stop at their next safe point. */
  readonly signal: AbortSignal
  onClose: (name: string, close: () => Promise<void> | void) => void
  /**
   * Idempotent. Resolves when every closer that was known by then ran or was given up on after `graceMs`. Returns the names
   * that failed.
   */
  close: () => Promise<string[]>
}

type Closer = { name: string; close: () => Promise<void> | void }

export const createLifecycle = (graceMs = 30_000): Lifecycle => {
  const controller = new AbortController()
  // Every loop of a process listens: their number is no leak.
  setMaxListeners(0, controller.signal)
  const closers: Closer[] = []
  let closing: Promise<string[]> | undefined

  const runOne = async ({ name, close }: Closer): Promise<string | undefined> => {
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

  const closeAlso = async (closer: Closer, before: Promise<string[]>) => {
    const failed = await before
    const name = await runOne(closer)
    return name ? [...failed, name] : failed
  }

  return {
    signal: controller.signal,
    onClose: (name, close) => {
      if (closing) closing = closeAlso({ name, close }, closing)
      else closers.push({ name, close })
    },
    close: () => {
      closing ??= closeAll()
      return closing
    },
  }
}
