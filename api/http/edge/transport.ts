/** HTTPS only, with our own certificate or a trusted proxy that forwards https. Plain HTTP is refused, never redirected. */
import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd][0-9a-f]{2}:|fe80:)/i

/** Whether a listen address is reachable from this machine only. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || LOOPBACK.test(host)

/** Whether an address belongs to this machine or a private network. */
export const isPrivateAddress = (address: string): boolean => PRIVATE.test(address.replace(/^::ffff:/i, ''))

const peerOf = (request: FastifyRequest): string => request.socket.remoteAddress ?? ''

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined ||
  headers['x-forwarded-proto'] !== undefined ||
  headers['x-forwarded-host'] !== undefined ||
  headers.forwarded !== undefined

/** Whether both ends of the connection are this machine, and no proxy forwarded the request. */
const isLocal = (request: FastifyRequest): boolean => {
  const { localAddress } = request.socket
  return (
    !isForwarded(request) &&
    LOOPBACK.test(peerOf(request)) &&
    (localAddress === undefined || LOOPBACK.test(localAddress))
  )
}

/**
 * Whether the request came over TLS, to us or to a trusted proxy, or over plain HTTP within this machine and `plainHttp`
 * allows that.
 */
export const isSecure = (request: FastifyRequest, plainHttp: boolean): boolean =>
  request.protocol === 'https' || (plainHttp && isLocal(request))

/** Whether the request is plain HTTP within this machine, where all callers share one address. */
export const isDevelopment = (request: FastifyRequest): boolean => request.protocol !== 'https' && isLocal(request)

/**
 * Whether the caller is on this machine or a private network, according to trusted proxies. Requests forwarded by an unlisted
 * proxy do not count, nor do direct TLS connections: a TCP load balancer has a private address and does not forward that of
 * the client.
 */
export const isPrivate = (request: FastifyRequest): boolean => {
  const trusted = (request.ips?.length ?? 0) > 1
  const direct = !isForwarded(request) && !('encrypted' in request.socket && request.socket.encrypted)
  return (trusted || direct) && isPrivateAddress(request.ip)
}

/**
 * Whether the request comes from one of our pages, or from a page of this machine for a local request. Requests without
 * `Origin` do not come from pages. Prevents DNS rebinding: pages whose name resolves to this machine.
 */
export const isOwnOrigin = (request: FastifyRequest, publicUrl: string | undefined): boolean => {
  const { origin } = request.headers
  if (origin === undefined || origin === new URL(baseUrlOf(request, publicUrl)).origin) return true
  return isDevelopment(request) && URL.canParse(origin) && LOCAL_HOST.test(new URL(origin).host)
}

/**
 * URL under which callers reach us. Without a public URL only local names of `Host` are used: a forged `Host` must not end up
 * in a public document.
 */
export const baseUrlOf = (request: FastifyRequest, publicUrl: string | undefined): string => {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const host = LOCAL_HOST.test(request.host) ? request.host : `localhost:${request.socket.localPort ?? ''}`
  return `${request.protocol}://${host.replace(/:$/, '')}`
}
