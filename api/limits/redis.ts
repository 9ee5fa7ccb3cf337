/**
 * Windows shared by replicas through Redis. If Redis does not answer within a few milliseconds, this process counts locally:
 * limits then apply per replica.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Context } from '../../platform/context/context.ts'
import { connectRedis } from '../../platform/redis.ts'
import { createLocalWindows, slotAt, type Window, type WindowLimit, type WindowStore } from './window.ts'

/** Atomically takes units from a window if they fit. The window is a Redis hash of slot to units. */
const TAKE = readFileSync(new URL('take.lua', import.meta.url), 'utf8')

/** Windows shared by replicas. */
export type SharedWindows = WindowStore & { close: () => void }

/** Does not log the URL, which may contain a password. */
export const createSharedWindows = (
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  url: string,
  /** Timeout of Redis before a call is counted locally, ms. */
  timeoutMs: number,
): SharedWindows => {
  const fallbacks = metrics.counter(
    'assay_rate_limit_fallbacks_total',
    'Rate limits counted locally because Redis did not answer',
  )
  const up = metrics.gauge('assay_redis_up', 'Whether rate limits are shared through Redis, 0 or 1')
  const local = createLocalWindows()
  const redis = connectRedis(url, timeoutMs, { pipelining: true })
  let down = false
  /** Whether Redis is connected but refuses commands: it is a replica, is out of memory, or has another type at the key. */
  let refusing = false
  const lost = (err: unknown) => {
    if (!down) log.warn({ err }, 'lost Redis, counting rate limits locally')
    down = true
    up.set(0)
  }
  const reached = () => {
    if (down) log.info('reached Redis again')
    down = false
    up.set(1)
  }
  redis.on('error', lost)
  redis.on('ready', () => {
    if (!refusing) reached()
  })
  const failed = (error: unknown) => {
    refusing = error instanceof Error && error.name === 'ReplyError'
    if (refusing) lost(error)
    // A single late answer is not worth a log line.
    else up.set(0)
  }

  const shared = async (key: string, { limit, windowMs }: WindowLimit, now: number, units: number): Promise<Window> => {
    const answer = await redis.eval(TAKE, 1, `assay:limit:${key}`, slotAt(windowMs, now), now, windowMs, units, limit)
    const [taken, used, oldest] = z.tuple([z.number(), z.number(), z.number()]).parse(answer)
    return { taken: taken === 1, used, resetMs: oldest + windowMs - now }
  }

  return {
    take: async (key, limit, now, units) => {
      if (redis.status === 'ready') {
        try {
          const window = await shared(key, limit, now, units)
          refusing = false
          reached()
          // Also counted locally, so that a fallback within the window starts from what this process has seen.
          if (window.taken) local.take(key, { ...limit, limit: Number.POSITIVE_INFINITY }, now, units)
          return window
        } catch (error) {
          failed(error)
        }
      }
      fallbacks.inc()
      return local.take(key, limit, now, units)
    },
    close: () => redis.disconnect(),
  }
}
