import { BroadcastChannel } from 'node:worker_threads'
import { z } from 'zod'

/** Change notifications between the threads of this process. */
export type Wake = {
  notify: (names: Iterable<string>) => void
  /** Starts listening now. `wait` resolves at the next notification of any name, after `ms`, or when aborted. */
  listen: (names: readonly string[]) => { wait: (ms: number, signal: AbortSignal) => Promise<void>; stop: () => void }
  close: () => void
}

const announcement = z.object({ data: z.array(z.string()) })

/** Threads that open the same path notify each other. Messages of other processes have to be polled for. */
export const createWake = (path: string): Wake => {
  const channel = new BroadcastChannel(`assay-bus:${path}`)
  channel.unref()
  const listeners = new Map<string, Set<() => void>>()
  const notify = (names: Iterable<string>) => {
    for (const name of names) for (const listener of listeners.get(name) ?? []) listener()
  }
  channel.onmessage = (event: unknown) => notify(announcement.parse(event).data)

  return {
    notify: (names) => {
      const list = [...names]
      channel.postMessage(list)
      notify(list)
    },
    listen: (names) => {
      let notified = false
      let resolve = () => {}
      const listener = () => {
        notified = true
        resolve()
      }
      for (const name of names) {
        const set = listeners.get(name) ?? new Set()
        listeners.set(name, set.add(listener))
      }
      return {
        wait: (ms, signal) =>
          new Promise<void>((done) => {
            if (notified || signal.aborted) return done()
            const timer = setTimeout(() => resolve(), ms)
            resolve = () => {
              clearTimeout(timer)
              signal.removeEventListener('abort', resolve)
              done()
            }
            signal.addEventListener('abort', resolve, { once: true })
          }),
        stop: () => {
          for (const name of names) listeners.get(name)?.delete(listener)
        },
      }
    },
    close: () => channel.close(),
  }
}
