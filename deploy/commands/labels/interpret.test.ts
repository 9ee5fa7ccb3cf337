import { expect, test } from 'vitest'
import { FRAUD_LABELS, isAccusation, LABELS } from '../../../scorer/ledger/labels/vocabulary.ts'
import { FLAGS } from '../../../scorer/scoring/flags.ts'
import { interpret, listOf, type Mapping } from './interpret.ts'
import { EMPTY_ROW, type RawLabel } from './read.ts'
import { confidenceOf, meaningOf } from './words.ts'

const A = '0x00000000000000000000000000000000000000aa'
const LIST: Mapping = { source: 'list', file: '/tmp/list.csv', network: 'ETH' }
const raw = (more: Partial<RawLabel> = {}): RawLabel => ({ ...EMPTY_ROW, line: 2, address: A, ...more })
const labelsOf = (more: Partial<RawLabel>, mapping: Partial<Mapping> = {}) => {
  const said = interpret(raw(more), { ...LIST, ...mapping })
  return said.kind === 'labels'
    ? said.labels.map(({ label, class: of, confidence }) => `${label} ${of} ${confidence}`)
    : `${said.kind}: ${said.why}`
}

test('a row becomes a label with its provenance', () => {
  expect(
    interpret(raw({ words: ['phish-hack'], name: 'Fake_Phishing1', isContract: 'True', source: 's' }), LIST),
  ).toEqual({
    kind: 'labels',
    labels: [
      {
        network: 'ETH',
        address: A,
        label: 'phishing',
        class: 'reported',
        confidence: 0.9,
        evidence: { list: 'list', file: 'list.csv', name: 'Fake_Phishing1', source: 's', contract: true },
        revoked: false,
      },
    ],
  })
})

test.each([
  [{ words: ['exchange', 'heist'] }, {}, ['service reported 0.9', 'theft reported 0.9']],
  [{ words: ['blocked'] }, {}, ['blacklist reported 0.5']],
  [{ words: ['Scam'], confidence: 'web_crawl' }, {}, ['financial_crime reported 0.8']],
  [{ words: ['scam'], confidence: '35' }, {}, ['financial_crime reported 0.35']],
  [{ words: ['scam'] }, { confidence: 0.6 }, ['financial_crime reported 0.6']],
  [{ words: ['shop'] }, { map: new Map([['shop', 'darknet']]) }, ['darknet reported 0.9']],
  [{ words: ['shop'] }, { label: 'sanctioned' }, ['sanctioned asserted 1']],
  [{ words: ['shop'] }, { label: 'sanctioned', class: 'reported' as const }, ['sanctioned reported 0.9']],
  [{ name: 'Fake_Phishing77' }, {}, ['phishing reported 0.9']],
  [{ name: 'Bridge Exploiter 2' }, {}, ['exploiter reported 0.9']],
  [{ name: 'Bridge Exploiter 4 (Whitehat)' }, {}, 'skipped: no label for: no category'],
  [{ words: ['meme'] }, {}, 'skipped: no label for: meme'],
  [
    { words: ['ofac-sanctions-lists'] },
    {},
    'skipped: sanctions reported by tags: import a sanctions list with --label sanctioned',
  ],
  [{ network: 'BTC', words: ['scam'] }, {}, 'skipped: unsupported network: BTC'],
  [{ address: '' }, {}, 'refused: the address is empty'],
  [{ words: ['scam'] }, { network: undefined }, 'refused: it has no network; set one with --network'],
  [{ words: ['scam'], confidence: 'sure' }, {}, 'refused: sure is not a confidence'],
])('%j with %j', (more, mapping, expected) => {
  expect(labelsOf(more, mapping)).toEqual(expected)
})

test('a typo in a checksummed address refuses the row', () => {
  const said = labelsOf({ address: '0xA0DF9CA52e8aB5DDE22C55D9B3C2CDF814B9B773', words: ['scam'] })
  expect(said).toMatch(/^refused: .*checksum/)
})

test('every label of a flag can be imported, and every accusing label raises a flag', () => {
  const followed = new Set(Object.values(FLAGS).flatMap(({ labels }) => labels))
  expect([...followed].filter((label) => !isAccusation(label))).toEqual([])
  expect(LABELS).toEqual(expect.arrayContaining([...followed, ...FRAUD_LABELS]))
})

test('words and confidences', () => {
  expect(meaningOf(['Mixing Service'], '', '').meanings).toEqual([{ label: 'mixer' }])
  expect(meaningOf([], 'etherscan-heist-list', '').meanings).toEqual([{ label: 'theft' }])
  expect([
    confidenceOf('0.5'),
    confidenceOf('90'),
    confidenceOf('high'),
    confidenceOf('-1'),
    confidenceOf('101'),
  ]).toEqual([0.5, 0.9, 0.95, undefined, undefined])
})

test.each([
  ['ofac_current_2026-08-22.csv', 'ofac_current', '2026-08-22'],
  ['/x/Tag Pack.v2.1.json', 'tag-pack', 'v2.1'],
  ['names.txt', 'names', undefined],
])('%s is %s, version %s', (file, source, version) => {
  expect(listOf(file)).toEqual({ source, version })
})
