import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'

type Responses = Record<string, { $ref?: string; content?: { 'application/json': { schema: unknown } } }>
type Document = { paths: Record<string, { post: { responses: Responses } }>; components: { responses: Responses } }

/** Holds answers against what the served OpenAPI says of their path and status, by an independent validator. */
export const documentedBy = async (app: FastifyInstance) => {
  const document: Document = (await app.inject('/openapi.json')).json()
  const validators = new Map<string, ValidateFunction | undefined>()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  for (const [path, { post }] of Object.entries(document.paths)) {
    for (const [status, response] of Object.entries(post.responses)) {
      const name = response.$ref?.split('/').at(-1)
      const whole = name === undefined ? response : document.components.responses[name]
      const { $ref: ref } = (whole?.content?.['application/json'].schema ?? {}) as { $ref?: string }
      validators.set(`${path} ${status}`, ref === undefined ? undefined : ajv.compile({ $ref: `openapi${ref}` }))
    }
  }
  return (path: string, status: number, body: unknown): void => {
    const validate = validators.get(`${path} ${status}`)
    if (!validate) throw new Error(`${path} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
    expect({ valid: validate(body), errors: validate.errors }).toEqual({ valid: true, errors: null })
  }
}
