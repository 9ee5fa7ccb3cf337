/** What every page we serve may load and do, and where the console is. */
import type { FastifyReply } from 'fastify'

/** The console is below it. */
export const CONSOLE_PATH = '/console/'

/**
 * Scripts, styles and images of our own files only; no inline part, no other origin, no frame, no form that posts by itself, and
 * no text that becomes markup. The same for the documentation and the console, without exceptions.
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

/** Sends a page of HTML under the policy. */
export const sendPage = (reply: FastifyReply, page: string | Buffer, cacheControl: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', cacheControl)
    .header('content-security-policy', PAGE_POLICY)
    .send(page)
