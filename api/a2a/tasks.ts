import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Task } from './protocol.ts'

const MAX_TASKS = 2_000
const MAX_BYTES = 32 * 1024 * 1024
/** Of one caller, so that nobody pushes out those of the others. */
const MAX_OF_CALLER = 500
const MAX_BYTES_OF_CALLER = 4 * 1024 * 1024
/** How long a task can be asked for, ms. */
export const LIFETIME_MS = 15 * 60_000

/**
 * Tasks, kept for a quarter of an hour. A task is visible to the caller that made it and to nobody else: to others it does not exist.
 */
export type TaskStore = {
  get: (caller: string, id: string) => Promise<Task | undefined>
  /** Keeps a task. One that has ended stays as it ended: an answer that comes later reaches its caller and nobody else. */
  put: (caller: string, task: Task) => void
}

/** Where replicas find the tasks of each other. Neither throws: what is not there is in memory, or gone. */
export type SharedTasks = {
  get: (id: string) => Promise<string | undefined>
  /** Keeps a text, unless what is there has ended. */
  put: (id: string, text: string, ended: boolean) => Promise<void>
}

type Kept = { caller: string; task: Task }
const kept = z.object({ caller: z.string(), task: z.looseObject({ kind: z.literal('task'), id: z.string() }) })

const hasEnded = ({ status }: Task): boolean => status.state !== 'input-required'

/** What another replica kept; written by `put` below, and read no further than to tell whose it is. */
const keptIn = (text: string): Kept | undefined => {
  const parsed = kept.safeParse(JSON.parse(text))
  return parsed.success ? (parsed.data as unknown as Kept) : undefined
}

/** Time and company of a store of tasks. */
export type TaskStoreOptions = {
  /** Milliseconds, of any origin. @default performance.now */
  now?: () => number
  /** Where the tasks of other replicas are; each process knows its own without it. */
  shared?: SharedTasks | undefined
}

/** Tasks of this process, bounded in number and bytes, and those of other replicas where they are shared. */
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
      // Another replica may have gone on with it.
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
