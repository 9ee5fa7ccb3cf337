import { setMaxListeners } from 'node:events'

/**
 * Shutdown of a process: closers run in reverse order of registration, each with a time limit. Closers registered during
 * shutdown run after the others.
 */
export type Lifecycle = {
  /** Aborted as soon as shutdown begins; loops stop at their next safe point. */
  readonly signal: AbortSignal
  /** `atMostMs` replaces `graceMs` as time limit of this closer. */
  onClose: (name: string, close: () => Promise<void> | void, atMostMs?: number) => void
  /** Idempotent. Resolves when every closer has run or exceeded its time, with the names of those that failed. */
  close: () => Promise<Unclosed>
}

/** Names of closers that threw, and of those that exceeded their time; the latter may still hold a thread. */
export type Unclosed = { failed: string[]; late: string[] }

type Closer = { name: string; close: () => Promise<void> | void; atMostMs?: number | undefined }

/** A lifecycle whose closers have `graceMs` each. The caller closes it, also on process signals. */
export const createLifecycle = (graceMs = 30_000): Lifecycle => {
  const controller = new AbortController()
  // Every loop of a process listens, so many listeners are no leak.
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
