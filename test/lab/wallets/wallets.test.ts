import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { evalWallets } from './wallets.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-eval-wallets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NAMES = [
  'FLAG',
  'Address',
  'Time Diff between first and last (Mins)',
  'Sent tnx',
  'Received Tnx',
  'Unique Received From Addresses',
  'Unique Sent To Addresses',
  'max value received ',
  'avg val received',
  'max val sent',
  'avg val sent',
  'total Ether sent',
  'total ether received',
  ' Total ERC20 tnxs',
  'Avg min between sent tnx',
] as const
type Row = Record<(typeof NAMES)[number], string | number>

/** Ten giveaway scams and thirty ordinary accounts. */
const ROWS: Row[] = Array.from({ length: 40 }, (_, nth) => {
  const scam = nth % 4 === 0
  const [sent, received, each] = scam ? [2, 30 + nth, 0.5] : [60 + nth, 12, 3]
  const given = scam ? received * each : 30
  return {
    FLAG: scam ? 1 : 0,
    Address: `0x${nth}`,
    'Time Diff between first and last (Mins)': scam ? 9_000 : 500_000 + nth,
    'Sent tnx': sent,
    'Received Tnx': received,
    'Unique Received From Addresses': scam ? received - 1 : 4,
    'Unique Sent To Addresses': scam ? 1 : 20,
    'max value received ': each * 4,
    'avg val received': each,
    'max val sent': given / 2,
    'avg val sent': given / sent,
    'total Ether sent': given,
    'total ether received': received * each,
    ' Total ERC20 tnxs': nth,
    'Avg min between sent tnx': nth,
  }
})

let files = 0
const evaluate = (rows: readonly Row[], names: readonly (typeof NAMES)[number][] = NAMES) => {
  const csv = join(folder, `${files++}.csv`)
  const out = `${csv}.out`
  writeFileSync(csv, [names.join(','), ...rows.map((row) => names.map((name) => row[name]).join(','))].join('\n'))
  const report = evalWallets(['--csv', csv, '--out', out])
  const [head, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n')
  expect(head).toBe('row,probability')
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(rows.map((_, nth) => nth))
  return { report, scores: lines.map((line) => Number(line.split(',')[1])) }
}
const whole = evaluate(ROWS)

test('a table with FLAG gives every metric and a probability per row, in input order', () => {
  expect(whole.report).toMatchObject({ rows: 40, auc: 1, prAuc: 1, recallAtFpr1pct: 1, recallAtFpr01pct: 1 })
  for (const name of ['precisionAt1pctPrevalence', 'precisionAt01pctPrevalence', 'brier', 'ece'])
    expect(whole.report).toHaveProperty(name, expect.any(Number))
  const turned = evaluate([...ROWS].reverse())
  expect(turned.scores.reverse()).toEqual(whole.scores)
})

test('order, addresses, duplicates, the token block and the label itself do not affect the model', () => {
  const blind = ROWS.map((row) => ({ ...row, Address: '', ' Total ERC20 tnxs': '', 'Avg min between sent tnx': '' }))
  expect(evaluate(blind).scores).toEqual(whole.scores)
  expect(evaluate(ROWS.map((row) => ({ ...row, FLAG: 1 - Number(row.FLAG) }))).scores).toEqual(whole.scores)
  expect(evaluate([...ROWS, ...ROWS]).scores).toEqual([...whole.scores, ...whole.scores])
  const { report, scores } = evaluate(ROWS, NAMES.slice(1))
  expect(scores).toEqual(whole.scores)
  expect(report).not.toHaveProperty('auc')
})

test('the unit of value does not matter', () => {
  const amounts = NAMES.filter((name) => / val|total .ther/i.test(name))
  const scaled = ROWS.map((row) => ({
    ...row,
    ...Object.fromEntries(amounts.map((name) => [name, Number(row[name]) * 1024])),
  }))
  expect(amounts).toHaveLength(6)
  expect(evaluate(scaled).scores).toEqual(whole.scores)
})

test('scores any subset of columns, and an average replaces a total', () => {
  for (const absent of [
    NAMES.filter((name) => !/time/i.test(name)),
    NAMES.filter((name) => !/unique/i.test(name)),
    NAMES.filter((name) => !/ val|total .ther/i.test(name)),
    NAMES.filter((name) => !/tnx/i.test(name)),
    ['FLAG', 'Sent tnx', 'Received Tnx'] as const,
  ]) {
    const { scores, report } = evaluate(ROWS, absent)
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true)
    expect(report.auc).toBeGreaterThan(0.9)
  }
  const { scores } = evaluate(
    ROWS,
    NAMES.filter((name) => !/total .ther/i.test(name)),
  )
  for (const [nth, score] of scores.entries()) expect(score).toBeCloseTo(whole.scores[nth]!, 6)
})

test('an account without activity scores the prior', () => {
  const empty = Object.fromEntries(NAMES.map((name) => [name, 0])) as Row
  expect(evaluate([empty]).scores[0]).toBeCloseTo(0.01, 12)
})
