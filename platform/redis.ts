/** Redis connections for features that work without it: a command succeeds quickly or fails, and the connection is restored by itself. */
import { Redis } from 'ioredis'

const RECONNECT_MS = 500
/**
 * A connection that leaves commands unanswered for this long is replaced, ms. A server that vanished, or a load balancer that forgot the
 * connection, does not close it, and the operating system takes about 15 minutes to notice.
 */
const SILENCE_MS = 2_000

/** A primary that became a replica refuses all writes. The URL may point to the new primary by now, so the connection is replaced. */
const isReadOnly = ({ message }: Error): boolean => message.includes('READONLY')

/**
 * Connects at once, and again after each loss. The caller must listen for `error` events.
 * @param timeoutMs longest wait for a command
 */
export const connectRedis = (url: string, timeoutMs: number, { pipelining = false } = {}): Redis =>
  new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: pipelining,
    retryStrategy: () => RECONNECT_MS,
    socketTimeout: SILENCE_MS,
    reconnectOnError: isReadOnly,
  })
