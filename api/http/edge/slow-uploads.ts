/**
 * Connections that are exempt from the request timeout. Node calls the client error handler before it closes a late connection;
 * for exempt ones the handler does nothing. Uploads enforce deadlines of their own (`api/screen/upload.ts`).
 */
import type { FastifyRequest } from 'fastify'

const exempt = new WeakSet<object>()

/** Exempts the connection of a request from now until the returned function is called. */
export const allowSlowBody = ({ raw: { socket } }: FastifyRequest): (() => void) => {
  exempt.add(socket)
  return () => void exempt.delete(socket)
}

/** Whether an error is the request timeout of an exempt connection. */
export const isAllowedToBeSlow = (error: Error & { code?: string }, socket: object): boolean =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exempt.has(socket)
