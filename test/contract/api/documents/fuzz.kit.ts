/** Requests nobody would send: made from the served OpenAPI and its examples, then changed as JSON, as bytes, and as HTTP. */
import type { FastifyInstance } from 'fastify'
import { EXTENSION_URI } from '../../../../api/a2a/payment/extension.ts'
import { randomOf } from '../../../kit/payments/schedule.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY } from '../kit.ts'
import { payment } from '../payments/payments.kit.ts'
import { METHODS, ODD, ODD_HEADERS, ODD_TYPES } from './fuzz.odd.ts'

type Json = Record<string, unknown>
type Body = { type: string; value: unknown }
type Parameter = { name: string; in: 'query' | 'header' | 'path'; schema?: Json }
type Known = { path: string; method: Method; bodies: Body[]; parameters: Parameter[] }
type Document = {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Json }; parameters?: (Parameter | { $ref: string })[] }>
  >
  components: { parameters: Record<string, Parameter> }
}
export type Method = (typeof METHODS)[number]

export type Fuzzed = {
  method: Method
  url: string
  /** The path in the document; `undefined` where the method or the path is none of it. */
  path: string | undefined
  headers: Record<string, string>
  payload?: Buffer
}

const operationsOf = ({ paths, components }: Document): Known[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { requestBody, parameters = [] }]) => ({
      path,
      method: name.toUpperCase() as Method,
      parameters: parameters.flatMap((one) =>
        '$ref' in one ? (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? []) : one,
      ),
      bodies: Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) => {
        const { example, examples = {} } = media as {
          example?: unknown
          examples?: Record<string, { value?: unknown }>
        }
        return [example, ...Object.values(examples).map(({ value }) => value)].flatMap((value) =>
          value === undefined ? [] : { type, value },
        )
      }),
    })),
  )

/** Lone surrogates have no encoding. */
const encoded = (value: string) => encodeURIComponent(Buffer.from(value).toString())

/** Ids that answers give, so that what is behind them is asked about as well. */
const IDS = /"((?:screen|hook|msg|alert)_[0-9a-f]{24}|pay\.[\w-]{20,})"/g
const MOST_IDS = 200

/**
 * An endless supply of requests; the same for the same seed, but for the payments and ids in them.
 * @param concerns which paths of the document are asked
 */
export const createFuzz = async (app: FastifyInstance, seed: number, concerns = (_path: string) => true) => {
  const document: Document = (await app.inject('/openapi.json')).json()
  const known = operationsOf(document).filter(({ path }) => concerns(path))
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const chance = (p: number) => random() < p
  const bytes = (length: number) => {
    const made = Buffer.allocUnsafe(length)
    for (let at = 0; at < length; at++) made[at] = below(256)
    return made
  }
  const address = () => `0x${below(4_000).toString(16).padStart(40, 'a')}`
  const ids: string[] = []

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
  const fresh = (text: string): string =>
    text.replaceAll(/0x[0-9a-fA-F]{40}/g, () => (chance(0.7) ? address() : '0xabc'))

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
  /** A field that is deeper than any stack, or there twice: what no value of JSON.stringify has. */
  const twisted = (text: string): string => {
    const depth = one([10, 1_000, 2_400, 7_500])
    const deep = chance(0.5) ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const at = text.indexOf('{')
    const field = chance(0.5) ? `"deep":${deep},` : '"network":"BNB","network":1e999,'
    return at < 0 ? deep : `${text.slice(0, at + 1)}${field}${text.slice(at + 1)}`
  }
  const inOtherBytes = (text: string): Buffer => {
    switch (below(3)) {
      case 0:
        return Buffer.from(text, 'utf16le')
      case 1:
        return Buffer.from(`\ufeff${text}`)
      default:
        return Buffer.from(text.replaceAll('\n', '\r'), 'latin1')
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
  const textOf = ({ type, value }: Body): string => {
    if (typeof value === 'string' && type !== 'application/json') return fresh(value)
    const text = fresh(JSON.stringify(value))
    return chance(0.6) ? JSON.stringify(changed(JSON.parse(text))) : text
  }
  const bodyOf = (body: Body | undefined): Buffer => {
    if (body === undefined || chance(0.05)) return bytes(below(300))
    const text = chance(0.05) ? twisted(textOf(body)) : textOf(body)
    const sent = chance(0.03) ? inOtherBytes(text) : Buffer.from(text)
    return chance(0.2) ? mangled(sent) : sent
  }
  const textFor = ({ schema = {} }: Parameter): string => {
    const { enum: choices, type, default: usual } = schema as { enum?: unknown[]; type?: string; default?: unknown }
    if (chance(0.4)) return String(one(ODD)).slice(0, 200)
    if (choices) return String(one(choices))
    return String(usual ?? (type === 'integer' ? below(100) : one(['2026-11-22', '2026-11-22T00:00:00Z', 'ETH', 'x'])))
  }

  const next = (): Fuzzed => {
    const { path, method, bodies, parameters } = one(known)
    const asked = chance(0.05) ? one(METHODS) : method
    const filled = path.replaceAll(/\{\w+\}/g, () =>
      encoded(
        chance(0.6) && ids.length > 0
          ? one(ids)
          : String(one(['INVALID_REQUEST', 'x', ...ODD.filter((odd) => typeof odd === 'string')])),
      ),
    )
    const search = new URLSearchParams()
    const given: Record<string, string> = {}
    for (const parameter of parameters) {
      if (parameter.in === 'query' && chance(0.3)) search.append(parameter.name, textFor(parameter))
      if (parameter.in === 'header' && chance(0.1)) given[parameter.name.toLowerCase()] = textFor(parameter)
    }
    if (chance(0.05))
      search.append(one(['limit', 'after', 'key', 'from', '__proto__', 'x']), String(one(ODD)).slice(0, 200))
    const query = search.size > 0 ? `?${search}` : ''
    const url =
      (chance(0.03)
        ? mangled(Buffer.from(filled))
            .toString('latin1')
            .replaceAll(/[^!-~]/g, '%')
        : filled) + query
    const hasBody = asked !== 'GET' && chance(0.95)
    const body = bodies.length > 0 ? one(bodies) : undefined
    const accept = chance(0.7) ? 'application/json, text/event-stream' : one(['*/*', 'text/csv', 'x', ''])
    const type = chance(0.9) ? (body?.type ?? 'application/json') : one(ODD_TYPES)
    const [oddName, oddValue] = chance(0.1) ? one(ODD_HEADERS) : []
    return {
      method: asked,
      url: url.startsWith('/') ? url : `/${url}`,
      path: asked === method && url === filled + query ? path : undefined,
      headers: {
        accept,
        ...(hasBody && { 'content-type': type }),
        ...credentials(),
        ...given,
        ...(oddName !== undefined && { [oddName]: oddValue }),
      },
      ...(hasBody && { payload: bodyOf(body) }),
    }
  }

  return {
    next,
    /** Takes ids out of an answer, to ask about them. */
    learn: (answer: string): void => {
      for (const [, id = ''] of answer.slice(0, 4_000).matchAll(IDS)) {
        if (ids.length < MOST_IDS) ids.push(id)
        else ids[below(MOST_IDS)] = id
      }
    },
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
