/**
 * Connections that may take longer to send a request than the deadline of all others. Node asks the handler of client errors before it
 * closes a connection whose request is late; for these it is told not to. They keep deadlines of their own (`api/screen/upload.ts`).
 */
import type { FastifyRequest } from 'fastify'

const exempt = new WeakSet<object>()

/** Exempts the connection of a request from now until the returned function is called. */
export const allowSlowBody = ({ raw: { socket } }: FastifyRequest): (() => void) => {
  exempt.add(socket)
  return () => void exempt.delete(socket)
}

/** Whether an error of a connection is the deadline it is exempt from. */
export const isAllowedToBeSlow = (error: Error & { code?: string }, socket: object): boolean =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exempt.has(socket)
