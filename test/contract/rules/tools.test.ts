import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../../deploy/process/process.ts'
import { openToolStore, serveStore } from '../../../deploy/process/store-socket.ts'
import { openSharedBus } from '../../../deploy/roles/parts.ts'
import { openSharedStore } from '../../../deploy/roles/shared-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import { decodeRescore, topics } from '../../../schema/topics.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../../scorer/scoring/stored.ts'
import { runAssayHere } from '../../kit/processes/command-here.ts'
import { runAssay } from '../../kit/processes/command-line.ts'
import { insertRows, named, rowsOf } from '../../kit/world/transactions.ts'

const data = mkdtempSync(join(tmpdir(), 'assay-tools-'))
const config = loadConfig({ ASSAY_DATA: data })
const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
let store: Store
const written: string[] = []
beforeAll(async () => {
  store = await openSharedStore(context, config)
  await serveStore(context, config, { written: async (table) => void written.push(table) })
})
afterAll(async () => {
  await context.lifecycle.close()
  rmSync(data, { recursive: true, force: true })
})

/** Here, which costs a tenth of a process; the way through the socket is the same. */
const assay = (...args: string[]) => runAssayHere(args, { ASSAY_DATA: data })

const X = named('x')

test('tools reach the store of a running process through its socket, which only its owner may open', async () => {
  expect(statSync(join(data, 'store.sock')).mode & 0o777).toBe(0o600)
  const tool = await openToolStore(context, config)
  await tool.insert('api_keys', '')
  expect(written).toEqual(['api_keys'])
  expect(await tool.query('SELECT {n:UInt8} + 1 AS n', { n: 4 })).toEqual([{ n: 5 }])
  await expect(tool.query('SELECT nothing')).rejects.toMatchObject({ code: 'ASSAY_STORE_SCHEMA_MISMATCH', exitCode: 1 })
  await expect(tool.command('SELECT 1 FROM (')).rejects.toMatchObject({
    code: 'ASSAY_STORE_STATEMENT_REFUSED',
    exitCode: 70,
  })
})

test('assay sql asks the running process, in any format, and is refused with a code', async () => {
  const file = join(data, 'answer.parquet')
  expect(
    await runAssay(data, [
      'sql',
      '--format',
      'csv',
      "SELECT native_symbol AS coin FROM networks WHERE network = 'BNB'",
    ]),
  ).toEqual({ code: 0, out: '"coin"\n"BNB"\n', err: '' })
  expect(await assay('sql', '--output', file, 'SELECT 1 AS a')).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(file).subarray(0, 4).toString()).toBe('PAR1')
  expect(await assay('sql', 'SELECT * FROM api_keys')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('ASSAY_SQL_TABLE_REFUSED'),
  })
  expect((await assay('sql', '--format', 'xml', 'SELECT 1')).err).toContain('ASSAY_SQL_OPTION')
  // The owner of the socket keeps its own rights.
  expect(await store.query('SELECT count() AS n FROM api_keys')).toEqual([{ n: '0' }])
})

test('labels go in, are shown, exported and taken back from the command line, and records they bear on are due', async () => {
  await insertRows(store, rowsOf([{ from: X, to: named('y'), block: 1, value: 1n }]))
  const rescore = createRescore({ context, store, model: createWalletModel() })
  await saveRecords(store, await rescore.rescore('ETH', [X], Date.now()))
  const list = join(data, 'evil_2026-01-01.csv')
  writeFileSync(list, `address,category\n${X},phishing\n`)

  const dry = await assay('labels', 'import', list, '--network', 'eth', '--dry-run')
  expect(dry).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Dry run over 1 rows of evil/) })
  const done = await assay('labels', 'import', list, '--network', 'eth')
  expect(done.out).toMatch(/^Imported 1 rows of evil, version 2026-01-01\.[\s\S]*\nQueued 1 record for scoring\.\n$/)
  const bus = await openSharedBus(context, config, ['ETH'])
  const touched: string[] = []
  for (const partition of [0, 1, 2, 3]) {
    for await (const { value } of bus.read(topics.rescore('ETH'), partition, 0n)) touched.push(...decodeRescore(value))
  }
  expect(touched).toEqual([X])

  expect((await assay('labels', 'list', X)).out).toMatch(
    new RegExp(`^ETH +${X}  phishing +reported 0\\.90  evil 2026-01-01`),
  )
  const out = join(data, 'out.csv')
  expect((await assay('labels', 'export', '--source', 'evil', '--out', out)).out).toBe(`Wrote 1 label to ${out}.\n`)
  expect(readFileSync(out, 'utf8')).toMatch(/^network,address,label,detector,.*\nETH,0x78/)
  expect((await assay('labels', 'retract', '--source', 'evil')).out).toMatch(/^Retracted 1 label\.\nQueued 1 record/)
  expect((await assay('labels', 'list', '--source', 'evil')).out).toBe('No labels.\n')
})

test('lists are fetched from the command line beside a running process, and what was fetched is shown', async () => {
  let body = `${X}\n`
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/drainers.txt`
    const catalogue = join(data, 'catalogue.json')
    const entry = { name: 'drainers', licence: 'ours', documents: [{ url, network: 'ETH' }], label: 'drainer' }
    writeFileSync(catalogue, JSON.stringify([{ ...entry, labels: ['drainer'] }]))
    const env = { ASSAY_LABELS_CATALOGUE: catalogue }
    const lists = (...args: string[]) => runAssayHere(['labels', ...args], { ASSAY_DATA: data, ...env })
    expect((await lists('lists')).out).toMatch(
      /^ofac: [\s\S]*version 2026-08-22, 385 labels[\s\S]*drainers: [\s\S]*never fetched/,
    )
    const dry = await lists('update', '--source', 'drainers', '--dry-run')
    expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/^Dry run over 1 rows of drainers/) })
    const done = await lists('update', '--source', 'drainers')
    expect(done.out).toMatch(/^Imported 1 rows of drainers[\s\S]*\nQueued 1 record for scoring\.\n$/)
    body = '<html>down</html>'
    expect(await lists('update', '--source', 'drainers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('ASSAY_LABELS_SOURCE_REFUSED'),
    })
    expect((await lists('lists')).out).toMatch(
      /drainers: [\s\S]*1 labels, confirmed [\s\S]*last update refused: .*web page/,
    )
    expect(await lists('update', '--source', 'drainer')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Lists: ofac, '),
    })
    await assay('labels', 'retract', '--source', 'drainers')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('reports impossible requests and exits with 1', async () => {
  const bad = join(data, 'bad.csv')
  writeFileSync(bad, `address,category\n0x12,phishing\n`)
  const refused = await assay('labels', 'import', bad, '--network', 'ETH')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_LABELS_REFUSED') })
  expect(refused.out).toContain('line 2: 0x12')
  expect(await assay('labels', 'retract')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ASSAY_TOOL_OPTION'),
  })
  expect(await assay('labels', 'import', bad, '--label', 'evil')).toMatchObject({ code: 1 })
  expect(await assay('labels', 'import', join(data, 'none.csv'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('ASSAY_LABELS_UNREADABLE'),
  })
})
