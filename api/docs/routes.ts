import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../http/errors.ts'
import { sendPage } from '../http/page-policy.ts'
import { baseUrlOf } from '../http/transport.ts'
import { llmsText } from './llms.ts'
import { openapi } from './openapi/document.ts'
import { docsPage, STYLE, STYLE_PATH } from './page.ts'

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
  app.get('/docs', (_, reply) => sendPage(reply, page, 'public, max-age=300'))
  app.get(STYLE_PATH, (_, reply) =>
    reply.header('content-type', 'text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(STYLE),
  )
  app.get('/llms.txt', (request, reply) =>
    reply
      .header('content-type', 'text/markdown; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(llmsText(baseUrlOf(request, publicUrl))),
  )
}
