import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'

type Responses = Record<string, { $ref?: string; content?: { 'application/json'?: { schema: unknown } } }>
type Document = {
  paths: Record<string, Record<string, { responses: Responses }>>
  components: { responses: Responses }
}

/** Holds answers against what the served OpenAPI says of their path and status, by an independent validator. */
export const documentedBy = async (app: FastifyInstance) => {
  const document: Document = (await app.inject('/openapi.json')).json()
  const validators = new Map<string, ValidateFunction[]>()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ responses }) => ({ path, responses })),
  )
  for (const { path, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = response.$ref?.split('/').at(-1)
      const whole = name === undefined ? response : document.components.responses[name]
      const { $ref: ref } = (whole?.content?.['application/json']?.schema ?? {}) as { $ref?: string }
      const known = validators.get(`${path} ${status}`) ?? []
      if (ref !== undefined) known.push(ajv.compile({ $ref: `openapi${ref}` }))
      validators.set(`${path} ${status}`, known)
    }
  }
  return (path: string, status: number, body: unknown): void => {
    // A path has several methods; what one of them may answer is documented.
    const [first, ...others] = validators.get(`${path} ${status}`) ?? []
    const validate = others.find((other) => other(body)) ?? first
    if (!validate) throw new Error(`${path} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
    expect({ valid: validate(body), errors: validate.errors }).toEqual({ valid: true, errors: null })
  }
}
