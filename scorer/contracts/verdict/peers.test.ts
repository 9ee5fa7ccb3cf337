import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rugExplanation } from '../../../schema/records/explained/explanations.ts'
import { shownFacts } from '../../../schema/records/explained/token-facts.ts'
import { riskIndicators, rugBody } from '../../../schema/records/rug.ts'
import { contractObjects } from '../../../schema/tables/contracts.ts'
import { explainContract } from './reasons.ts'
import type { FraudCode } from './verdict.ts'

const DOCS = new URL('../../../docs/verdicts/contract-risk.md', import.meta.url)
const CODES: FraudCode[] = ['liquidity_removed', 'sold_by_insiders', 'code_resembles_rugs']

test('the table of what other services answer names fields that exist, and every indicator', () => {
  const [, section = ''] = readFileSync(DOCS, 'utf8').split('## What other services answer')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  const named = new Set(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
  const records = contractObjects.find(({ name }) => name === 'contract_records')
  const columns = records?.kind === 'table' ? Object.keys(records.columns) : []
  const known = new Set<string>([
    ...riskIndicators.keyof().options,
    ...rugBody.keyof().options,
    ...rugExplanation.keyof().options,
    ...columns,
    ...CODES,
  ])
  expect([...named].filter((name) => !known.has(name))).toEqual([])
  // Those that no other service asks for.
  const own = ['market_cap', 'is_in_dex']
  expect(riskIndicators.keyof().options.filter((name) => !named.has(name) && !own.includes(name))).toEqual([])
  expect(Object.keys(shownFacts).filter((name) => !named.has(name))).toEqual([])
  expect(rows.length).toBeGreaterThan(15)
})

test('every reason has words', () => {
  const fraud = CODES.map((code) => ({ code, contribution: 0.1, evidence: [] }))
  expect(explainContract(0, { risk: [], fraud }).map(({ title, change }) => Boolean(title && change))).toEqual(
    CODES.map(() => true),
  )
})
