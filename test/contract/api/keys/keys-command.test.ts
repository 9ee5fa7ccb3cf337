/** `assay keys` and `assay audit` as an operator types them, against a ClickHouse over HTTP. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeys } from '../../../../api/keys/keys.ts'
import { createWatchList } from '../../../../api/monitoring/watch/list.ts'
import { exportAuditCommand, verifyAuditCommand } from '../../../../deploy/commands/audit.ts'
import { createKeyCommand } from '../../../../deploy/commands/keys.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { openStore } from '../../../../platform/store/open.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { runAssayHere } from '../../../kit/processes/command-here.ts'
import { runAssay } from '../../../kit/processes/command-line.ts'
import { startClickHouseFront } from '../../../kit/processes/front-process.ts'
import { startApi, testContext } from '../kit.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const ADDRESS = `0x${'ab'.repeat(20)}`

let front: Awaited<ReturnType<typeof startClickHouseFront>>
let store: Store
beforeAll(async () => {
  front = await startClickHouseFront()
  const { log, metrics } = testContext()
  store = await openStore({ url: front.url, log, metrics })
})
afterAll(async () => {
  await store?.close()
  await front?.close()
})

/** As an operator types it. */
const run = async (...args: string[]) => {
  const { code, out, err } = await runAssayHere(args, { CLICKHOUSE_URL: front.url })
  return { code, text: out + err }
}
const assay = (...args: string[]) => run('keys', ...args)

test('creates, lists, rotates and revokes keys from the command line, effective in the API', async () => {
  const terms = '--expires 90d --operations fraud_check,rug_pull --networks eth,bsc --ip 127.0.0.0/8,::1'
  const made = await assay('create', '--tier', 'business', '--name', 'a customer', ...terms.split(' '))
  expect(made.code).toBe(0)
  const [head = '', key = ''] = made.text.split('\n')
  const id = head.split(' ')[0] ?? ''
  const api = await startApi({ keys: createKeys({ store, clock: systemClock }), bootstrapKeys: [] })
  const ask = async (path: string, key: string) =>
    (await api.ask(path, { network: 'ETH', walletAddress: ADDRESS }, { 'x-api-key': key })).status
  expect(await ask('/fraud/check', key)).toBe(200)
  expect(await ask('/users/credit-score', key)).toBe(403)

  const listed = await assay('list')
  expect(listed.text).toContain(id)
  expect(listed.text).toContain('a customer')
  expect(listed.text).not.toContain(key)

  const rotated = await assay('rotate', id, '--grace', '12h')
  expect(rotated.text).toContain(`replaces ${id}, which stays valid for 12h.`)
  const [line = '', newKey = ''] = rotated.text.split('\n')
  const newId = line.split(' ')[0] ?? ''
  await api.api.refreshKeys()
  expect(await Promise.all([ask('/fraud/check', key), ask('/fraud/check', newKey)])).toEqual([200, 200])

  expect((await assay('revoke', newId)).code).toBe(0)
  await api.api.refreshKeys()
  expect(await Promise.all([ask('/fraud/check', key), ask('/fraud/check', newKey)])).toEqual([200, 401])
  // Once as a process of its own.
  const { out: text } = await runAssay(tmpdir(), ['keys', 'list'], { env: { CLICKHOUSE_URL: front.url } })
  expect(text).toMatch(new RegExp(`${newId} .* revoked`))
  // The successor is held to the same.
  expect(text.match(/until \S+; fraud_check,rug_pull; ETH,BNB; 127\.0\.0\.0\/8,::1$/gm)).toHaveLength(2)
  await api.close()
})

test('refuses impossible commands with a reason and changes nothing', async () => {
  const before = await assay('list')
  const wrongTier = await assay('create', '--tier', 'gold', '--name', 'x')
  expect(wrongTier.code).toBe(1)
  expect(wrongTier.text).toContain('ASSAY_KEYS_TIER')
  const unknown = await assay('revoke', 'nobody')
  expect(unknown.code).toBe(1)
  expect(unknown.text).toContain('nobody')
  expect((await assay('create', '--tier', 'business')).code).toBe(1)
  expect(await assay('list')).toEqual(before)
})

test('refuses an invalid option before creating anything', () => {
  const create = (options: object) => () =>
    createKeyCommand(loadConfig({}), { tier: 'business', name: 'x', ...options })
  for (const wrong of [
    { expires: '2020-01-01' },
    { expires: 'soon' },
    { operations: 'credit_score' },
    { operations: '' },
    { networks: 'NOWHERE' },
    { ip: '10.0.0.0/33' },
    { ip: 'localhost' },
  ])
    expect(create(wrong), JSON.stringify(wrong)).toThrow(expect.objectContaining({ code: 'ASSAY_KEYS_OPTION' }))
})

test('verifies, exports and erases the audit log from the command line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-audit-'))
  const heads = join(folder, 'heads.json')
  const { ask, close } = await startApi({ audit: { store, required: false } })
  for (const path of ['/fraud/check', '/fraud/audit']) await ask(path, { network: 'ETH', walletAddress: ADDRESS })
  await close()
  const verified = await run('audit', 'verify', '--heads', heads)
  expect([verified.code, verified.text]).toEqual([0, expect.stringContaining('Verified chains: 1.')])
  expect(JSON.parse(readFileSync(heads, 'utf8'))).toMatchObject([{ seq: 3 }])

  const exportOf = async (...args: string[]) => {
    const { text } = await run('audit', 'export', ...args)
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  }
  expect(await exportOf('--key', 'key_enterprise', '--from', '2026-01-01')).toMatchObject([
    { operation: 'fraud_check', address: ADDRESS },
    { operation: 'fraud_audit', address: ADDRESS },
  ])
  const erased = await run('audit', 'erase', 'key_enterprise')
  expect(erased.text).toContain('key_enterprise asked about can no longer be read in the audit log')
  expect(await exportOf('--to', '2026-01-01')).toEqual([])
  expect((await exportOf()).map(({ address, erased }) => [address, erased])).toEqual([
    [null, true],
    [null, true],
    [null, false],
  ])

  await store.command('DELETE FROM audit_log WHERE seq = 3')
  const cut = await run('audit', 'verify', '--heads', heads)
  expect(cut.code).toBe(1)
  expect(cut.text).toContain('entries from 3 to 3 removed: an earlier verification found them')
  expect(cut.text).toContain('ASSAY_AUDIT_TAMPERED')
  expect(JSON.parse(readFileSync(heads, 'utf8'))).toMatchObject([{ seq: 3 }])
  await store.command('TRUNCATE TABLE audit_log')
  rmSync(folder, { recursive: true })
})

test('refuses invalid options of the audit log before reading the store', () => {
  const config = loadConfig({})
  const code = (name: string) => expect.objectContaining({ code: name })
  expect(() => exportAuditCommand(config, { from: 'soon' })).toThrow(code('ASSAY_AUDIT_OPTION'))
  expect(() => exportAuditCommand(config, { to: '2026-13-01' })).toThrow(code('ASSAY_AUDIT_OPTION'))
  expect(() => verifyAuditCommand(config, { heads: join(ROOT, 'package.json') })).toThrow(code('ASSAY_AUDIT_HEADS'))
})

test('erases the monitoring data of a customer through any key of its rotation chain', async () => {
  const keys = createKeys({ store, clock: systemClock })
  const first = await keys.create('business', 'a watcher')
  const successor = await keys.rotate(first.id, 0)
  const list = createWatchList(store)
  await list.write(first.id, [{ network: 'ETH', address: ADDRESS }], true)
  const erased = await run('monitoring', 'erase', successor.id)
  expect(erased).toEqual({
    code: 0,
    text: 'Erased 1 watched addresses, 0 alerts, and 0 endpoints with their deliveries.\n',
  })
  expect(await list.count(first.id)).toBe(0)
})
