import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { baseUrlOf } from '../http/edge/transport.ts'
import { JSON_TYPE } from '../http/errors.ts'
import { sendPage } from '../http/page-policy.ts'
import { perBaseUrl } from '../http/public-document.ts'
import { errorPath } from './errors.ts'
import { llmsText } from './llms.ts'
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from './markup.ts'
import { openapi } from './openapi/document.ts'
import { docsPage } from './page.ts'
import { errorPages, versionsPage } from './pages.ts'
import { postmanCollection } from './postman.ts'

const CACHE_5_MIN = 'public, max-age=300'

/** Computes a value on first use: most servers never serve most of the documents. */
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const document = once(openapi)
const json = once(() => Buffer.from(JSON.stringify(document())))
const page = once(() => Buffer.from(docsPage(document())))
const errors = once(errorPages)
const versions = once(versionsPage)
const fileOf = (path: string) => once(() => readFileSync(new URL(path, import.meta.url)))
const [style, script] = [fileOf('page/page.css'), fileOf('page/page.js')]
const icon = fileOf('../console/page/icon.svg')

/** `/openapi.json` and `/postman.json` for programs, `/docs` for people, `/llms.txt` for language models. All public. */
export const installDocs = (app: FastifyInstance, publicUrl: string | undefined): void => {
  const send = (reply: FastifyReply, type: string, body: string | Buffer) =>
    reply.header('content-type', type).header('cache-control', CACHE_5_MIN).send(body)
  const toAll = (reply: FastifyReply) => reply.header('access-control-allow-origin', '*')
  app.get('/openapi.json', (_, reply) => send(toAll(reply), JSON_TYPE, json()))
  const collection = perBaseUrl((baseUrl) => Buffer.from(JSON.stringify(postmanCollection(document(), baseUrl))))
  app.get('/postman.json', (request, reply) => send(toAll(reply), JSON_TYPE, collection(baseUrlOf(request, publicUrl))))
  app.get('/docs', (_, reply) => sendPage(reply, page(), CACHE_5_MIN))
  app.get('/docs/versions', (_, reply) => sendPage(reply, versions(), CACHE_5_MIN))
  app.get<{ Params: { code: string } }>(errorPath(':code'), ({ params }, reply) => {
    const found = errors().get(params.code)
    return found === undefined ? reply.callNotFound() : sendPage(reply, found, CACHE_5_MIN)
  })
  app.get(STYLE_PATH, (_, reply) => send(reply, 'text/css; charset=utf-8', style()))
  app.get(SCRIPT_PATH, (_, reply) => send(reply, 'text/javascript; charset=utf-8', script()))
  app.get(ICON_PATH, (_, reply) => send(reply, 'image/svg+xml', icon()))
  app.get('/llms.txt', (request, reply) =>
    send(toAll(reply), 'text/markdown; charset=utf-8', llmsText(baseUrlOf(request, publicUrl))),
  )
}
