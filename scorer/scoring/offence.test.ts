import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { FlaggedInflow } from '../ledger/exposure/inflow.ts'
import { offenceHopsOf, offenceOf } from './offence.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const within = (folder: string): string[] =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)

test('no detector and no flag reads findings about other wallets, or payments from flagged ones', () => {
  const files = [...within('scorer/detection'), 'scorer/scoring/flags.ts', 'scorer/scoring/evaluate-flags.ts'].filter(
    (file) => /\.(ts|sql)$/.test(file) && !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(100)
  const reading = files.filter((file) =>
    /wallet_records|record_history|ledger\/(exposure|records)|\.inflow\b|offence_hops/.test(
      readFileSync(`${ROOT}${file}`, 'utf8'),
    ),
  )
  expect(reading).toEqual([])
})

test('habits and dark-web payments taint no funds, and the gravest offence counts', () => {
  const raised = (
    field: 'mixer' | 'darkweb_transactions' | 'financial_crime' | 'stealing_attack',
    detector: string,
  ) => ({
    field,
    by: [{ detector, confidence: 1, title: '', evidence: {} }],
  })
  expect(offenceOf({ raised: [] })).toBe('')
  expect(
    offenceOf({ raised: [raised('mixer', 'mixer-habit'), raised('darkweb_transactions', 'darknet-payment')] }),
  ).toBe('')
  expect(offenceOf({ raised: [raised('darkweb_transactions', 'list')] })).toBe('darknet')
  expect(
    offenceOf({ raised: [raised('financial_crime', 'rug-executed'), raised('stealing_attack', 'approval-drain')] }),
  ).toBe('stolen')
})

test('a wallet is a sign for its receivers only if they may have received something: not as a service, nor with a trace of a percent', () => {
  const inflow = { share: 0.002, peak: 0.02, hops: 2 } as FlaggedInflow
  expect(offenceHopsOf({ inflow, service: false })).toBe(2)
  expect(offenceHopsOf({ inflow, service: true })).toBe(0)
  expect(offenceHopsOf({ inflow: { ...inflow, peak: 0.009 }, service: false })).toBe(0)
  expect(offenceHopsOf({ inflow: undefined, service: false })).toBe(0)
})
