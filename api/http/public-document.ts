/** A public document: cacheable, readable from any origin, with ETag and 304. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { baseUrlOf } from './edge/transport.ts'
import { JSON_TYPE } from './errors.ts'

/** Base URLs for which documents are cached: the public URL, or else local names. */
const MAX_URLS = 8

/** Caches a value per base URL: documents are public, so they must be cheap to serve. */
export const perBaseUrl = <T extends object>(make: (baseUrl: string) => T): ((baseUrl: string) => T) => {
  const made = new LRUCache<string, T>({ max: MAX_URLS })
  return (baseUrl) => {
    const known = made.get(baseUrl) ?? make(baseUrl)
    made.set(baseUrl, known)
    return known
  }
}

const etagOf = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** Whether If-None-Match names the tag. It may list several tags; compressing proxies make them weak (RFC 9110, 13.1.2). */
const hasTag = (asked = '', etag: string): boolean =>
  asked.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

/**
 * Serves a JSON document.
 * @param make creates the document for a base URL
 */
export const installDocument = (
  app: FastifyInstance,
  path: string,
  publicUrl: string | undefined,
  make: (baseUrl: string) => unknown,
  headers: Record<string, string> = {},
): void => {
  const documentOf = perBaseUrl((baseUrl) => {
    const body = Buffer.from(JSON.stringify(make(baseUrl)))
    return { body, etag: etagOf(body) }
  })
  app.get(path, (request, reply: FastifyReply) => {
    const { body, etag } = documentOf(baseUrlOf(request, publicUrl))
    reply.headers({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      etag,
      'content-type': JSON_TYPE,
      ...headers,
    })
    return hasTag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body)
  })
}
