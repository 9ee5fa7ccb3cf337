/**
 * Windows shared by replicas. When Redis does not answer within a few milliseconds, this process counts for itself:
 * limits then hold per replica, and no call waits or passes uncounted.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Context } from '../../platform/context/context.ts'
import { connectRedis } from '../../platform/redis.ts'
import { createLocalWindows, slotAt, type Window, type WindowLimit, type WindowStore } from './window.ts'

/** Takes units from a window if they fit: a hash of slot to units, in one step on the server. */
const TAKE = readFileSync(new URL('take.lua', import.meta.url), 'utf8')

/** Windows that replicas count together. */
export type SharedWindows = WindowStore & { close: () => void }

/** A call waits for Redis a moment at most. The URL, which may hold a password, is not logged. */
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
  const redis = connectRedis(url, timeoutMs, { pipelining: true })
  let down = false
  /** Whether it is connected and refuses commands: as a replica, without memory, with another type at the key. */
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
    // A single late answer is none to be told of.
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
          // Counted here as well, so that a fallback in mid-window goes on from what this process saw.
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
