/** The documentation page: one HTML text and its style, without scripts or outside parts, made from the same tables as the API. */
import { z } from 'zod'
import { type Network, networksOf } from '../../schema/networks.ts'
import { EXTENSIONS, type ExtensionInfo } from '../../schema/records/extensions.ts'
import { OPERATION_LIST, type OperationInfo } from '../../schema/records/operations.ts'
import { exampleAddress } from '../../schema/records/request.ts'
import { ERROR_STATUS } from '../answer.ts'
import { CONTRACT_VERSION } from './openapi/document.ts'

type Json = { [key: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)

/** Where the page's style is, and its text. */
export const STYLE_PATH = '/docs.css'
export const STYLE = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:2rem 1.25rem 5rem}
h1{font-size:2rem;margin:0}h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.5rem}h3{margin:1.5rem 0 .4rem}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:1rem;border-radius:.5rem;overflow-x:auto}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}th,td{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line)}
nav a{margin-right:1rem}.quiet{opacity:.7}
`

const typeOf = (schema: Json): string => {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.anyOf)) return schema.anyOf.filter(isObject).map(typeOf).join(' | ')
  if (schema.type === 'array' && isObject(schema.items)) return `${typeOf(schema.items)}[]`
  if (typeof schema.format === 'string') return `${schema.type} (${schema.format})`
  return Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? 'object')
}

/** Fields of a schema, nested ones by their path. */
const fieldsOf = (schema: Json, path = ''): { path: string; type: string; description: string }[] => {
  if (!isObject(schema.properties)) return []
  return Object.entries(schema.properties).flatMap(([name, inner]) => {
    if (!isObject(inner)) return []
    const at = `${path}${name}`
    const nested =
      inner.type === 'array' && isObject(inner.items) ? fieldsOf(inner.items, `${at}[].`) : fieldsOf(inner, `${at}.`)
    return [{ path: at, type: typeOf(inner), description: String(inner.description ?? '') }, ...nested]
  })
}

const table = (rows: string[][], head: string[]): string => {
  const row = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}

const code = (text: string): string => `<code>${escaped(text)}</code>`

/** Puts shared parts where they are referred to. */
const inlined = (value: unknown, parts: Json): Json | undefined => {
  const walk = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(walk)
    if (!isObject(inner)) return inner
    if (typeof inner.$ref === 'string') return walk(parts[inner.$ref.replace('#/$defs/', '')])
    return Object.fromEntries(Object.entries(inner).map(([name, part]) => [name, walk(part)]))
  }
  const result = walk(value)
  return isObject(result) ? result : undefined
}

const fieldTable = (schema: z.ZodType, io: 'input' | 'output'): string => {
  const json: Json = z.toJSONSchema(schema, { io })
  const whole = inlined(json, isObject(json.$defs) ? json.$defs : {}) ?? {}
  const rows = fieldsOf(whole).map(({ path, type, description }) => [code(path), code(type), escaped(description)])
  return table(rows, ['Field', 'Type', 'Meaning'])
}

const curlOf = (path: string, request: object): string => {
  const body = JSON.stringify(request)
  return `curl -X POST https://HOST${path} \\\n  -H 'content-type: application/json' -H "x-api-key: $API_KEY" \\\n  -d '${body}'`
}

type Section = Pick<ExtensionInfo, 'path' | 'tiers' | 'title' | 'summary' | 'request' | 'record'> & { id: string }

const section = (info: Section, note: string, example: object): string => `
<h2 id="${info.id}">${escaped(info.title)} <span class="quiet">POST ${info.path}</span></h2>
<p>${escaped(info.summary)}. ${note} Tiers: ${info.tiers.join(', ')}.</p>
<pre>${escaped(curlOf(info.path, example))}</pre>
<h3>Request</h3>${fieldTable(info.request, 'input')}
<h3>Answer</h3>${fieldTable(info.record, 'output')}`

const askFor = (network: Network) => ({ network, walletAddress: exampleAddress(network) })

const operationSection = (info: OperationInfo): string =>
  section(
    { ...info, request: info.request.enterprise },
    `Networks: ${info.networks.map(code).join(', ')}.`,
    askFor(info.networks[0]),
  )

const CHECKED = networksOf('fraud_check')

const extensionSection = (info: ExtensionInfo): string =>
  section(
    info,
    'An extension of the contract, at the root only.',
    info.batchOf ? { wallets: networksOf(info.batchOf).slice(0, 2).map(askFor) } : askFor(CHECKED[0]),
  )

/** HTML of `/docs`. */
export const docsPage = (): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Assay API</title><link rel="stylesheet" href="${STYLE_PATH}"></head><body>
<h1>Assay API</h1><p class="quiet">Contract ${CONTRACT_VERSION} · <a href="/openapi.json">openapi.json</a></p>
<p>Scores blockchain wallets and contracts from on-chain data alone. Every operation is a POST with a JSON body and the header <code>x-api-key</code>;
agents reach the same operations under <code>/api</code>.</p>
<nav>${[...OPERATION_LIST, ...EXTENSIONS].map(({ id, title }) => `<a href="#${id}">${escaped(title)}</a>`).join('')}<a href="#errors">Errors</a></nav>
${OPERATION_LIST.map(operationSection).join('')}${EXTENSIONS.map(extensionSection).join('')}
<h2 id="errors">Errors</h2>
<p>Every answer that is not a 200 is <code>{"message", "error", "details": [{"field", "reason"}]}</code>; the header <code>x-request-id</code> names the request.</p>
${table(
  Object.entries(ERROR_STATUS).map(([name, status]) => [String(status), code(name)]),
  ['Status', 'error'],
)}
</body></html>`
