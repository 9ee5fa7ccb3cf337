/** Security headers of every response. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

const HSTS_SECONDS = 31_536_000

/** Headers that helmet sets. They do not depend on the request, so they are computed once. */
const ofHelmet = (): Record<string, string> => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const add = helmet({
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    strictTransportSecurity: { maxAge: HSTS_SECONDS, includeSubDomains: true },
  })
  add(request, response, () => undefined)
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** Defaults for every response. Pages and documents override policy and caching. */
export const EVERYWHERE: Readonly<Record<string, string>> = { ...ofHelmet(), 'cache-control': 'no-store' }
