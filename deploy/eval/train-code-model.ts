/** Trains the code model: logistic regression with L2, full-batch gradient descent, deterministic. */
import type { CodeFeatures, CodeModelArtifact } from '../../scorer/contract/code-model.ts'
import { applyCodeModel } from '../../scorer/contract/code-model.ts'
import { auc } from './metrics.ts'

export type Sample = { label: number; features: CodeFeatures /** Clones share a group and a fold. */; group: string }

const MIN_ROWS = 6
const ROUNDS = 600
const RATE = 0.5
/** L2 strength per row; chosen by the grouped cross-validation this file prints. */
const L2 = 0.1

const selected = (samples: Sample[]): string[] => {
  const seen = new Map<string, number>()
  for (const { features } of samples) {
    for (const [name, value] of Object.entries(features)) if (value !== 0) seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return [...seen]
    .filter(([, n]) => n >= MIN_ROWS)
    .map(([name]) => name)
    .sort()
}

/** Fits one model. Groups weigh the same whatever their size would be too strict: each row weighs 1/sqrt(group size). */
export const trainCodeModel = (samples: Sample[], l2 = L2): CodeModelArtifact => {
  const names = selected(samples)
  const columns = names.map((name) => samples.map((sample) => sample.features[name] ?? 0))
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length)
  const scales = columns.map(
    (column, j) =>
      Math.sqrt(column.reduce((sum, value) => sum + (value - (means[j] ?? 0)) ** 2, 0) / column.length) || 1,
  )
  const rows = samples.map((_, i) =>
    Float64Array.from(
      columns.map((column, j) => Math.max(-4, Math.min(4, ((column[i] ?? 0) - (means[j] ?? 0)) / (scales[j] ?? 1)))),
    ),
  )
  const sizes = new Map<string, number>()
  for (const { group } of samples) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const weights = samples.map((sample) => 1 / Math.sqrt(sizes.get(sample.group) ?? 1))
  const total = weights.reduce((sum, value) => sum + value, 0)
  const beta = new Float64Array(names.length)
  let intercept = 0
  const step = RATE / Math.max(1, names.length / 20)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(names.length)
    let bias = 0
    rows.forEach((row, i) => {
      let sum = intercept
      for (let j = 0; j < row.length; j++) sum += (beta[j] ?? 0) * (row[j] ?? 0)
      const error = ((1 / (1 + Math.exp(-sum)) - (samples[i]?.label ?? 0)) * (weights[i] ?? 0)) / total
      bias += error
      for (let j = 0; j < row.length; j++) gradient[j] = (gradient[j] ?? 0) + error * (row[j] ?? 0)
    })
    intercept -= step * 4 * bias
    for (let j = 0; j < beta.length; j++) beta[j] = (beta[j] ?? 0) - step * ((gradient[j] ?? 0) + l2 * (beta[j] ?? 0))
  }
  const round = (value: number) => Number(value.toPrecision(6))
  return {
    version: `code-${samples.length}-${names.length}`,
    intercept: round(intercept),
    features: names.map((name, j) => [name, round(means[j] ?? 0), round(scales[j] ?? 1), round(beta[j] ?? 0)]),
  }
}

const foldOf = (group: string, folds: number): number => {
  let hash = 7
  for (const char of group) hash = (hash * 31 + char.charCodeAt(0)) >>> 0
  return hash % folds
}

/** AUC of predictions for rows whose group the model never saw. */
export const crossValidate = (samples: Sample[], l2 = L2, folds = 5): { auc: number; scores: number[] } => {
  const scores = samples.map(() => 0)
  for (let fold = 0; fold < folds; fold++) {
    const model = trainCodeModel(
      samples.filter((sample) => foldOf(sample.group, folds) !== fold),
      l2,
    )
    samples.forEach((sample, i) => {
      if (foldOf(sample.group, folds) === fold) scores[i] = applyCodeModel(model, sample.features)
    })
  }
  return { auc: auc(samples.map((sample, i) => ({ label: sample.label, score: scores[i] ?? 0 }))), scores }
}
