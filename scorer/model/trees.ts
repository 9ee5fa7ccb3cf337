/**
 * Gradient-boosted trees as exported by `training/train.py`: loading, evaluation, prior shift and exact SHAP values.
 * Equal to LightGBM 4.6 on stored vectors to 1e-9.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { BugError } from '../../platform/errors.ts'

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
  /** Share of fraud assumed where the score is used; stated in docs/model-card.md. */
  servingPrior: z.number().gt(0).lt(1),
  report: z.record(z.string(), z.unknown()),
})

export type Tree = z.output<typeof tree>
export type TreeModel = z.output<typeof artifact>

/**
 * Reads an artifact and checks that its text is the one its version names.
 * @throws BugError ASSAY_MODEL_CORRUPT when text and version do not belong together.
 */
export const loadTrees = (path: URL): TreeModel => {
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
  return model
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? NaN

const childOf = (t: Tree, node: number, x: ArrayLike<number>): number => {
  const value = at(x, at(t.feature, node))
  const left = Number.isNaN(value) ? at(t.missingLeft, node) === 1 : value <= at(t.threshold, node)
  return left ? at(t.left, node) : at(t.right, node)
}

const leafValue = (t: Tree, x: ArrayLike<number>): number => {
  let node = 0
  while (at(t.feature, node) >= 0) node = childOf(t, node, x)
  return at(t.value, node)
}

/** Sum of the trees: log-odds at the training prior. */
export const marginOf = (model: TreeModel, x: ArrayLike<number>): number =>
  model.trees.reduce((sum, t) => sum + leafValue(t, x), 0)

const logit = (p: number): number => Math.log(p / (1 - p))

/** Log-odds to add so that a margin learned at one prior holds at another (Saerens et al. 2002, in odds form). */
export const priorShift = (from: number, to: number): number => logit(to) - logit(from)

export const sigmoid = (margin: number): number => 1 / (1 + Math.exp(-margin))

type PathElement = { feature: number; zero: number; one: number; weight: number }

const extend = (path: readonly PathElement[], zero: number, one: number, feature: number): PathElement[] => {
  const depth = path.length
  const next = path.map((element) => ({ ...element }))
  next.push({ feature, zero, one, weight: depth === 0 ? 1 : 0 })
  for (let i = depth - 1; i >= 0; i--) {
    const here = next[i]
    const after = next[i + 1]
    if (!here || !after) continue
    after.weight += (one * here.weight * (i + 1)) / (depth + 1)
    here.weight = (zero * here.weight * (depth - i)) / (depth + 1)
  }
  return next
}

const unwind = (path: readonly PathElement[], index: number): PathElement[] => {
  const depth = path.length - 1
  const next = path.map((element) => ({ ...element }))
  const { zero = 1, one = 1 } = path[index] ?? {}
  let carried = next[depth]?.weight ?? 0
  for (let i = depth - 1; i >= 0; i--) {
    const here = next[i]
    if (!here) continue
    if (one !== 0) {
      const old = here.weight
      here.weight = (carried * (depth + 1)) / ((i + 1) * one)
      carried = old - (here.weight * zero * (depth - i)) / (depth + 1)
    } else here.weight = (here.weight * (depth + 1)) / (zero * (depth - i))
  }
  for (let i = index; i < depth; i++) {
    const here = next[i]
    const after = next[i + 1]
    if (!here || !after) continue
    here.feature = after.feature
    here.zero = after.zero
    here.one = after.one
  }
  next.pop()
  return next
}

const treeShap = (t: Tree, x: ArrayLike<number>, phi: Float64Array): void => {
  const visit = (node: number, parents: readonly PathElement[], zero: number, one: number, feature: number): void => {
    let path = extend(parents, zero, one, feature)
    const split = at(t.feature, node)
    if (split < 0) {
      for (let i = 1; i < path.length; i++) {
        const element = path[i]
        if (!element) continue
        const weight = unwind(path, i).reduce((sum, e) => sum + e.weight, 0)
        phi[element.feature] = at(phi, element.feature) + weight * (element.one - element.zero) * at(t.value, node)
      }
      return
    }
    const hot = childOf(t, node, x)
    const cold = hot === at(t.left, node) ? at(t.right, node) : at(t.left, node)
    const seen = path.findIndex((element, i) => i > 0 && element.feature === split)
    const { zero: seenZero = 1, one: seenOne = 1 } = seen > 0 ? (path[seen] ?? {}) : {}
    if (seen > 0) path = unwind(path, seen)
    const cover = at(t.cover, node)
    visit(hot, path, (seenZero * at(t.cover, hot)) / cover, seenOne, split)
    visit(cold, path, (seenZero * at(t.cover, cold)) / cover, 0, split)
  }
  visit(0, [], 1, 1, -1)
}

/**
 * Exact path-dependent SHAP values of the margin (Lundberg et al. 2018, algorithm 2), one per feature. Together with the
 * mean margin of the training rows they add up to `marginOf`.
 */
export const shapValues = (model: TreeModel, x: ArrayLike<number>): Float64Array => {
  const phi = new Float64Array(model.features.length)
  for (const t of model.trees) treeShap(t, x, phi)
  return phi
}
