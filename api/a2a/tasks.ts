import { LRUCache } from 'lru-cache'
import type { Task } from './protocol.ts'

const MAX_TASKS = 2_000
const MAX_BYTES = 32 * 1024 * 1024
const LIFETIME_MS = 15 * 60_000

/**
 * Tasks of this process, kept for a quarter of an hour and bounded in number and bytes. A task is visible to the caller
 * that made it and to nobody else: to others it does not exist.
 */
export type TaskStore = {
  get: (caller: string, id: string) => Task | undefined
  /** Keeps a task. One that has ended stays as it ended: an answer that comes later reaches its caller and nobody else. */
  put: (caller: string, task: Task) => void
}

export const createTaskStore = (now: () => number = () => performance.now()): TaskStore => {
  const tasks = new LRUCache<string, { caller: string; task: Task }>({
    max: MAX_TASKS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ task }) => JSON.stringify(task).length + 1,
    ttl: LIFETIME_MS,
    perf: { now },
  })
  return {
    get: (caller, id) => {
      const entry = tasks.get(id)
      return entry?.caller === caller ? entry.task : undefined
    },
    put: (caller, task) => {
      const known = tasks.get(task.id)
      if (known && known.task.status.state !== 'input-required') return
      tasks.set(task.id, { caller, task })
    },
  }
}
