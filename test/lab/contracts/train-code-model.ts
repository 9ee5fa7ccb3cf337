/** Trains the code model: logistic regression with L2 by accelerated full-batch gradient descent, deterministic. */
import {
  applyCodeModel,
  type CodeFeatures,
  type CodeModelArtifact,
  STANDARD_LIMIT,
  versionOf,
} from '../../../scorer/contracts/verdict/code-model.ts'
import { auc } from '../metrics.ts'

export type Sample = { label: number; features: CodeFeatures /** Clones share a group and a fold. */; group: string }

/** Minimum number of rows in which a value or a word must occur. */
const MIN_ROWS = { values: 6, words: 5 }
const ROUNDS = 800
/** Maximum curvature of the loss: rows have length at most about two. */
const RATE = 0.8
/** L2 strength per row; chosen by the grouped cross-validation that this file prints. */
const L2 = 0.001
/** Share of common functions from which two contracts count as one family, and minimum number of functions. */
const ALIKE = 0.9
const FEW = 14

/** Identification of clones. `family`: hash of the opcodes. */
export type Code = { family: string; selectors: ReadonlySet<string> }

/** Whether two codes have the same opcodes, or nearly the same functions. */
export const isAlike = (one: Code, other: Code): boolean => {
  if (one.family === other.family) return true
  const [a, b] = [one.selectors, other.selectors]
  const common = a.size > FEW ? [...a].filter((name) => b.has(name)).length : 0
  return common >= ALIKE * (a.size + b.size - common || 1)
}

/** Groups of clones. */
export const groupClones = (rows: readonly Code[]): string[] => {
  const parents = rows.map((_, i) => i)
  const rootOf = (i: number): number => {
    let at = i
    while ((parents[at] ?? at) !== at) at = parents[at] ?? at
    return at
  }
  rows.forEach((row, i) => {
    for (const [j, other] of rows.slice(0, i).entries()) if (isAlike(row, other)) parents[rootOf(i)] = rootOf(j)
  })
  return rows.map((_, i) => String(rootOf(i)))
}

const frequent = (lists: string[][], least: number): [string, number][] => {
  const seen = new Map<string, number>()
  for (const list of lists) for (const name of list) seen.set(name, (seen.get(name) ?? 0) + 1)
  return [...seen].filter(([, n]) => n >= least).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Fits one model. Equal weights per group regardless of size would be too strict: each row weighs 1/sqrt(group size). */
export const trainCodeModel = (samples: Sample[], l2 = L2): CodeModelArtifact => {
  const names = frequent(
    samples.map(({ features }) => Object.keys(features.values).filter((name) => features.values[name] !== 0)),
    MIN_ROWS.values,
  ).map(([name]) => name)
  const words = frequent(
    samples.map(({ features }) => features.words),
    MIN_ROWS.words,
  ).map(([name, n]): [string, number] => [name, Math.log((1 + samples.length) / (1 + n)) + 1])
  const columns = names.map((name) => samples.map((sample) => sample.features.values[name] ?? 0))
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length)
  const scales = columns.map(
    (column, j) =>
      Math.sqrt(column.reduce((sum, value) => sum + (value - (means[j] ?? 0)) ** 2, 0) / column.length) || 1,
  )
  // Values and words weigh alike: each side of a row has a length of about one.
  const share = 1 / Math.sqrt(names.length || 1)
  const rows = samples.map(({ features }, i) => {
    const values = columns.map((column, j) => {
      const value = ((column[i] ?? 0) - (means[j] ?? 0)) / (scales[j] ?? 1)
      return share * Math.max(-STANDARD_LIMIT, Math.min(STANDARD_LIMIT, value))
    })
    const present = new Set(features.words)
    const weighted = words.map(([name, frequency]) => (present.has(name) ? frequency : 0))
    const length = Math.hypot(...weighted) || 1
    return Float64Array.from([...values, ...weighted.map((value) => value / length)])
  })
  const sizes = new Map<string, number>()
  for (const { group } of samples) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const weights = samples.map((sample) => 1 / Math.sqrt(sizes.get(sample.group) ?? 1))
  const total = weights.reduce((sum, value) => sum + value, 0)
  const width = names.length + words.length
  let beta = new Float64Array(width)
  let ahead = beta
  let intercept = 0
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = ahead.map((value) => l2 * value)
    let bias = 0
    rows.forEach((row, i) => {
      let sum = intercept
      for (let j = 0; j < width; j++) sum += (ahead[j] ?? 0) * (row[j] ?? 0)
      const error = ((1 / (1 + Math.exp(-sum)) - (samples[i]?.label ?? 0)) * (weights[i] ?? 0)) / total
      bias += error
      for (let j = 0; j < width; j++) gradient[j] = (gradient[j] ?? 0) + error * (row[j] ?? 0)
    })
    intercept -= RATE * bias
    const next = ahead.map((value, j) => value - RATE * (gradient[j] ?? 0))
    const momentum = round / (round + 3)
    const before = beta
    ahead = next.map((value, j) => value + momentum * (value - (before[j] ?? 0)))
    beta = next
  }
  const round = (value: number) => Number(value.toPrecision(6))
  const fitted: Omit<CodeModelArtifact, 'version'> = {
    intercept: round(intercept),
    features: names.map((name, j) => [
      name,
      round(means[j] ?? 0),
      round(scales[j] ?? 1),
      round(share * (beta[j] ?? 0)),
    ]),
    words: words.map(([name, frequency], j) => [name, round(frequency), round(beta[names.length + j] ?? 0)]),
  }
  return { version: versionOf(`code-${samples.length}-${width}`, fitted), ...fitted }
}

const foldOf = (group: string, folds: number): number => {
  let hash = 7
  for (const char of `fold ${group}`) hash = (hash * 31 + char.charCodeAt(0)) >>> 0
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
