import { setMaxListeners } from 'node:events'

/**
 * What a process has to give back when it ends: closers run in reverse order of registration, each bounded. What is
 * opened while the others close is closed after them.
 */
export type Lifecycle = {
  /** Aborted as soon as shutdown begins; loops stop at their next safe point. */
  readonly signal: AbortSignal
  /** `atMostMs` is for what has to take longer than `graceMs`. */
  onClose: (name: string, close: () => Promise<void> | void, atMostMs?: number) => void
  /**
   * Idempotent. Resolves when every closer that was known by then ran or was given up on after its time, with the names of
   * those that did not work.
   */
  close: () => Promise<Unclosed>
}

/** Names of closers that threw, and of those that were given up on: they may still hold a thread. */
export type Unclosed = { failed: string[]; late: string[] }

type Closer = { name: string; close: () => Promise<void> | void; atMostMs?: number | undefined }

/**
 * A lifecycle whose closers have `graceMs` each. The caller closes it: it does not listen for signals of the system.
 */
export const createLifecycle = (graceMs = 30_000): Lifecycle => {
  const controller = new AbortController()
  // Every loop of a process listens: their number is no leak.
  setMaxListeners(0, controller.signal)
  const closers: Closer[] = []
  let closing: Promise<void> | undefined
  const unclosed: Unclosed = { failed: [], late: [] }

  const runOne = async ({ name, close, atMostMs = graceMs }: Closer): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const given = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        unclosed.late.push(name)
        resolve()
      }, atMostMs)
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
    onClose: (name, close, atMostMs) => {
      const closer = { name, close, atMostMs }
      if (closing) closing = closing.then(() => runOne(closer))
      else closers.push(closer)
    },
    close: () => {
      closing ??= closeAll()
      return closing.then(() => unclosed)
    },
  }
}
