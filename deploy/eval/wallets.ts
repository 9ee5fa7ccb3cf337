/**
 * `npm run eval -- wallets --csv FILE [--out FILE]`: scores any table whose columns are named as in the public table of
 * Ethereum accounts, with the model that serves. Columns that are absent are unknown. With a `FLAG` column the measures
 * are printed as JSON.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/errors.ts'
import { type Aggregates, behaviourFeatures, UNKNOWN_AGGREGATES } from '../../scorer/model/behaviour.ts'
import { loadTrees, marginOf, priorShift, sigmoid } from '../../scorer/model/trees.ts'
import { parseCsv } from './csv.ts'
import { auc, averagePrecision, brier, calibrationError, precisionAt, recallAtFalsePositiveRate } from './metrics.ts'

/** Column of the public table behind each aggregate; compared without case. */
const COLUMNS: Record<keyof Aggregates, string> = {
  gap_sent: 'avg min between sent tnx',
  gap_received: 'avg min between received tnx',
  span: 'time diff between first and last (mins)',
  sent: 'sent tnx',
  received: 'received tnx',
  created: 'number of created contracts',
  unique_from: 'unique received from addresses',
  unique_to: 'unique sent to addresses',
  min_received: 'min value received',
  max_received: 'max value received',
  avg_received: 'avg val received',
  min_sent: 'min val sent',
  max_sent: 'max val sent',
  avg_sent: 'avg val sent',
  total_sent: 'total ether sent',
  total_received: 'total ether received',
}

const cell = (text: string | undefined): number => (text === undefined || text.trim() === '' ? NaN : Number(text))

/** Scores every row; returns what is printed. @throws OperatorError ASSAY_EVAL_INPUT when the table has none of the columns. */
export const evalWallets = (args: string[]): Record<string, unknown> => {
  const { values } = parseArgs({ args, options: { csv: { type: 'string' }, out: { type: 'string' } } })
  if (!values.csv) {
    throw new OperatorError('ASSAY_EVAL_INPUT', 'No table was given and nothing was scored. Name one with --csv FILE.')
  }
  const { names, rows } = parseCsv(readFileSync(values.csv, 'utf8'))
  const lower = names.map((name) => name.toLowerCase())
  const places = Object.entries(COLUMNS).map(([name, column]) => ({ name, index: lower.indexOf(column) }))
  const present = places.filter(({ index }) => index >= 0)
  if (present.length === 0) {
    throw new OperatorError(
      'ASSAY_EVAL_INPUT',
      `${values.csv} has none of the columns the model knows, so nothing was scored. docs/model-card.md lists them.`,
    )
  }
  const model = loadTrees(new URL('../../scorer/model/artifacts/wallet-trees.json', import.meta.url))
  const margins = rows.map((row) => {
    const known = Object.fromEntries(present.map(({ name, index }) => [name, cell(row[index])]))
    return marginOf(model, behaviourFeatures({ ...UNKNOWN_AGGREGATES, ...known }))
  })
  const shift = priorShift(model.trainingPrior, model.servingPrior)
  const probabilities = margins.map((margin) => sigmoid(margin + shift))
  if (values.out) {
    writeFileSync(values.out, `row,probability\n${probabilities.map((p, i) => `${i},${p}`).join('\n')}\n`)
  }
  const base = {
    rows: rows.length,
    model: model.version,
    servingPrior: model.servingPrior,
    columns: present.map(({ name }) => COLUMNS[name as keyof Aggregates]),
    absent: places.filter(({ index }) => index < 0).map(({ name }) => COLUMNS[name as keyof Aggregates]),
  }
  const flag = lower.indexOf('flag')
  if (flag < 0) return base
  const scored = probabilities.map((score, i) => ({ label: Number(rows[i]?.[flag]), score }))
  const prior = scored.filter((row) => row.label === 1).length / scored.length
  const ownShift = priorShift(model.trainingPrior, prior)
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
    /** The same margins shifted to the table's own share of fraud: calibration apart from the choice of a prior. */
    atTableBaseRate: { prior, brier: brier(atOwnRate), ece: calibrationError(atOwnRate) },
  }
}
