import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Task } from './protocol.ts'

const MAX_TASKS = 2_000
const MAX_BYTES = 32 * 1024 * 1024
/** Limit per caller, so that no caller evicts the tasks of others. */
const MAX_OF_CALLER = 500
const MAX_BYTES_OF_CALLER = 4 * 1024 * 1024
/** How long a task can be read, ms. */
export const LIFETIME_MS = 15 * 60_000

/** Tasks, kept for 15 minutes. A task is visible to its caller only; for others it does not exist. */
export type TaskStore = {
  get: (caller: string, id: string) => Promise<Task | undefined>
  /** Stores a task. Does not replace a task that has ended. */
  put: (caller: string, task: Task) => void
}

/** Task storage shared by replicas. Never throws: on failure each replica uses its memory. */
export type SharedTasks = {
  get: (id: string) => Promise<string | undefined>
  /** Stores a serialized task, unless the stored one has ended. */
  put: (id: string, text: string, ended: boolean) => Promise<void>
}

type Kept = { caller: string; task: Task }
const kept = z.object({ caller: z.string(), task: z.looseObject({ kind: z.literal('task'), id: z.string() }) })

const hasEnded = ({ status }: Task): boolean => status.state !== 'input-required'

/** A task stored by `put` of another replica. Only its owner and id are validated. */
const keptIn = (text: string): Kept | undefined => {
  const parsed = kept.safeParse(JSON.parse(text))
  return parsed.success ? (parsed.data as unknown as Kept) : undefined
}

/** Options of a task store. */
export type TaskStoreOptions = {
  /** Milliseconds, of any origin. @default performance.now */
  now?: () => number
  /** Tasks of all replicas. Without it each process knows only its own. */
  shared?: SharedTasks | undefined
}

/** Tasks of this process, bounded in number and bytes, and of other replicas if `shared` is given. */
export const createTaskStore = ({ now = () => performance.now(), shared }: TaskStoreOptions = {}): TaskStore => {
  /** Sizes of the tasks of each caller, the oldest task first. */
  const sizes = new Map<string, Map<string, number>>()
  const tasks = new LRUCache<string, Kept>({
    max: MAX_TASKS,
    maxSize: MAX_BYTES,
    ttl: LIFETIME_MS,
    perf: { now },
    dispose: ({ caller }, id) => {
      const own = sizes.get(caller)
      own?.delete(id)
      if (own?.size === 0) sizes.delete(caller)
    },
  })
  const remember = (caller: string, task: Task, size: number) => {
    tasks.set(task.id, { caller, task }, { size })
    if (!tasks.has(task.id)) return
    const own = sizes.get(caller) ?? new Map<string, number>()
    sizes.set(caller, own.set(task.id, size))
    let bytes = [...own.values()].reduce((sum, one) => sum + one, 0)
    for (const [id, oldest] of own) {
      if (own.size <= MAX_OF_CALLER && bytes <= MAX_BYTES_OF_CALLER) break
      bytes -= oldest
      tasks.delete(id)
    }
  }
  return {
    get: async (caller, id) => {
      // Another replica may have updated it.
      const text = await shared?.get(id)
      const entry = (text === undefined ? undefined : keptIn(text)) ?? tasks.get(id)
      return entry?.caller === caller ? entry.task : undefined
    },
    put: (caller, task) => {
      const known = tasks.get(task.id)
      if (known && hasEnded(known.task)) return
      const text = JSON.stringify({ caller, task })
      remember(caller, task, text.length)
      void shared?.put(task.id, text, hasEnded(task))
    },
  }
}
