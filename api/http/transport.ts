/** HTTPS only: own certificate, or a trusted proxy that says https. Plain HTTP is refused, never redirected. */
import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd][0-9a-f]{2}:|fe80:)/i

const peerOf = (request: FastifyRequest): string => request.socket.remoteAddress ?? ''

/**
 * Whether the request may be answered: it came over TLS to us or to a proxy we trust, or it is plain HTTP between two
 * loopback addresses that no proxy has touched (development on one machine).
 */
export const isSecure = (request: FastifyRequest): boolean => {
  if (request.protocol === 'https') return true
  const { headers, socket } = request
  const proxied =
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-proto'] !== undefined ||
    headers.forwarded !== undefined
  return (
    !proxied &&
    LOOPBACK.test(peerOf(request)) &&
    (socket.localAddress === undefined || LOOPBACK.test(socket.localAddress))
  )
}

/** Whether the caller, as far as trusted proxies tell, is on this machine or a private network. */
export const isPrivate = (request: FastifyRequest): boolean => PRIVATE.test(request.ip.replace(/^::ffff:/, ''))
