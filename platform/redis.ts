/** Redis for what goes on without it: a command is answered within a moment or fails, and the connection mends itself. */
import { Redis } from 'ioredis'

const RECONNECT_MS = 500
/**
 * A connection without an answer to a command for so long is given up for another one, ms. What answers no more without closing (a server that
 * is gone, a balancer that forgot the connection) would be asked until the system gives up, which takes a quarter of an hour.
 */
const SILENCE_MS = 2_000

/** A server that was made a replica refuses to write for ever: the URL may lead to the new primary by now. */
const isOfReplica = ({ message }: Error): boolean => message.includes('READONLY')

/**
 * A connection that opens at once, and again whenever it was lost. Errors of it come as events of that name, which the caller has to take.
 * @param timeoutMs how long a command is waited for
 */
export const connectRedis = (url: string, timeoutMs: number, { pipelining = false } = {}): Redis =>
  new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: pipelining,
    retryStrategy: () => RECONNECT_MS,
    socketTimeout: SILENCE_MS,
    reconnectOnError: isOfReplica,
  })
