/**
 * `npm run eval -- wallets --csv FILE [--out FILE]`: scores any table with the column names of the public table of
 * Ethereum accounts, with the product's trees and prior. Missing columns are unknown. With a `FLAG` column the measures are
 * printed as JSON. Other parts of serving need more than such a table holds: evidence, the weight of little history, and
 * the bound on what behaviour alone can show.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { OperatorError } from '../../../platform/errors.ts'
import { type Aggregates, behaviourFeatures, UNKNOWN_AGGREGATES } from '../../../scorer/scoring/model/behaviour.ts'
import { loadTrees, logit, priorShift, sigmoid } from '../../../scorer/scoring/model/trees.ts'
import { auc, averagePrecision, brier, calibrationError, precisionAt, recallAtFalsePositiveRate } from '../metrics.ts'

/** Column of the public table behind each aggregate; compared without case. */
const COLUMNS: Record<keyof Aggregates, string> = {
  span: 'time diff between first and last (mins)',
  sent: 'sent tnx',
  received: 'received tnx',
  unique_from: 'unique received from addresses',
  unique_to: 'unique sent to addresses',
  max_received: 'max value received',
  avg_received: 'avg val received',
  max_sent: 'max val sent',
  avg_sent: 'avg val sent',
  total_sent: 'total ether sent',
  total_received: 'total ether received',
}

const cell = (text: string | undefined): number => (text === undefined || text.trim() === '' ? NaN : Number(text))

/** An average and a total are equivalent if the count is known: the missing one is derived from the other. */
const completed = (a: Aggregates): Aggregates => {
  const or = (value: number, other: number) => (Number.isNaN(value) && Number.isFinite(other) ? other : value)
  return {
    ...a,
    avg_sent: or(a.avg_sent, a.total_sent / a.sent),
    avg_received: or(a.avg_received, a.total_received / a.received),
    total_sent: or(a.total_sent, a.avg_sent * a.sent),
    total_received: or(a.total_received, a.avg_received * a.received),
  }
}

/** Scores every row; returns what is printed. @throws OperatorError ASSAY_EVAL_INPUT if the table has none of the columns */
export const evalWallets = (args: string[]): Record<string, unknown> => {
  const { values } = parseArgs({ args, options: { csv: { type: 'string' }, out: { type: 'string' } } })
  if (!values.csv) {
    throw new OperatorError('ASSAY_EVAL_INPUT', 'No table was given and nothing was scored. Name one with --csv FILE.')
  }
  const [names = [], ...rows]: string[][] = parse(readFileSync(values.csv), {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  const lower = names.map((name) => name.trim().toLowerCase())
  const places = Object.entries(COLUMNS).map(([name, column]) => ({ name, index: lower.indexOf(column) }))
  const present = places.filter(({ index }) => index >= 0)
  if (present.length === 0) {
    throw new OperatorError(
      'ASSAY_EVAL_INPUT',
      `${values.csv} has none of the columns the model knows, so nothing was scored. docs/verdicts/model-card.md lists them.`,
    )
  }
  const trees = loadTrees(new URL('../../../scorer/scoring/model/artifacts/wallet-trees.json', import.meta.url))
  const margins = rows.map((row) => {
    const known = Object.fromEntries(present.map(({ name, index }) => [name, cell(row[index])]))
    const aggregates = completed({ ...UNKNOWN_AGGREGATES, ...known })
    // As in serving: a wallet without any activity stays at the prior.
    if (aggregates.sent + aggregates.received === 0) return logit(trees.trainingPrior)
    return trees.margin(behaviourFeatures(aggregates))
  })
  const shift = priorShift(trees.trainingPrior, trees.servingPrior)
  const probabilities = margins.map((margin) => sigmoid(margin + shift))
  if (values.out) {
    writeFileSync(values.out, `row,probability\n${probabilities.map((p, i) => `${i},${p}`).join('\n')}\n`)
  }
  const base = {
    rows: rows.length,
    model: trees.version,
    servingPrior: trees.servingPrior,
    columns: present.map(({ name }) => COLUMNS[name as keyof Aggregates]),
    absent: places.filter(({ index }) => index < 0).map(({ name }) => COLUMNS[name as keyof Aggregates]),
  }
  const flag = lower.indexOf('flag')
  if (flag < 0) return base
  const scored = probabilities.map((score, i) => ({ label: Number(rows[i]?.[flag]), score }))
  const prior = scored.filter((row) => row.label === 1).length / scored.length
  const ownShift = priorShift(trees.trainingPrior, prior)
  const atOwnRate = margins.map((margin, i) => ({ label: scored[i]?.label ?? NaN, score: sigmoid(margin + ownShift) }))
  return {
    ...base,
    auc: auc(scored),
    prAuc: averagePrecision(scored),
    recallAtFpr1pct: recallAtFalsePositiveRate(scored, 0.01),
    recallAtFpr01pct: recallAtFalsePositiveRate(scored, 0.001),
    precisionAt1pctPrevalence: precisionAt(scored, 0.5, 0.01),
    precisionAt01pctPrevalence: precisionAt(scored, 0.5, 0.001),
    brier: brier(scored),
    ece: calibrationError(scored),
    /** The same margins shifted to the table's own share of fraud: calibration regardless of the choice of a prior. */
    atTableBaseRate: { prior, brier: brier(atOwnRate), ece: calibrationError(atOwnRate) },
  }
}
