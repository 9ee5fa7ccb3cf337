/**
 * The web console. The server only serves files and manages sessions; the browser calls the public API with the key of the
 * session.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SURFACE_PREFIX } from '../../schema/records/operations.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Authorize } from '../http/authorize.ts'
import { sendAnswer } from '../http/errors.ts'
import { CONSOLE_PATH, sendPage } from '../http/page-policy.ts'
import { requireKey } from '../http/routes.ts'
import type { Caller } from '../keys/caller.ts'
import { invalid } from '../operations.ts'
import { ASSETS_PATH, loadAssets } from './assets.ts'
import { createSessions, SESSION_SECONDS, type SessionsOptions } from './sessions.ts'

/** The server side of the console. */
export type Console = {
  /** Adds the key of the session to requests of the console. Install it before hooks that check keys. */
  admit: (app: FastifyInstance) => void
  /** Adds the pages, and the routes to sign in and out. */
  install: (app: FastifyInstance, authorize: Authorize) => void
  /** One-time sign-in path, valid for ten minutes. The token is in the fragment, which is never logged. */
  linkFor: (key: string) => string
}

const SESSION = `${CONSOLE_PATH}session`
const FOREVER = 'public, max-age=31536000, immutable'

const credentials = z.union(
  [z.object({ key: z.string().min(1).max(256) }), z.object({ link: z.string().min(1).max(256) })],
  'must have a key or a link',
)

const FOREIGN = errorAnswer('ORIGIN_NOT_ALLOWED', 'Only pages of the console may use this route.', [
  { field: 'sec-fetch-site', reason: 'must be same-origin: use a current browser, over HTTPS or on this machine' },
])
const USED = errorAnswer(
  'KEY_INVALID',
  'This link was already used, or is older than ten minutes. Sign in with a key.',
  [{ field: 'link', reason: 'was used or has expired' }],
)

/** Whether the request comes from one of our pages. Only browsers can set this header, not pages. */
const isOwnPage = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-site'] === 'same-origin'

/** The prefix `__Host-` works over HTTPS only. It prevents other hosts and plain HTTP from setting the cookie. */
const cookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-assay' : 'assay')

const cookieOf = (request: FastifyRequest): string | undefined => {
  const name = `${cookieName(request)}=`
  return request.headers.cookie
    ?.split(/; */)
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)
}

const setCookie = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) => {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${cookieName(request)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`,
  )
}

/** Without a shared secret, sessions end with this process. */
export const createConsole = (options: SessionsOptions): Console => {
  const sessions = createSessions(options)
  const assets = loadAssets()

  const signIn = async (request: FastifyRequest, reply: FastifyReply, authorize: Authorize): Promise<Answer> => {
    if (!isOwnPage(request)) return FOREIGN
    const parsed = credentials.safeParse(request.body)
    if (!parsed.success) return invalid(parsed.error.issues)
    const key = 'key' in parsed.data ? parsed.data.key : sessions.redeem(parsed.data.link)
    if (key === undefined) return USED
    const result = await authorize.byKey(key, request.ip)
    if ('refused' in result) return result.refused
    setCookie(request, reply, sessions.seal(key), SESSION_SECONDS)
    return described(result.caller)
  }
  const described = ({ id, tier, test, operations, networks }: Caller): Answer => ({
    status: 200,
    body: JSON.stringify({
      message: 'Success',
      key: id,
      tier,
      test: test === true,
      operations: operations ? [...operations] : null,
      networks: networks ? [...networks] : null,
    }),
    outcome: 'session',
  })

  return {
    linkFor: (key) => `${CONSOLE_PATH}#link=${sessions.createLink(key)}`,
    admit: (app) => {
      app.addHook('onRequest', (request, _reply, done) => {
        const { headers } = request.raw
        const isAsked = headers['x-api-key'] === undefined && !request.url.startsWith(`${SURFACE_PREFIX.agent}/`)
        const cookie = isAsked && isOwnPage(request) ? cookieOf(request) : undefined
        const key = cookie && sessions.open(cookie)
        if (key) headers['x-api-key'] = key
        done()
      })
    },
    install: (app, authorize) => {
      const page = (_: FastifyRequest, reply: FastifyReply) => sendPage(reply, assets.index, 'no-store')
      app.get('/console', (_, reply) => reply.redirect(CONSOLE_PATH, 308))
      app.get(`${CONSOLE_PATH}*`, page)
      for (const [path, { type, body, gzip }] of assets.files) {
        app.get(`${assets.base}${path}`, (request, reply) => {
          const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
          reply.header('content-type', type).header('cache-control', FOREVER).header('vary', 'accept-encoding')
          return zipped ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(body)
        })
      }
      // Files of an earlier version: 404 instead of the page.
      app.get(`${ASSETS_PATH}*`, (_, reply) => reply.callNotFound())
      app.get(SESSION, { onRequest: requireKey(authorize) }, (request, reply) => {
        if (!request.caller) throw new TypeError('a request without caller reached a handler')
        return sendAnswer(reply, described(request.caller))
      })
      app.post(SESSION, async (request, reply) => sendAnswer(reply, await signIn(request, reply, authorize)))
      app.delete(SESSION, async (request, reply) => {
        if (!isOwnPage(request)) return sendAnswer(reply, FOREIGN)
        setCookie(request, reply, '', 0)
        return sendAnswer(reply, { status: 200, body: '{"message":"Success"}', outcome: 'session' })
      })
    },
  }
}
