/**
 * The API reference: one HTML page, generated from the OpenAPI document. It is readable without scripts; `page/page.js` adds
 * search and a form for each operation.
 */
import { NETWORK_CODES } from '../../schema/networks.ts'
import { BANDS } from '../../schema/records/service/monitoring.ts'
import { ERROR_PAGES, errorPath } from './errors.ts'
import { code, escaped, pageOf, SCRIPT_PATH, table } from './markup.ts'
import { isObject, type Json } from './openapi/components.ts'
import { CONTRACT_VERSION } from './openapi/document.ts'

type Operation = { path: string; method: string; operation: Json; id: string }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const at = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

/** Resolves a `$ref` of the document; returns other objects as they are. */
const resolverOf =
  (document: Json) =>
  (value: unknown): Json => {
    const ref = at(value, '$ref')
    const found = typeof ref === 'string' ? at(document, ...ref.replace('#/', '').split('/')) : value
    return isObject(found) ? found : {}
  }
type Resolve = ReturnType<typeof resolverOf>

const typeOf = (resolve: Resolve, given: unknown): string => {
  const schema = resolve(given)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = listOf(schema.anyOf ?? schema.oneOf)
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeOf(resolve, choice)))].join(' | ')
  if (schema.type === 'array') return `${typeOf(resolve, schema.items)}[]`
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : textOf(schema.type) || 'object'
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type
}

type Field = { path: string; type: string; required: boolean; description: string }

/** Fields of a schema. Nested fields are named by their path. */
const fieldsOf = (resolve: Resolve, given: unknown, path = '', seen: readonly unknown[] = []): Field[] => {
  const schema = resolve(given)
  const [choice] = listOf(schema.anyOf).filter((one) => one.type !== 'null')
  if (!isObject(schema.properties) && choice && !seen.includes(choice))
    return fieldsOf(resolve, choice, path, [...seen, choice])
  if (!isObject(schema.properties) || seen.includes(schema)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).flatMap(([name, inner]) => {
    const here = `${path}${name}`
    const whole = resolve(inner)
    const below = whole.type === 'array' ? whole.items : whole
    const field = {
      path: here,
      type: typeOf(resolve, inner),
      required: required.includes(name),
      description: textOf(at(inner, 'description')) || textOf(whole.description),
    }
    return [field, ...fieldsOf(resolve, below, `${here}${whole.type === 'array' ? '[]' : ''}.`, [...seen, schema])]
  })
}

const fieldTable = (resolve: Resolve, schema: unknown, asked: boolean): string => {
  const fields = fieldsOf(resolve, schema)
  if (fields.length === 0) return ''
  const rows = fields.map(({ path, type, required, description }) => [
    `${code(path)}${asked && required ? ' <span class="quiet">required</span>' : ''}`,
    code(type),
    escaped(description),
  ])
  return table(['Field', 'Type', 'Meaning'], rows)
}

const printed = (value: unknown): string =>
  `<pre>${escaped(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>`

const mediaOf = (body: unknown): { type: string; media: Json } | undefined => {
  const [entry] = Object.entries(isObject(at(body, 'content')) ? (at(body, 'content') as Json) : {})
  return entry && isObject(entry[1]) ? { type: entry[0], media: entry[1] } : undefined
}

const curlOf = ({ path, method, operation }: Operation): string => {
  const asked = mediaOf(operation.requestBody)
  const needsKey = listOf(operation.security).some((one) => 'apiKey' in one)
  const body =
    asked && (typeof asked.media.example === 'string' ? asked.media.example : JSON.stringify(asked.media.example))
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'https://HOST${path}'`,
    ...(needsKey ? ['-H "x-api-key: $API_KEY"'] : []),
    ...(asked ? [`-H 'content-type: ${asked.type}'`, `-d '${body}'`] : []),
  ].join(' \\\n  ')
}

const responsesOf = (resolve: Resolve, operation: Json): string => {
  const rows = Object.entries(isObject(operation.responses) ? operation.responses : {}).map(([status, given]) => {
    const response = resolve(given)
    const examples = at(mediaOf(response)?.media, 'examples')
    const codes = isObject(examples) ? Object.keys(examples) : []
    const links = codes.map((name) => `<a href="${errorPath(name)}">${code(name)}</a>`).join(' ')
    const headers = Object.keys(isObject(response.headers) ? response.headers : {}).map(code)
    const text = codes.length > 0 ? links : escaped(textOf(response.description))
    return [code(status), text, headers.join(' ')]
  })
  return table(['Status', 'Response', 'Headers'], rows)
}

const parametersOf = (resolve: Resolve, operation: Json): string => {
  const rows = listOf(operation.parameters)
    .map(resolve)
    .map((one) => [
      `${code(textOf(one.name))} <span class="quiet">${textOf(one.in)}${one.required === true ? ', required' : ''}</span>`,
      code(typeOf(resolve, one.schema)),
      escaped(textOf(one.description)),
    ])
  return rows.length === 0 ? '' : `<h4>Parameters</h4>${table(['Name', 'Type', 'Meaning'], rows)}`
}

const operationSection = (resolve: Resolve, one: Operation): string => {
  const { path, method, operation, id } = one
  const asked = mediaOf(operation.requestBody)
  const ok = Object.entries(isObject(operation.responses) ? operation.responses : {}).find(([status]) =>
    /^2/.test(status),
  )
  const answered = mediaOf(ok && resolve(ok[1]))
  const old = operation.deprecated === true ? ' <span class="quiet">deprecated</span>' : ''
  const fields = answered ? fieldTable(resolve, answered.media.schema, false) : ''
  return `<section id="${id}" data-method="${method}" data-path="${escaped(path)}">
<h3><span class="method">${method.toUpperCase()}</span> ${code(path)} ${escaped(textOf(operation.summary))}${old}</h3>
<p>${escaped(textOf(operation.description))}</p>
<pre>${escaped(curlOf(one))}</pre><div class="try"></div>
<details><summary>Request, response and errors</summary>
${parametersOf(resolve, operation)}
${asked ? `<h4>Request</h4>${fieldTable(resolve, asked.media.schema, true)}` : ''}
${answered ? `<h4>Response</h4>${fields}${printed(answered.media.example ?? '')}` : ''}
<h4>Statuses</h4>${responsesOf(resolve, operation)}</details></section>`
}

const RANGES = BANDS.map(({ band, upTo }, nth) => {
  const { upTo: above = undefined } = BANDS[nth - 1] ?? {}
  const from = above === undefined ? '0' : `more than ${above.toFixed(2)}`
  return [code(band), `${from} up to ${upTo.toFixed(2)}`]
})

const VERDICTS = `<section id="verdicts"><h2>Reading a verdict</h2>
<p>${code('probabilityFraud')} falls into exactly one band. ${code('status')} is ${code('Fraud')} at 0.50 and above. A raised flag sets the
probability to 1.00. Bands are a suggestion: choose your own thresholds.</p>
${table(['Band', 'Probability'], RANGES)}
<p>Probabilities have two to ten decimals. The same data and the same model give the same digits, so the digits show whether a verdict
changed and how wallets rank. They do not measure accuracy: two decimals are enough to read. Compare probabilities as numbers, not as strings.</p></section>`

const ERRORS = `<section id="errors"><h2>Errors</h2>
<p>Every error has the body ${code('{"message", "error", "details": [{"field", "reason"}]}')}. The header ${code('x-request-id')} identifies the request.</p>
${table(
  ['error', 'When'],
  Object.entries(ERROR_PAGES).map(([name, { when }]) => [
    `<a href="${errorPath(name)}">${code(name)}</a>`,
    escaped(when),
  ]),
)}</section>`

/** HTML of `/docs`. */
export const docsPage = (document: Json): string => {
  const resolve = resolverOf(document)
  const operations = Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, given]): Operation => {
      const operation = isObject(given) ? given : {}
      return { path, method, operation, id: textOf(operation.operationId) }
    }),
  )
  const parts = listOf(document.tags).map(({ name, description }) => ({
    name: textOf(name),
    description: textOf(description),
    operations: operations.filter(({ operation }) => Array.isArray(operation.tags) && operation.tags.includes(name)),
  }))
  const links = parts.map(
    (part) =>
      `<li><a href="#${part.name}">${escaped(part.name)}</a><ul>${part.operations
        .map(({ id, operation }) => `<li><a href="#${id}">${escaped(textOf(operation.summary))}</a></li>`)
        .join('')}</ul></li>`,
  )
  const body = `<header><h1>Assay API</h1>
<p class="quiet">Contract ${CONTRACT_VERSION} · <a href="/openapi.json">OpenAPI</a> · <a href="/postman.json">Postman</a> ·
<a href="/docs/versions">Versions</a> · <a href="/llms.txt">llms.txt</a></p><div id="tools"></div></header>
<nav aria-label="Operations"><ul>${links.join('')}<li><a href="#verdicts">Reading a verdict</a></li><li><a href="#errors">Errors</a></li></ul></nav>
<main><p>Scores blockchain wallets and contracts from on-chain data alone, on ${NETWORK_CODES.join(', ')}. Every operation is a POST with a JSON body and the
header ${code('x-api-key')}; agents reach the same operations under ${code('/api')}.</p>
${parts
  .map(
    (part) =>
      `<h2 id="${part.name}">${escaped(part.name)}</h2><p>${escaped(part.description)}.</p>${part.operations.map((one) => operationSection(resolve, one)).join('')}`,
  )
  .join('')}${VERDICTS}${ERRORS}</main>`
  return pageOf('Assay API', body, `<script type="module" src="${SCRIPT_PATH}"></script>`)
}
