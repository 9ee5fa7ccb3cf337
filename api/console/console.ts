/**
 * The console: pages for people who screen wallets. The server's part is small: it serves files, signs people in, and lets
 * their browser ask the public API with the key they signed in with.
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

/** The server's part of the console. */
export type Console = {
  /** Lets requests of signed-in pages in. To be installed before whatever looks at keys. */
  admit: (app: FastifyInstance) => void
  /** Adds the pages and the ways to sign in and out. */
  install: (app: FastifyInstance, authorize: Authorize) => void
  /** Path that signs in with a key, once, within ten minutes. The token is behind the `#`, so that it reaches no log. */
  linkFor: (key: string) => string
}

const SESSION = `${CONSOLE_PATH}session`
const FOREVER = 'public, max-age=31536000, immutable'

const credentials = z.union(
  [z.object({ key: z.string().min(1).max(256) }), z.object({ link: z.string().min(1).max(256) })],
  'must have a key or a link',
)

const FOREIGN = errorAnswer('ORIGIN_NOT_ALLOWED', 'Only pages of the console may sign in here.', [
  { field: 'sec-fetch-site', reason: 'must be same-origin: use a current browser, over HTTPS or on this machine' },
])
const USED = errorAnswer(
  'KEY_INVALID',
  'This link was used before, or is older than ten minutes. Sign in with a key.',
  [{ field: 'link', reason: 'was used or has expired' }],
)

/** Whether a page of ours asks. Browsers set the header themselves; no page of another origin can. */
const isOwnPage = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-site'] === 'same-origin'

/** Browsers take the prefix over HTTPS only. With it no other host and no plain HTTP can set the cookie. */
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

/** A console whose sessions end with this process, unless a secret is shared. */
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
      // A page that was opened before an update asks for files that are gone: it must not get the page instead.
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
