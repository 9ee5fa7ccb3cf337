import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkScenario } from '../../../deploy/demo/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-check-'))
const scenarioFile = join(folder, 'scenario.json')
const address = '0x0000000000000000000000000000000000000001'
/** Scored later. */
const scored = '0x0000000000000000000000000000000000000003'
const asked: unknown[] = []

// Answers every wallet alike: what is compared is the comparison.
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    asked.push({ url: request.url, key: request.headers['x-api-key'], body: JSON.parse(body) })
    if (body.includes(scored)) {
      response.statusCode = 503
      response.end(JSON.stringify({ message: 'ETH is scoring.', error: 'CATCHING_UP', details: [] }))
      return
    }
    response.statusCode = body.includes(address) ? 200 : 404
    response.end(
      JSON.stringify({
        status: 'Fraud',
        probabilityFraud: '1.00',
        forensic_details: { mixer: '1' },
        sanctionData: [{ isSanctioned: false }],
      }),
    )
  })
})

const entry = (name: string, expectations: Record<string, unknown>, at = address) => ({
  name,
  network: 'ETH',
  address: at,
  operation: 'fraud_check',
  expect: expectations,
})
const check = async (entries: unknown[], options: { stopAtRefusal?: boolean } = {}) => {
  writeFileSync(scenarioFile, JSON.stringify(entries))
  const lines: string[] = []
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const print = (line: string) => lines.push(line)
  const mismatches = await checkScenario({ scenarioFile, apiUrl, key: 'secret', print, ...options })
  return { mismatches, lines }
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('calls the operation with the key and returns no mismatches if all fields are as expected', async () => {
  const { mismatches, lines } = await check([
    entry('mixer', { status: 'Fraud', 'forensic_details.mixer': '1', 'sanctionData.0.isSanctioned': false }),
  ])
  expect(mismatches).toEqual([])
  expect(lines).toEqual([`ok  ${'mixer'.padEnd(18)} ${address}  Fraud       1.00`, 'Everything is as expected.'])
  expect(asked.at(-1)).toEqual({
    url: '/fraud/check',
    key: 'secret',
    body: { network: 'ETH', walletAddress: address },
  })
})

test('returns each different or missing field, and error responses', async () => {
  const stranger = '0x0000000000000000000000000000000000000002'
  const { mismatches } = await check([
    entry('one', { status: 'Not Fraud', 'forensic_details.none.deeper': '1' }),
    entry('two', { status: 'Fraud' }, stranger),
  ])
  expect(mismatches).toEqual([
    { name: 'one', address, path: 'status', expected: 'Not Fraud', got: 'Fraud' },
    { name: 'one', address, path: 'forensic_details.none.deeper', expected: '1', got: undefined },
    { name: 'two', address: stranger, path: '', expected: 200, got: expect.stringMatching(/^404 /) },
  ])
})

test('distinguishes an answer that is not ready from a wrong one', async () => {
  const { mismatches } = await check([entry('three', { status: 'Fraud' }, scored)])
  expect(mismatches).toMatchObject([{ name: 'three', path: '', expected: 200, refusal: 'ETH is scoring.' }])
})

test('stops after the first refusal when asked to', async () => {
  const entries = [entry('one', { status: 'Fraud' }), entry('two', {}, scored), entry('three', { status: 'Fraud' })]
  const before = asked.length
  const { mismatches } = await check(entries, { stopAtRefusal: true })
  expect(mismatches).toMatchObject([{ name: 'two', refusal: 'ETH is scoring.' }])
  expect(asked.length - before).toBe(2)
  await check(entries)
  expect(asked.length - before).toBe(5)
})

test('reports a missing scenario file', async () => {
  const options = { scenarioFile: join(folder, 'none.json'), apiUrl: 'http://127.0.0.1:1', key: '' }
  await expect(checkScenario(options)).rejects.toMatchObject({ code: 'ASSAY_DEMO_SCENARIO_MISSING' })
})
