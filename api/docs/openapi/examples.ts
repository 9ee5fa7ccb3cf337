/** Example bodies, assembled from the examples of their fields. */
import { isObject, type Json } from './components.ts'

const REF = '#/components/schemas/'
/** Example strings by format, for fields without an example. */
const FORMATS: Record<string, string> = { 'date-time': '2026-05-04T12:00:00.000Z', date: '2026-05-04' }

/** Whether the example is `null`: a nullable string without example, format or enum. */
const isNull = (choices: unknown, choice: Json): boolean =>
  Array.isArray(choices) &&
  choices.some((one) => isObject(one) && one.type === 'null') &&
  choice.type === 'string' &&
  choice.examples === undefined &&
  choice.format === undefined &&
  choice.enum === undefined

const typeOf = ({ type }: Json): unknown => (Array.isArray(type) ? type.find((one) => one !== 'null') : type)

/**
 * An example of a JSON schema.
 * @param schemas the document's schemas, by name
 * @throws TypeError for a string with neither example nor format: add an example to its schema
 */
export const exampleOf = (schema: unknown, schemas: Json, at = 'body'): unknown => {
  if (!isObject(schema)) return {}
  const inner = (part: unknown, name: string) => exampleOf(part, schemas, `${at}.${name}`)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (typeof schema.$ref === 'string') return inner(schemas[schema.$ref.replace(REF, '')], schema.$ref.replace(REF, ''))
  const [choice] = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list.filter((one) => isObject(one) && one.type !== 'null') : [],
  )
  if (isObject(choice)) return isNull(schema.anyOf, choice) ? null : inner(choice, 'choice')
  switch (typeOf(schema)) {
    case 'object': {
      const properties = isObject(schema.properties) ? schema.properties : {}
      return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part, name)]))
    }
    case 'array':
      return isObject(schema.items) ? [inner(schema.items, 'items')] : []
    case 'integer':
    case 'number':
      if (typeof schema.exclusiveMinimum === 'number') return schema.exclusiveMinimum + 1
      return typeof schema.minimum === 'number' ? schema.minimum : 0
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string': {
      if (Array.isArray(schema.type) && schema.type.includes('null')) return null
      const known = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
      if (known === undefined) throw new TypeError(`${at} has no example`)
      return known
    }
    default:
      return {}
  }
}

/** Media types with a schema. */
const MEDIA = ['application/json', 'application/x-ndjson']

/** Adds an example to every JSON request and response body of an operation. */
export const withExamples = (operation: Json, schemas: Json): Json => {
  const filled = (body: unknown): unknown => {
    if (!isObject(body) || !isObject(body.content)) return body
    const content = Object.entries(body.content).map(([type, media]) => {
      const known = !isObject(media) || media.example !== undefined || media.examples !== undefined
      return [type, known || !MEDIA.includes(type) ? media : { ...media, example: exampleOf(media.schema, schemas) }]
    })
    return { ...body, content: Object.fromEntries(content) }
  }
  const responses = isObject(operation.responses) ? operation.responses : {}
  return {
    ...operation,
    ...(operation.requestBody !== undefined && { requestBody: filled(operation.requestBody) }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, filled(response)])),
  }
}
