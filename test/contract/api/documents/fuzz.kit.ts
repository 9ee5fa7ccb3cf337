/** Requests nobody would send: made from the served OpenAPI and its examples, then changed as JSON, as bytes, and as HTTP. */
import type { FastifyInstance } from 'fastify'
import { EXTENSION_URI } from '../../../../api/a2a/payment/extension.ts'
import { randomOf } from '../../../kit/payments/schedule.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY } from '../kit.ts'
import { payment } from '../payments/payments.kit.ts'

type Json = Record<string, unknown>
type Operation = { requestBody?: { content: Json }; parameters?: Json[] }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Fuzzed = {
  method: Method
  url: string
  /** The path in the document; `undefined` where the method or the path is none of it. */
  path: string | undefined
  headers: Record<string, string>
  payload?: Buffer
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  2 ** 53,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '0x',
  `0x${'f'.repeat(40)}`,
  'ETH',
  'eth',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  "' OR 1=1 --",
  '{{7*7}}',
  '%00',
  '\u202e',
  'e'.repeat(5_000),
  [],
  {},
  [[[]]],
  { toJSON: 1 },
]
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const TYPES = [
  'application/json',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=a',
  'x',
  '',
]

const examplesOf = (document: { paths: Record<string, Record<string, Operation>> }) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const content = Object.values(operation.requestBody?.content ?? {}) as {
        example?: unknown
        examples?: Json
        schema?: Json
      }[]
      const named = content.flatMap(({ examples }) => Object.values(examples ?? {}) as { value?: unknown }[])
      return {
        path,
        method: name.toUpperCase() as Method,
        bodies: [...content.flatMap(({ example }) => example ?? []), ...named.flatMap(({ value }) => value ?? [])],
      }
    }),
  )

/** Lone surrogates have no encoding. */
const encoded = (value: string) => encodeURIComponent(Buffer.from(value).toString())

/** An endless supply of requests; the same for the same seed, but for the payments in them. */
export const createFuzz = async (app: FastifyInstance, seed: number) => {
  const known = examplesOf((await app.inject('/openapi.json')).json())
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const chance = (p: number) => random() < p
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)))
  const address = () => `0x${below(4_000).toString(16).padStart(40, 'a')}`

  /** A value with something changed, somewhere. */
  const changed = (value: unknown, depth = 0): unknown => {
    if (typeof value !== 'object' || value === null || chance(0.15) || depth > 6) return one(ODD)
    if (Array.isArray(value)) {
      if (chance(0.3)) return [...value, ...value]
      const at = below(value.length + 1)
      return value.toSpliced(at, 1, changed(value[at], depth + 1))
    }
    const keys = Object.keys(value)
    const key = chance(0.15) ? String(one(ODD)) : (one(keys) ?? 'x')
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    return chance(0.2) ? rest : { ...rest, [key]: changed((value as Json)[key], depth + 1) }
  }
  const fresh = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(/0x[0-9a-fA-F]{40}/g, () => (chance(0.7) ? address() : '0xabc')))

  /** Bytes with some of them lost, flipped, doubled or put in between. */
  const mangled = (whole: Buffer): Buffer => {
    const at = below(whole.length + 1)
    const [head, tail] = [whole.subarray(0, at), whole.subarray(at)]
    switch (below(5)) {
      case 0:
        return Buffer.from(head)
      case 1:
        return Buffer.concat([head, bytes(1 + below(8)), tail])
      case 2:
        return Buffer.concat([head, tail.subarray(1 + below(4))])
      case 3:
        return Buffer.concat([whole, head])
      default: {
        const flipped = Buffer.from(whole)
        if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << below(8))
        return flipped
      }
    }
  }

  const credentials = (): Record<string, string> => {
    switch (below(8)) {
      case 0:
        return {}
      case 1:
        return { 'x-api-key': one(['wrong', '', 'k'.repeat(300), '\u00e9']) }
      case 2:
        return { 'x-payment': bytes(below(200)).toString('base64') }
      case 3:
        return payment(chance(0.5) ? {} : { [one(['value', 'to', 'nonce', 'validBefore'])]: String(one(ODD)) })
      case 4:
        return { 'x-a2a-extensions': EXTENSION_URI }
      default:
        return { 'x-api-key': one([BUSINESS_KEY, ENTERPRISE_KEY]) }
    }
  }
  const bodyOf = (bodies: readonly unknown[]): Buffer => {
    if (bodies.length === 0 || chance(0.05)) return bytes(below(300))
    const body = fresh(one(bodies))
    const text = Buffer.from(JSON.stringify(chance(0.6) ? changed(body) : body))
    return chance(0.25) ? mangled(text) : text
  }

  const next = (): Fuzzed => {
    const { path, method, bodies } = one(known)
    const asked = chance(0.05) ? one(METHODS) : method
    const filled = path.replaceAll(/\{\w+\}/g, () =>
      encoded(String(one(['INVALID_REQUEST', 'x', ...ODD.filter((odd) => typeof odd === 'string')]))),
    )
    const query = chance(0.2)
      ? `?${one(['limit', 'after', 'key', 'from', 'x'])}=${encoded(String(one(ODD))).slice(0, 200)}`
      : ''
    const url =
      (chance(0.03)
        ? mangled(Buffer.from(filled))
            .toString('latin1')
            .replaceAll(/[^!-~]/g, '%')
        : filled) + query
    const hasBody = asked !== 'GET' && chance(0.95)
    const accept = chance(0.7) ? 'application/json, text/event-stream' : one(['*/*', 'text/csv', 'x', ''])
    const type = chance(0.9) ? 'application/json' : one(TYPES)
    return {
      method: asked,
      url: url.startsWith('/') ? url : `/${url}`,
      path: asked === method && url === path + query && !path.includes('{') ? path : undefined,
      headers: { accept, ...(hasBody && { 'content-type': type }), ...credentials() },
      ...(hasBody && { payload: bodyOf(bodies) }),
    }
  }

  return {
    next,
    /** A request as bytes of a connection, changed in the head as well. */
    nextBytes: (): Buffer => {
      const { method, url, headers, payload = Buffer.alloc(0) } = next()
      const named = Object.entries({
        host: 'localhost',
        'content-length': String(payload.length),
        connection: 'close',
        ...headers,
      })
      const head = `${method} ${url} HTTP/1.1\r\n${named.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
      const whole = Buffer.concat([Buffer.from(head, 'latin1'), payload])
      return chance(0.7) ? mangled(whole) : whole
    },
  }
}
