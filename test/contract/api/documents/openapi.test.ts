import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openapi } from '../../../../api/docs/openapi/document.ts'
import { postmanCollection } from '../../../../api/docs/postman.ts'
import { EXPLANATIONS } from '../../../../schema/records/extensions.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import { BATCH_OPERATIONS } from '../../../../schema/records/service/batches.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'assay-openapi-'))
const file = join(folder, 'openapi.json')
writeFileSync(file, JSON.stringify(openapi()))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (command: string, ...args: string[]) => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout, stderr } = await promisify(execFile)(join(ROOT, 'node_modules/.bin', command), args, {
    cwd: ROOT,
    env,
  })
  return `${stdout}${stderr}`
}

test('redocly finds neither errors nor warnings', async () => {
  const output = await run('redocly', 'lint', file)
  expect(output).toContain('is valid')
  expect(output).not.toMatch(/\d+ (warning|error)/)
})

test('spectral finds nothing', async () => {
  expect(await run('spectral', 'lint', '--fail-severity=hint', file)).toContain('No results')
})

test('the document has the version and operations of the contract, on both surfaces, and the extensions', () => {
  const { info, paths } = openapi()
  expect(info).toMatchObject({ version: '1.0.2' })
  const operations = [
    '/fraud/check',
    '/fraud/audit',
    '/rug/pull-check',
    '/segmentation/wallet-segment',
    '/users/credit-score',
  ]
  expect(Object.keys(paths as object).sort()).toEqual(
    [
      ...operations,
      ...operations.map((path) => `/api${path}`),
      ...BATCH_OPERATIONS.map(({ path }) => path),
      ...EXPLANATIONS.map(({ path }) => path),
      '/.well-known/agent-card.json',
      '/.well-known/agent.json',
      '/api/a2a',
      '/api/capabilities',
      '/api/mcp',
      '/api/mcp/server.json',
      '/docs',
      '/docs/errors/{code}',
      '/docs/versions',
      '/health',
      '/llms.txt',
      '/metrics',
      '/openapi.json',
      '/postman.json',
      '/ready',
      '/status',
      '/alerts',
      '/alerts/{id}',
      '/screen',
      '/screen/quote',
      '/screen/{id}',
      '/screen/{id}/result',
      '/usage',
      '/watch',
      '/webhooks',
      '/webhooks/{id}',
      '/webhooks/{id}/deliveries',
      '/webhooks/{id}/ping',
      '/webhooks/{id}/replay',
      '/webhooks/{id}/rotate',
    ].sort(),
  )
})

type Schema = { description?: string; $ref?: string; properties?: Record<string, Schema> } & Record<string, unknown>

test('every field of every schema is described', () => {
  const document = openapi()
  const { schemas } = document.components as { schemas: Record<string, Schema> }
  const undescribed: string[] = []
  const walk = (schema: Schema, at: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const whole = field.description ?? schemas[field.$ref?.split('/').at(-1) ?? '']?.description
      if (!whole) undescribed.push(`${at}.${name}`)
      walk(field, `${at}.${name}`)
    }
    for (const inner of ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].flatMap(
      (name) => schema[name] ?? [],
    ))
      if (typeof inner === 'object' && inner !== null) walk(inner as Schema, `${at}[]`)
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (!schema.description) undescribed.push(name)
    walk(schema, name)
  }
  expect(undescribed).toEqual([])
})

type Example = { example?: unknown; examples?: unknown; description?: string; schema?: Schema }
type Answer = { $ref?: string; headers?: object; content?: Record<string, Example> }
type Operation = {
  parameters?: (Example & { $ref?: string; name: string })[]
  requestBody?: Answer
  responses: Record<string, Answer>
}

test('every body, parameter and header has an example, and every response its headers', () => {
  const { paths, webhooks, components } = openapi() as unknown as {
    paths: Record<string, Record<string, Operation>>
    webhooks: Record<string, Record<string, Operation>>
    components: Record<'responses' | 'parameters' | 'headers', Record<string, Answer & Example>>
  }
  const missing: string[] = []
  const isShown = ({ example, examples, schema = {} }: Example) =>
    [example, examples, schema.examples, schema.enum, schema.default].some((one) => one !== undefined)
  const bodies = ({ content = {} }: Answer, at: string) => {
    for (const [type, media] of Object.entries(content)) {
      // Nobody reads an example of bytes.
      if (!isShown(media) && media.schema?.format !== 'binary') missing.push(`${at} ${type}`)
    }
  }
  const whole = (part: Answer | Example, of: 'responses' | 'parameters') =>
    '$ref' in part ? components[of][String(part.$ref).split('/').at(-1) ?? ''] : part
  for (const [path, methods] of [...Object.entries(paths), ...Object.entries(webhooks)]) {
    for (const [method, { parameters = [], requestBody = {}, responses }] of Object.entries(methods)) {
      const at = `${method} ${path}`
      bodies(requestBody, at)
      for (const parameter of parameters) {
        const { description, ...rest } = (whole(parameter, 'parameters') ?? {}) as Example
        if (!description || !isShown(rest)) missing.push(`${at} ${JSON.stringify(parameter)}`)
      }
      for (const [status, answer] of Object.entries(responses)) {
        const told = (whole(answer, 'responses') ?? {}) as Answer
        bodies(told, `${at} ${status}`)
        if (!told.headers && path.startsWith('/')) missing.push(`${at} ${status} headers`)
      }
    }
  }
  for (const [name, header] of Object.entries(components.headers)) {
    if (!header.description || !isShown(header)) missing.push(name)
  }
  expect(missing).toEqual([])
})

test('the Postman collection has every operation once, with body and key', () => {
  const document = openapi()
  type Item = { name: string; request: { method: string; url: { raw: string }; body?: { raw: string }; auth?: object } }
  const { item } = postmanCollection(document, 'https://assay.example') as { item: { item: Item[] }[] }
  const requests = item.flatMap((folder) => folder.item.map(({ request }) => request))
  const operations = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(requests.map(({ method, url }) => `${method} ${url.raw}`).sort()).toEqual(operations.sort())
  const check = requests.find(({ url }) => url.raw === '{{baseUrl}}/fraud/check')
  expect(OPERATIONS.fraud_check.request.enterprise.safeParse(JSON.parse(check?.body?.raw ?? '')).success).toBe(true)
  expect([check?.auth, requests.find(({ url }) => url.raw === '{{baseUrl}}/health')?.auth]).toEqual([
    undefined,
    { type: 'noauth' },
  ])
})

test('an optional field documents its default', () => {
  const { schemas } = openapi().components as { schemas: Record<string, { properties: object; required: string[] }> }
  expect(schemas.AgentCreditScoreRequest).toMatchObject({
    properties: { network: { default: 'ETH' } },
    required: ['walletAddress'],
  })
  expect(schemas.CreditScoreRequest?.required).toContain('network')
})
