/** Tasks that replicas find with each other, in Redis. While it does not answer, each replica knows its own. */
import { readFileSync } from 'node:fs'
import type { Context } from '../../platform/context/context.ts'
import { connectRedis } from '../../platform/redis.ts'
import { LIFETIME_MS, type SharedTasks } from './tasks.ts'

/** Keeps a text unless the one there has ended, in one step on the server. */
const KEEP = readFileSync(new URL('keep.lua', import.meta.url), 'utf8')
/** How long a call waits for Redis, ms. */
const TIMEOUT_MS = 100
/** First character of what is kept. */
const MARKS = { open: '0', ended: '1' }

const keyOf = (id: string): string => `assay:task:${id}`

/**
 * Tasks of other replicas.
 * @param timeoutMs how long a request waits for Redis
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
