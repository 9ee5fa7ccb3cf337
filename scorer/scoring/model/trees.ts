/**
 * Gradient-boosted trees as exported by `training/train.py`: loading, margins and exact SHAP values, by tables. A small
 * tree has few patterns of decisions, so what each pattern yields, value and SHAP values, is worked out once.
 * Equal to LightGBM 4.6 on stored vectors to 1e-9.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { BugError } from '../../../platform/errors.ts'
import { at, leafValueOf, meanOf, shapOf, type Tree } from './shap.ts'

const numbers = z.array(z.number())
const tree = z.object({
  /** Index of the feature a node asks for; -1 marks a leaf. Nodes are in pre-order. */
  feature: numbers,
  /** A value at or below goes left. */
  threshold: numbers,
  left: numbers,
  right: numbers,
  value: numbers,
  /** Training rows that passed the node. */
  cover: numbers,
  /** 1 when an unknown value goes left. */
  missingLeft: numbers,
})

const artifact = z.object({
  version: z.string(),
  kind: z.literal('gradient-boosted-trees'),
  features: z.array(z.string()),
  trees: z.array(tree),
  /** Share of fraud in the training rows. */
  trainingPrior: z.number().gt(0).lt(1),
  /** Share of fraud assumed where the score is used; stated in docs/verdicts/model-card.md. */
  servingPrior: z.number().gt(0).lt(1),
  report: z.record(z.string(), z.unknown()),
})

/** A loaded artifact, ready to score. Vectors are in the order of `features`; NaN stands for what is not known. */
export type Trees = {
  version: string
  features: readonly string[]
  trainingPrior: number
  servingPrior: number
  /** Mean margin of the training rows. */
  base: number
  /** Log-odds at the training prior. */
  margin: (x: Float64Array) => number
  /**
   * Exact path-dependent SHAP values of the margin (Lundberg et al. 2018), one per feature; `base` and they add up to it.
   */
  explain: (x: Float64Array) => Float64Array
}

/** Tables double with every question a tree asks. */
const MAX_QUESTIONS = 6

/** The trees, question by question, in flat arrays: a tree's pattern has bit j set when its question j goes left. */
const tabulate = (trees: readonly Tree[], features: number) => {
  const questions = trees.map((t) => t.feature.flatMap((feature, node) => (feature >= 0 ? [node] : [])))
  const flat = trees.flatMap((t, nth) => (questions[nth] ?? []).map((node) => ({ t, node })))
  const feature = Int32Array.from(flat, ({ t, node }) => at(t.feature, node))
  const threshold = Float64Array.from(flat, ({ t, node }) => at(t.threshold, node))
  const missingLeft = Uint8Array.from(flat, ({ t, node }) => at(t.missingLeft, node))
  const sizes = Int32Array.from(questions, (nodes) => nodes.length)
  const values: number[] = []
  /** Aligned with `values`: the SHAP values of the features the tree asks for, in the order of its questions. */
  const shap: number[] = []
  for (const [nth, t] of trees.entries()) {
    const nodes = questions[nth] ?? []
    for (let pattern = 0; pattern < 1 << nodes.length; pattern++) {
      const goesLeft = (node: number) => ((pattern >> nodes.indexOf(node)) & 1) === 1
      values.push(leafValueOf(t, goesLeft))
      const phi = shapOf(t, features, goesLeft)
      // A feature asked for twice keeps its value at the first question.
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

  // Reads of one array each, so that the engine compiles them to plain loads: this is the hot loop of bulk scoring.
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
 * Reads an artifact and checks that its text is the one its version names.
 * @throws BugError ASSAY_MODEL_CORRUPT when text and version do not belong together, or trees are too large for tables.
 */
export const loadTrees = (path: URL): Trees => {
  const text = readFileSync(path, 'utf8').trimEnd()
  const model = artifact.parse(JSON.parse(text))
  const body = `{${text.slice(text.indexOf(',') + 1)}`
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
  if (model.version !== `wallet-trees-${digest}`) {
    throw new BugError(
      'ASSAY_MODEL_CORRUPT',
      `The model artifact calls itself ${model.version} but its text hashes to ${digest}. It was not used. Restore the file or train again.`,
    )
  }
  if (model.trees.some((t) => t.feature.filter((feature) => feature >= 0).length > MAX_QUESTIONS)) {
    throw new BugError(
      'ASSAY_MODEL_CORRUPT',
      `The model artifact ${model.version} has trees of more than ${MAX_QUESTIONS} questions, which would need tables too large. It was not used. Train with fewer leaves.`,
    )
  }
  return createTrees(model)
}

/** Log-odds of a probability between 0 and 1, both exclusive: the unit of margins. */
export const logit = (p: number): number => Math.log(p / (1 - p))

/** Log-odds to add so that a margin learned at one prior holds at another (Saerens et al. 2002, in odds form). */
export const priorShift = (from: number, to: number): number => logit(to) - logit(from)

/** Probability of log-odds: the inverse of `logit`. */
export const sigmoid = (margin: number): number => 1 / (1 + Math.exp(-margin))
