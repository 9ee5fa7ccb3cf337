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
   * Idempotent. Resolves when every closer that was known by then ran or was given up on after `graceMs`, with the names of
   * those that did not work.
   */
  close: () => Promise<Unclosed>
}

/** Names of closers that threw, and of those that were given up on: they may still hold a thread. */
export type Unclosed = { failed: string[]; late: string[] }

type Closer = { name: string; close: () => Promise<void> | void }

export const createLifecycle = (graceMs = 30_000): Lifecycle => {
  const controller = new AbortController()
  // Every loop of a process listens: their number is no leak.
  setMaxListeners(0, controller.signal)
  const closers: Closer[] = []
  let closing: Promise<void> | undefined
  const unclosed: Unclosed = { failed: [], late: [] }

  const runOne = async ({ name, close }: Closer): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const given = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        unclosed.late.push(name)
        resolve()
      }, graceMs)
    })
    try {
      await Promise.race([Promise.resolve(close()), given])
    } catch {
      unclosed.failed.push(name)
    } finally {
      clearTimeout(timer)
    }
  }

  const closeAll = async () => {
    controller.abort(new Error('shutting down'))
    for (const closer of closers.reverse()) await runOne(closer)
  }

  return {
    signal: controller.signal,
    onClose: (name, close) => {
      if (closing) closing = closing.then(() => runOne({ name, close }))
      else closers.push({ name, close })
    },
    close: () => {
      closing ??= closeAll()
      return closing.then(() => unclosed)
    },
  }
}
