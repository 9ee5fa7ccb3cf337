/** HTTPS only: own certificate, or a trusted proxy that says https. Plain HTTP is refused, never redirected. */
import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd][0-9a-f]{2}:|fe80:)/i

/** Whether an address or name to listen on is reached from this machine only. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || LOOPBACK.test(host)

/** Whether an address is one of this machine or of a private network. */
export const isPrivateAddress = (address: string): boolean => PRIVATE.test(address.replace(/^::ffff:/i, ''))

const peerOf = (request: FastifyRequest): string => request.socket.remoteAddress ?? ''

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined ||
  headers['x-forwarded-proto'] !== undefined ||
  headers['x-forwarded-host'] !== undefined ||
  headers.forwarded !== undefined

/** Whether both ends of the connection are this machine, and no proxy has touched the request. */
const isLocal = (request: FastifyRequest): boolean => {
  const { localAddress } = request.socket
  return (
    !isForwarded(request) &&
    LOOPBACK.test(peerOf(request)) &&
    (localAddress === undefined || LOOPBACK.test(localAddress))
  )
}

/**
 * Whether the request may be answered: it came over TLS to us or to a proxy we trust, or it is plain HTTP on one machine
 * and `plainHttp` allows that.
 */
export const isSecure = (request: FastifyRequest, plainHttp: boolean): boolean =>
  request.protocol === 'https' || (plainHttp && isLocal(request))

/** Whether somebody at this machine asks over plain HTTP, who has no address of his own. */
export const isDevelopment = (request: FastifyRequest): boolean => request.protocol !== 'https' && isLocal(request)

/**
 * Whether the caller, as far as trusted proxies tell, is on this machine or a private network. What a proxy that is not
 * listed forwards may come from anywhere, and so may what comes over TLS to us: balancers of connections have private addresses, and
 * forward those of nobody.
 */
export const isPrivate = (request: FastifyRequest): boolean => {
  const trusted = (request.ips?.length ?? 0) > 1
  const direct = !isForwarded(request) && !('encrypted' in request.socket && request.socket.encrypted)
  return (trusted || direct) && isPrivateAddress(request.ip)
}

/**
 * Whether a page that makes a browser send the request is ours, or of this machine where the request is. Requests without
 * an `Origin` do not come from pages. Without the check a page whose name resolves to this machine could ask here.
 */
export const isOwnOrigin = (request: FastifyRequest, publicUrl: string | undefined): boolean => {
  const { origin } = request.headers
  if (origin === undefined || origin === new URL(baseUrlOf(request, publicUrl)).origin) return true
  return isDevelopment(request) && URL.canParse(origin) && LOCAL_HOST.test(new URL(origin).host)
}

/**
 * URL under which callers reach us. Without a public one, only names of this machine are repeated: what others put into
 * `Host` must not end up in a public document.
 */
export const baseUrlOf = (request: FastifyRequest, publicUrl: string | undefined): string => {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const host = LOCAL_HOST.test(request.host) ? request.host : `localhost:${request.socket.localPort ?? ''}`
  return `${request.protocol}://${host.replace(/:$/, '')}`
}
