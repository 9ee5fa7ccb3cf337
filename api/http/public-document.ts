/** A public document: cacheable, readable from any origin, answered with 304 when the asker has it. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from './errors.ts'

export const installDocument = (
  app: FastifyInstance,
  path: string,
  make: (request: FastifyRequest) => unknown,
  headers: Record<string, string> = {},
): void => {
  app.get(path, (request, reply: FastifyReply) => {
    const body = JSON.stringify(make(request))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    reply.headers({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      etag,
      'content-type': JSON_TYPE,
      ...headers,
    })
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
  })
}
