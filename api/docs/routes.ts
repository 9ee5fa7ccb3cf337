import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../http/errors.ts'
import { openapi } from './openapi.ts'
import { docsPage } from './page.ts'

/** The page brings its own style and runs nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** `/openapi.json` for programs, `/docs` for people. Both public, both made once. */
export const installDocs = (app: FastifyInstance): void => {
  const document = openapi()
  const json = Buffer.from(JSON.stringify(document))
  const page = Buffer.from(docsPage())
  app.get('/openapi.json', (_, reply) =>
    reply
      .header('content-type', JSON_TYPE)
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(json),
  )
  app.get('/docs', (_, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('content-security-policy', PAGE_POLICY)
      .send(page),
  )
}
