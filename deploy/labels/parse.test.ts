import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseLabels } from './parse.ts'

const A = '0x00000000000000000000000000000000000000aa'
const B = '0x00000000000000000000000000000000000000bb'
const row = (address: string, more = {}) => ({
  network: 'ETH',
  address,
  category: 'phishing',
  name: '',
  source: 'test',
  ...more,
})

test.each([
  ['a list of addresses', `# mine\n${A}\n\n${B}\n`],
  ['a JSON array', JSON.stringify([A, B])],
  ['an array of objects', JSON.stringify([{ address: A }, { Address: B }])],
  ['a map', JSON.stringify({ [A]: {}, [B]: {} })],
  ['CSV', `x,banned_address\n1,${A}\n2,${B}\n`],
])('%s is read', (_, text) => {
  expect(parseLabels(text, { network: 'ETH', category: 'phishing', source: 'test' })).toEqual({
    rows: [row(A), row(B)],
    refused: [],
  })
})

test('columns say network, category, name and source, and repeated rows are one', () => {
  const text = `address,currency,category,label,source\n${A},ETH,phishing,"Fake, one",list\n${A.toUpperCase().replace('0X', '0x')},eth,phishing,"Fake, one",list\n${B},BSC,scam,,\n`
  expect(parseLabels(text, { source: 'test' })).toEqual({
    rows: [row(A, { name: 'Fake, one', source: 'list' }), row(B, { network: 'BNB', category: 'scam' })],
    refused: [],
  })
})

test('bad rows are refused with their line and reason', () => {
  const text = `address,chain,category\n0x12,ETH,a\n${A},BTC,a\n${A},,a\n,ETH,a\n${A},ETH,\n`
  const { rows, refused } = parseLabels(text, { source: 'test' })
  expect(rows).toEqual([])
  expect(refused.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6])
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('0x12'),
    expect.stringContaining('BTC'),
    'no network is given',
    'the address is empty',
    'no category is given',
  ])
})

const LABELS = process.env.ASSAY_LABELLED_DATA ?? join(import.meta.dirname, '../../../shared/data')
const present = existsSync(join(LABELS, 'labels'))

test.skipIf(!present)('real lists are read (skipped without the labelled data)', () => {
  const read = (file: string, defaults: Parameters<typeof parseLabels>[1]) =>
    parseLabels(readFileSync(join(LABELS, 'labels', file), 'utf8'), defaults)
  const phishing = read('chain1_phishing_scams.csv', { network: 'ETH', source: 'x' })
  expect([phishing.rows.length > 5_000, phishing.refused.length < 5]).toEqual([true, true])
  const names = read('etherscan_combinedAllLabels.json', { network: 'ETH', source: 'x' })
  expect(names.rows.length).toBeGreaterThan(29_000)
  const ofac = read('ofac_current_2026-08-22.csv', { category: 'sanctions', source: 'x' })
  expect(new Set(ofac.rows.map((r) => r.network))).toEqual(new Set(['ETH', 'TRON', 'SOLANA']))
  expect(ofac.refused.every(({ reason }) => reason.includes('is no network of ours'))).toBe(true)
})
