/** Uploads as spreadsheets and shells write them: other encodings, other line ends, and files that are no text. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { address, call, finished, type Started, startScreening } from './screen.kit.ts'

let kit: TestStore
let started: Started
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(async () => {
  await kit.truncate()
  started = await startScreening(kit.store)
})
afterAll(() => kit.close())

const TEXT = `network,walletAddress,reference\r\nETH,${address(1)},Zoë\r\nETH,${address(2)},b\r\n`
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

/** Status and reference of each row of an upload. */
const rowsOf = async (payload: Buffer, type: string): Promise<unknown[]> => {
  const { json } = await call(started, 'POST', '/screen', { payload, type })
  const job = await finished(started, json().id)
  const { text } = await call(started, 'GET', `/screen/${job.id}/result`)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ status, reference }) => [status, reference])
}

test.each([
  ['UTF-16 with its mark, as Excel and PowerShell write it', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'text/csv'],
  ['UTF-16 with its mark, the other way round', bigEndian(`\ufeff${TEXT}`), 'text/csv'],
  ['UTF-16 that is named', Buffer.from(TEXT, 'utf16le'), 'text/csv; header=present; charset=UTF-16LE'],
  ['UTF-16 whose mark is right where the name is not', bigEndian(`\ufeff${TEXT}`), 'text/csv; charset="utf-8"'],
  ['windows-1252 that is named', Buffer.from(TEXT, 'latin1'), 'text/csv;charset=ISO-8859-1'],
  ['lines that end as on old Macs', Buffer.from(TEXT.replaceAll('\r\n', '\r')), 'text/csv'],
])('%s is read', async (_, payload, type) => {
  expect(await rowsOf(payload, type)).toEqual([
    [200, 'Zoë'],
    [200, 'b'],
  ])
  await started.close()
})

test('UTF-16 is read in whatever pieces it comes', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `ETH,${address(n)},é${n}`)
  const bytes = Buffer.from(`\ufeff${lines.join('\n')}`, 'utf16le')
  const { Readable } = await import('node:stream')
  const odd = Array.from({ length: Math.ceil(bytes.length / 333) }, (_, at) => bytes.subarray(at * 333, (at + 1) * 333))
  const { json } = await call(started, 'POST', '/screen', { payload: Readable.from(odd) })
  expect(json()).toMatchObject({ rows: 300, malformed: 0, distinct: 300 })
  await started.close()
})

test('a reference that is not UTF-8 invalidates its row, and is never returned as other text', async () => {
  const rows = await rowsOf(Buffer.from(TEXT, 'latin1'), 'text/csv')
  expect(rows).toEqual([
    [400, undefined],
    [200, 'b'],
  ])
  await started.close()
})

test.each([
  ['UTF-16 that nobody names', Buffer.from(TEXT, 'utf16le'), 'text/csv', 'UNSUPPORTED_CONTENT_TYPE'],
  [
    'UTF-32',
    Buffer.from(`fffe0000${Buffer.from(TEXT, 'utf16le').toString('hex')}`, 'hex'),
    'text/csv',
    'UNSUPPORTED_CONTENT_TYPE',
  ],
  ['a compressed file', gzipSync(TEXT), 'text/csv', 'UNSUPPORTED_CONTENT_TYPE'],
  ['a spreadsheet', Buffer.from('PK\u0003\u0004rest of a workbook'), 'text/csv', 'UNSUPPORTED_CONTENT_TYPE'],
  [
    'a charset that its bytes are not of',
    Buffer.from('ff'.repeat(600), 'hex'),
    'text/csv; charset=shift_jis',
    'UNSUPPORTED_CONTENT_TYPE',
  ],
  ['a charset that there is not', Buffer.from(TEXT), 'text/csv; charset=utf-99', 'INVALID_REQUEST'],
])('refuses %s as a whole, and counts nothing', async (_, payload, type, error) => {
  const documented = await documentedBy(started.app)
  const refused = await call(started, 'POST', '/screen', { payload, type })
  expect([refused.status, refused.json().error]).toEqual([400, error])
  documented('/screen', 400, refused.json())
  expect((await call(started, 'GET', '/screen')).json()).toMatchObject({ jobs: [] })
  expect(await kit.store.query('SELECT 1 FROM screen_rows')).toEqual([])
  await started.close()
})
