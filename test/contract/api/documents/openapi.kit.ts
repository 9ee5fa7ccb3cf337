import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'

type Response = { headers?: Record<string, unknown>; content?: Record<string, { schema: unknown }> }
type Responses = Record<string, Response & { $ref?: string }>
type Document = {
  info: { description: string }
  paths: Record<string, Record<string, { responses: Responses }>>
  components: { responses: Record<string, Response> }
}
type Headers = Readonly<Record<string, unknown>>

export type Documented = {
  /** Holds a JSON body against the schema of its path and status. */
  (path: string, status: number, body: unknown): void
  /** Holds a whole answer, with its headers, against what the document says of its path, method and status. */
  answer: (path: string, method: string, status: number, headers: Headers, body: string) => void
}

/** What HTTP itself adds. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
])

/** A name as a step of a JSON pointer in a URI. */
const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

const documentedIn = (text: string): Documented => {
  const document: Document = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const validators = new Map<string, ValidateFunction[]>()
  /** Headers of every answer, which the document names once. */
  const everywhere = new Set([...document.info.description.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name))

  const wholeOf = (response: Responses[string] | undefined): Response | undefined =>
    response?.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1) ?? '']
  // Compiled when first asked for: that of the largest answers takes a second.
  const compile = (path: string, status: number): ValidateFunction[] =>
    Object.entries(document.paths[path] ?? {}).flatMap(([method, { responses }]) => {
      const response = responses[status]
      if (!wholeOf(response)?.content?.['application/json']) return []
      const at = response?.$ref ?? `#/paths/${step(path)}/${method}/responses/${status}`
      return [ajv.compile({ $ref: `openapi${at}/content/${step('application/json')}/schema` })]
    })
  const ofBody = (path: string, status: number, body: unknown) => {
    const key = `${path} ${status}`
    const known = validators.get(key) ?? compile(path, status)
    validators.set(key, known)
    // A path has several methods; what one of them may answer is documented.
    const [first, ...others] = known
    const validate = others.find((other) => other(body)) ?? first
    if (!validate) throw new Error(`${path} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
    expect({ valid: validate(body), errors: validate.errors }).toEqual({ valid: true, errors: null })
  }
  const answer: Documented['answer'] = (path, method, status, headers, body) => {
    const response = wholeOf(document.paths[path]?.[method.toLowerCase()]?.responses[status])
    if (!response) throw new Error(`${method} ${path} answered ${status}, which is not documented`)
    const named = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
    const unnamed = Object.keys(headers).filter(
      (name) => !OF_HTTP.has(name) && !named.has(name) && !everywhere.has(name),
    )
    expect({ path, method, status, unnamed }).toEqual({ path, method, status, unnamed: [] })
    if (body === '') return
    const type = String(headers['content-type']).split(';')[0] ?? ''
    if (!response.content?.[type])
      throw new Error(`${method} ${path} answered ${status} as ${type}, which is not documented`)
    if (type === 'application/json') ofBody(path, status, JSON.parse(body))
  }
  return Object.assign(ofBody, { answer })
}

const known = new Map<string, Documented>()

/** Holds answers against what the served OpenAPI says of their path and status, by an independent validator. */
export const documentedBy = async (app: FastifyInstance): Promise<Documented> => {
  const text = (await app.inject('/openapi.json')).body
  const documented = known.get(text) ?? documentedIn(text)
  known.set(text, documented)
  return documented
}
