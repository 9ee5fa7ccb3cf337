/**
 * Gradient-boosted trees as exported by `training/train.py`: loading, margins and exact SHAP values. A small tree has few decision
 * patterns, so value and SHAP values of each pattern are computed once and looked up.
 * Equal to LightGBM 4.6 on stored vectors to 1e-9.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { BugError } from '../../../platform/errors.ts'
import { at, leafValueOf, meanOf, shapOf, type Tree } from './shap.ts'

const numbers = z.array(z.number())
const tree = z.object({
  /** Index of the feature a node tests; -1 for a leaf. Nodes are in pre-order. */
  feature: numbers,
  /** Values at or below it go left. */
  threshold: numbers,
  left: numbers,
  right: numbers,
  value: numbers,
  /** Number of training rows that passed the node. */
  cover: numbers,
  /** 1 if an unknown value goes left. */
  missingLeft: numbers,
})

const artifact = z.object({
  version: z.string(),
  kind: z.literal('gradient-boosted-trees'),
  features: z.array(z.string()),
  trees: z.array(tree),
  /** Share of fraud in the training rows. */
  trainingPrior: z.number().gt(0).lt(1),
  /** Assumed share of fraud in production; stated in docs/verdicts/model-card.md. */
  servingPrior: z.number().gt(0).lt(1),
  report: z.record(z.string(), z.unknown()),
})

/** A loaded artifact. Vectors are in the order of `features`; NaN means unknown. */
export type Trees = {
  version: string
  features: readonly string[]
  trainingPrior: number
  servingPrior: number
  /** Mean margin of the training rows. */
  base: number
  /** Log-odds at the training prior. */
  margin: (x: Float64Array) => number
  /** Exact path-dependent SHAP values of the margin (Lundberg et al. 2018), one per feature. Together with `base` they sum to it. */
  explain: (x: Float64Array) => Float64Array
}

/** Maximum number of inner nodes per tree: each doubles the size of the table. */
const MAX_SPLITS = 6

/** Flattens the trees. Bit j of a tree's pattern is set if its inner node j goes left. */
const tabulate = (trees: readonly Tree[], features: number) => {
  const questions = trees.map((t) => t.feature.flatMap((feature, node) => (feature >= 0 ? [node] : [])))
  const flat = trees.flatMap((t, nth) => (questions[nth] ?? []).map((node) => ({ t, node })))
  const feature = Int32Array.from(flat, ({ t, node }) => at(t.feature, node))
  const threshold = Float64Array.from(flat, ({ t, node }) => at(t.threshold, node))
  const missingLeft = Uint8Array.from(flat, ({ t, node }) => at(t.missingLeft, node))
  const sizes = Int32Array.from(questions, (nodes) => nodes.length)
  const values: number[] = []
  /** Parallel to `values`: SHAP values of the features the tree tests, in the order of its inner nodes. */
  const shap: number[] = []
  for (const [nth, t] of trees.entries()) {
    const nodes = questions[nth] ?? []
    for (let pattern = 0; pattern < 1 << nodes.length; pattern++) {
      const goesLeft = (node: number) => ((pattern >> nodes.indexOf(node)) & 1) === 1
      values.push(leafValueOf(t, goesLeft))
      const phi = shapOf(t, features, goesLeft)
      // A feature tested twice has its value at the first test.
      for (const [j, node] of nodes.entries()) {
        const first = nodes.findIndex((other) => t.feature[other] === t.feature[node])
        shap.push(first === j ? at(phi, at(t.feature, node)) : 0)
      }
    }
  }
  return { feature, threshold, missingLeft, sizes, values: Float64Array.from(values), shap: Float64Array.from(shap) }
}

const createTrees = ({ trees, ...model }: z.output<typeof artifact>): Trees => {
  const { feature, threshold, missingLeft, sizes, values, shap } = tabulate(trees, model.features.length)

  // The hot loop of bulk scoring. Reads from flat typed arrays compile to plain loads.
  const patternOf = (x: Float64Array, from: number, size: number): number => {
    let pattern = 0
    for (let j = 0; j < size; j++) {
      const value = x[feature[from + j] ?? 0] ?? NaN
      const left = value <= (threshold[from + j] ?? 0) || (Number.isNaN(value) && missingLeft[from + j] === 1)
      if (left) pattern |= 1 << j
    }
    return pattern
  }

  return {
    ...model,
    base: trees.reduce((sum, t) => sum + meanOf(t), 0),
    margin: (x) => {
      let sum = 0
      for (let nth = 0, asked = 0, table = 0; nth < sizes.length; nth++) {
        const size = sizes[nth] ?? 0
        sum += values[table + patternOf(x, asked, size)] ?? NaN
        asked += size
        table += 1 << size
      }
      return sum
    },
    explain: (x) => {
      const phi = new Float64Array(model.features.length)
      for (let nth = 0, asked = 0, table = 0; nth < sizes.length; nth++) {
        const size = sizes[nth] ?? 0
        const row = table + patternOf(x, asked, size) * size
        for (let j = 0; j < size; j++) {
          const name = feature[asked + j] ?? 0
          phi[name] = (phi[name] ?? NaN) + (shap[row + j] ?? NaN)
        }
        asked += size
        table += size << size
      }
      return phi
    },
  }
}

/**
 * Reads an artifact and checks its text against the hash in its version.
 * @throws BugError ASSAY_MODEL_CORRUPT if the hash differs or a tree is too large for a table.
 */
export const loadTrees = (path: URL): Trees => {
  const text = readFileSync(path, 'utf8').trimEnd()
  const model = artifact.parse(JSON.parse(text))
  const body = `{${text.slice(text.indexOf(',') + 1)}`
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
  if (model.version !== `wallet-trees-${digest}`) {
    throw new BugError(
      'ASSAY_MODEL_CORRUPT',
      `The model artifact has version ${model.version}, but its hash is ${digest}. The model was not used. Restore the file, or train the model again.`,
    )
  }
  if (model.trees.some((t) => t.feature.filter((feature) => feature >= 0).length > MAX_SPLITS)) {
    throw new BugError(
      'ASSAY_MODEL_CORRUPT',
      `The model artifact ${model.version} has trees with more than ${MAX_SPLITS} splits, and their tables would be too large. The model was not used. Train it with fewer leaves.`,
    )
  }
  return createTrees(model)
}

/** Log-odds of a probability between 0 and 1, both exclusive. Margins are log-odds. */
export const logit = (p: number): number => Math.log(p / (1 - p))

/** Log-odds to add so that a margin learned at one prior holds at another (Saerens et al. 2002, in odds form). */
export const priorShift = (from: number, to: number): number => logit(to) - logit(from)

/** Probability of log-odds: the inverse of `logit`. */
export const sigmoid = (margin: number): number => 1 / (1 + Math.exp(-margin))
