import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openapi } from '../../../api/docs/openapi/document.ts'
import { BATCH_OPERATIONS } from '../../../schema/records/batches.ts'
import { EXPLANATIONS } from '../../../schema/records/extensions.ts'

const ROOT = join(import.meta.dirname, '../../..')
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

test('the document has the version and the operations of the contract, on both surfaces, and the extensions', () => {
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
      '/screen',
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

test('a field that may be left out says what it is then', () => {
  const { schemas } = openapi().components as { schemas: Record<string, { properties: object; required: string[] }> }
  expect(schemas.AgentCreditScoreRequest).toMatchObject({
    properties: { network: { default: 'ETH' } },
    required: ['walletAddress'],
  })
  expect(schemas.CreditScoreRequest?.required).toContain('network')
})
