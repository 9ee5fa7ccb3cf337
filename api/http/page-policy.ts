/** Content security policy of our pages, and the path of the console. */
import type { FastifyReply } from 'fastify'

/** Path prefix of the console. */
export const CONSOLE_PATH = '/console/'

/**
 * Only our own scripts, styles and images; no inline code, other origins, frames, native form posts or HTML sinks. The same
 * policy for the documentation and the console.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Sends an HTML page with the policy. */
export const sendPage = (reply: FastifyReply, page: string | Buffer, cacheControl: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', cacheControl)
    .header('content-security-policy', PAGE_POLICY)
    .send(page)
