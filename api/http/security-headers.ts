/** Headers that every answer carries, whoever asks for what. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

const HSTS_SECONDS = 31_536_000

/** What helmet adds to an answer. It is the same for all of them, so helmet is asked once. */
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

/** Pages and documents have a policy and a cache of their own. */
export const EVERYWHERE: Readonly<Record<string, string>> = { ...ofHelmet(), 'cache-control': 'no-store' }
