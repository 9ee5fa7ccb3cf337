import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../http/errors.ts'
import { baseUrlOf } from '../http/transport.ts'
import { llmsText } from './llms.ts'
import { openapi } from './openapi.ts'
import { docsPage } from './page.ts'

/** The page brings its own style and runs nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** `/openapi.json` for programs, `/docs` for people, `/llms.txt` for language models. All public. */
export const installDocs = (app: FastifyInstance, publicUrl: string | undefined): void => {
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
  app.get('/llms.txt', (request, reply) =>
    reply
      .header('content-type', 'text/markdown; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(llmsText(baseUrlOf(request, publicUrl))),
  )
}
