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

const documentedIn = (text: string): Documented => {
  const document: Document = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const validators = new Map<string, ValidateFunction[]>()
  // Compiled when first asked for: that of the largest answers takes a second.
  const compile = (path: string, status: number): ValidateFunction[] =>
    Object.values(document.paths[path] ?? {}).flatMap(({ responses }) => {
      const response = responses[status]
      const name = response?.$ref?.split('/').at(-1)
      const whole = name === undefined ? response : document.components.responses[name]
      const { $ref: ref } = (whole?.content?.['application/json']?.schema ?? {}) as { $ref?: string }
      return ref === undefined ? [] : [ajv.compile({ $ref: `openapi${ref}` })]
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
