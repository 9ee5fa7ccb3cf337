import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'

type Responses = Record<string, { $ref?: string; content?: { 'application/json'?: { schema: unknown } } }>
type Document = {
  paths: Record<string, Record<string, { responses: Responses }>>
  components: { responses: Responses }
}
type Documented = (path: string, status: number, body: unknown) => void

/** A name as a step of a JSON pointer in a URI. */
const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

const documentedIn = (text: string): Documented => {
  const document: Document = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const validators = new Map<string, ValidateFunction[]>()
  // Compiled when first asked for: that of the largest answers takes a second.
  const compile = (path: string, status: number): ValidateFunction[] =>
    Object.entries(document.paths[path] ?? {}).flatMap(([method, { responses }]) => {
      const response = responses[status]
      const name = response?.$ref?.split('/').at(-1)
      const whole = name === undefined ? response : document.components.responses[name]
      if (!whole?.content?.['application/json']) return []
      const at = response?.$ref ?? `#/paths/${step(path)}/${method}/responses/${status}`
      return [ajv.compile({ $ref: `openapi${at}/content/${step('application/json')}/schema` })]
    })
  return (path, status, body) => {
    const key = `${path} ${status}`
    const known = validators.get(key) ?? compile(path, status)
    validators.set(key, known)
    // A path has several methods; what one of them may answer is documented.
    const [first, ...others] = known
    const validate = others.find((other) => other(body)) ?? first
    if (!validate) throw new Error(`${path} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
    expect({ valid: validate(body), errors: validate.errors }).toEqual({ valid: true, errors: null })
  }
}

const known = new Map<string, Documented>()

/** Holds answers against what the served OpenAPI says of their path and status, by an independent validator. */
export const documentedBy = async (app: FastifyInstance): Promise<Documented> => {
  const text = (await app.inject('/openapi.json')).body
  const documented = known.get(text) ?? documentedIn(text)
  known.set(text, documented)
  return documented
}
