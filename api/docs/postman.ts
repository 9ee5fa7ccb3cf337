/** A Postman collection (format 2.1), generated from the OpenAPI document: one folder per tag, one request per operation. */
import { isObject, type Json } from './openapi/components.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

const bodyOf = (operation: Json): { type: string; raw: string } | undefined => {
  const content = isObject(operation.requestBody) ? operation.requestBody.content : undefined
  const [type, media] = Object.entries(isObject(content) ? content : {})[0] ?? []
  if (type === undefined || !isObject(media)) return undefined
  const { example } = media
  return { type, raw: typeof example === 'string' ? example : JSON.stringify(example, null, 2) }
}

const itemOf = (path: string, method: string, operation: Json): Json => {
  const body = bodyOf(operation)
  const parameters = listOf(operation.parameters)
  const of = (place: string) => parameters.filter((one) => one.in === place)
  const needsKey = listOf(operation.security).some((one) => 'apiKey' in one)
  return {
    name: textOf(operation.summary),
    request: {
      method: method.toUpperCase(),
      description: textOf(operation.description),
      ...(!needsKey && { auth: { type: 'noauth' } }),
      header: [
        ...(body ? [{ key: 'content-type', value: body.type }] : []),
        ...(path.endsWith('/mcp') ? [{ key: 'accept', value: 'application/json, text/event-stream' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: path
          .slice(1)
          .split('/')
          .map((part) => part.replace(/^\{(\w+)\}$/, ':$1')),
        query: of('query').map(({ name, description }) => ({ key: name, value: '', description, disabled: true })),
        variable: of('path').map(({ name, description }) => ({ key: name, value: '', description })),
      },
      ...(body && { body: { mode: 'raw', raw: body.raw } }),
    },
    response: [],
  }
}

/** @param document the OpenAPI document  @param baseUrl initial value of the variable `baseUrl` */
export const postmanCollection = (document: Json, baseUrl: string): Json => {
  const operations = Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isObject(operation) ? [{ path, method, operation }] : [],
    ),
  )
  const folders = listOf(document.tags).map(({ name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => Array.isArray(operation.tags) && operation.tags.includes(name))
      .map(({ path, method, operation }) => itemOf(path, method, operation)),
  }))
  const { title, description } = isObject(document.info) ? document.info : {}
  return {
    info: { name: title, description, schema: SCHEMA },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'apiKey', value: '' },
    ],
    item: folders,
  }
}
