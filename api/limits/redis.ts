/**
 * Windows shared by replicas. When Redis does not answer within a few milliseconds, this process counts for itself:
 * limits then hold per replica, and no call waits or passes uncounted.
 */
import { Redis } from 'ioredis'
import type { Context } from '../../platform/context.ts'
import { createLocalWindows, type Window, type WindowStore } from './window.ts'

const RECONNECT_MS = 500

export type SharedWindows = WindowStore & { close: () => void }

export const createSharedWindows = (
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  url: string,
  /** How long a call waits for Redis before it is counted locally, ms. */
  timeoutMs: number,
): SharedWindows => {
  const fallbacks = metrics.counter(
    'assay_rate_limit_fallbacks_total',
    'Rate limits counted locally because Redis did not answer',
  )
  const up = metrics.gauge('assay_redis_up', 'Whether rate limits are shared through Redis, 0 or 1')
  const local = createLocalWindows()
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    retryStrategy: () => RECONNECT_MS,
  })
  let down = false
  redis.on('error', (err: Error) => {
    if (!down) log.warn({ err }, 'lost Redis, counting rate limits locally')
    down = true
    up.set(0)
  })
  redis.on('ready', () => {
    if (down) log.info('reached Redis again')
    down = false
    up.set(1)
  })

  const shared = async (key: string, windowMs: number, now: number, units: number): Promise<Window> => {
    const index = Math.floor(now / windowMs)
    const name = `assay:limit:${key}:${index}`
    const [[failure, used] = []] =
      (await redis
        .multi()
        .incrby(name, units)
        .pexpire(name, windowMs * 2)
        .exec()) ?? []
    if (failure) throw failure
    if (typeof used !== 'number') throw new TypeError('Redis answered no count')
    return { used, resetMs: (index + 1) * windowMs - now }
  }

  return {
    take: async (key, windowMs, now, units) => {
      // Counted here as well, so that a fallback in mid-window goes on from what this process saw.
      const own = local.take(key, windowMs, now, units)
      if (redis.status !== 'ready') {
        fallbacks.inc()
        return own
      }
      try {
        return await shared(key, windowMs, now, units)
      } catch {
        fallbacks.inc()
        return own
      }
    },
    close: () => redis.disconnect(),
  }
}
