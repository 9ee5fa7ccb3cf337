/** Runs roles of the embedded profile on worker threads, so that decoding, inserting and scoring never delay requests. */
import { z } from 'zod'
import type { Context } from '../../platform/context/context.ts'
import type { Snapshot } from '../../platform/context/metrics.ts'
import { RetryableError } from '../../platform/errors.ts'
import { startWorker } from '../../platform/threads/worker.ts'
import type { RoleName } from '../roles/role.ts'

const fromThread = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('metrics'), id: z.number(), snapshot: z.custom<Snapshot>(Array.isArray) }),
  z.object({ kind: z.literal('ended'), code: z.number() }),
])
/** Messages from a thread to the process. */
export type FromThread = z.output<typeof fromThread>

/** Messages from the process to a thread. */
export type ToThread = { kind: 'metrics'; id: number } | { kind: 'close' }

/** A role on a thread of this process. */
export type RoleThread = {
  /** Settles when the role has ended; rejects when it failed. */
  done: Promise<void>
  /** Metrics of the thread; empty if it does not respond within a second. */
  metrics: () => Promise<Snapshot>
}

const METRICS_DEADLINE_MS = 1_000

/** Starts a role, and resolves when it runs. `settings` override the environment. The lifecycle ends it. */
export const startRoleThread = async (
  context: Context,
  role: RoleName,
  settings: Record<string, string>,
): Promise<RoleThread> => {
  const worker = startWorker(new URL('./role.worker.ts', import.meta.url), { workerData: { role, settings } })
  const waiting = new Map<number, (snapshot: Snapshot) => void>()
  let started = () => {}
  let nextId = 0
  const begun = new Promise<void>((resolve) => {
    started = resolve
  })
  let ended = (_code: number) => {}
  const done = new Promise<void>((resolve, reject) => {
    ended = (code) => {
      if (code === 0 || context.lifecycle.signal.aborted) return resolve()
      reject(
        new RetryableError(
          'ASSAY_ROLE_STOPPED',
          `The ${role} thread stopped with code ${code}, so the process ends as well. See its log for the reason, and start again.`,
        ),
      )
    }
    worker.once('error', reject)
    worker.once('exit', ended)
  })
  worker.on('message', (raw: unknown) => {
    const message = fromThread.parse(raw)
    if (message.kind === 'started') started()
    if (message.kind === 'ended') ended(message.code)
    if (message.kind === 'metrics') waiting.get(message.id)?.(message.snapshot)
  })
  const post = (message: ToThread) => worker.postMessage(message)
  context.lifecycle.onClose(role, async () => {
    post({ kind: 'close' })
    await done.catch(() => undefined)
  })
  await Promise.race([begun, done])
  return {
    done,
    metrics: () =>
      new Promise((resolve) => {
        const id = nextId++
        const finish = (snapshot: Snapshot) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(snapshot)
        }
        const timer = setTimeout(() => finish([]), METRICS_DEADLINE_MS)
        waiting.set(id, finish)
        post({ kind: 'metrics', id })
      }),
  }
}
