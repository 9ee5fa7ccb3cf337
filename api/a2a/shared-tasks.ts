/** Tasks that replicas share through Redis. While Redis does not answer, each replica knows only its own. */
import { readFileSync } from 'node:fs'
import type { Context } from '../../platform/context/context.ts'
import { connectRedis } from '../../platform/redis.ts'
import { LIFETIME_MS, type SharedTasks } from './tasks.ts'

/** Stores a task atomically, unless the stored one has ended. */
const KEEP = readFileSync(new URL('keep.lua', import.meta.url), 'utf8')
/** How long a call waits for Redis, ms. */
const TIMEOUT_MS = 100
/** First character of the stored value: whether the task has ended. */
const MARKS = { open: '0', ended: '1' }

const keyOf = (id: string): string => `assay:task:${id}`

/**
 * Shared tasks in Redis.
 * @param timeoutMs timeout of a Redis command
 */
export const createSharedTasks = (
  { log }: Pick<Context, 'log'>,
  url: string,
  timeoutMs = TIMEOUT_MS,
): SharedTasks & { close: () => void } => {
  const redis = connectRedis(url, timeoutMs)
  let down = false
  redis.on('error', (err: Error) => {
    if (!down) log.warn({ err }, 'lost the Redis of tasks, keeping them in memory')
    down = true
  })
  redis.on('ready', () => {
    down = false
  })
  return {
    get: async (id) => (await redis.get(keyOf(id)).catch(() => null))?.slice(1),
    put: async (id, text, ended) => {
      const marked = `${ended ? MARKS.ended : MARKS.open}${text}`
      await redis.eval(KEEP, 1, keyOf(id), marked, LIFETIME_MS, MARKS.ended).catch(() => undefined)
    },
    close: () => redis.disconnect(),
  }
}
