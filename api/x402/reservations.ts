import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { RetryableError } from '../../platform/errors.ts'
import { connectRedis } from '../../platform/redis.ts'

/**
 * Reservations of authorizations in progress. Atomic: of several copies of one payment exactly one gets the reservation, across
 * replicas if they share Redis.
 */
export type Reservations = {
  /** @throws RetryableError ASSAY_PAYMENT_RESERVATION if it cannot be decided; the payment must then be refused */
  reserve: (key: string, ttlSeconds: number) => Promise<boolean>
  release: (key: string) => Promise<void>
}

const MAX_LOCAL = 100_000

/** For one process. `clock` in milliseconds. Bounded: when full, new payments are refused. */
export const createLocalReservations = (clock: () => number): Reservations => {
  const now = steadyTime(clock)
  const until = new Map<string, number>()
  const sweep = () => {
    for (const [key, end] of until) if (end <= now()) until.delete(key)
  }
  return {
    reserve: async (key, ttlSeconds) => {
      const held = until.get(key)
      if (held !== undefined && held > now()) return false
      if (until.size >= MAX_LOCAL) sweep()
      if (until.size >= MAX_LOCAL) {
        throw new RetryableError(
          'ASSAY_PAYMENT_RESERVATION',
          'Too many payments are in flight, so this one was refused and not charged. Try again, or run more replicas.',
        )
      }
      until.set(key, now() + ttlSeconds * 1_000)
      return true
    },
    release: async (key) => void until.delete(key),
  }
}

/**
 * Shared by replicas through Redis. Payments are refused while Redis does not answer within `timeoutMs`: charging twice would be
 * worse.
 */
export const createRedisReservations = (
  { log }: Pick<Context, 'log'>,
  url: string,
  timeoutMs = 200,
): Reservations & { close: () => void } => {
  const redis = connectRedis(url, timeoutMs)
  redis.on('error', (error: Error) => log.warn({ error: error.message }, 'failed to reach the Redis of payments'))
  return {
    reserve: async (key, ttlSeconds) => {
      try {
        return (await redis.set(`assay:payment:${key}`, '1', 'EX', ttlSeconds, 'NX')) === 'OK'
      } catch (cause) {
        throw new RetryableError(
          'ASSAY_PAYMENT_RESERVATION',
          'The reservation store did not answer, so the payment was refused and not charged. Check Redis.',
          { cause },
        )
      }
    },
    // A reservation that cannot be released expires.
    release: async (key) => {
      await redis.del(`assay:payment:${key}`).catch(() => undefined)
    },
    close: () => redis.disconnect(),
  }
}
