/** Value and exact SHAP values of a single tree. */

/** A tree in pre-order arrays, described in `trees.ts`. */
export type Tree = {
  feature: number[]
  threshold: number[]
  left: number[]
  right: number[]
  value: number[]
  cover: number[]
  missingLeft: number[]
}

type Decide = (node: number) => boolean

/** Reads an element of an array. Returns NaN if it does not exist, which makes every sum NaN. */
export const at = (values: ArrayLike<number>, index: number): number => values[index] ?? NaN

const childOf = (t: Tree, node: number, goesLeft: Decide): number =>
  goesLeft(node) ? at(t.left, node) : at(t.right, node)

/** Value of the leaf that the decisions lead to, which the tree adds to the margin. `goesLeft` decides at inner nodes. */
export const leafValueOf = (t: Tree, goesLeft: Decide): number => {
  let node = 0
  while (at(t.feature, node) >= 0) node = childOf(t, node, goesLeft)
  return at(t.value, node)
}

/** Mean leaf value over the training rows. */
export const meanOf = (t: Tree): number =>
  t.feature.reduce((sum, feature, node) => (feature < 0 ? sum + at(t.value, node) * at(t.cover, node) : sum), 0) /
  at(t.cover, 0)

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

/** Path-dependent SHAP values, one per feature (Lundberg et al. 2018, algorithm 2). */
export const shapOf = (t: Tree, features: number, goesLeft: Decide): Float64Array => {
  const phi = new Float64Array(features)
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
    const hot = childOf(t, node, goesLeft)
    const cold = hot === at(t.left, node) ? at(t.right, node) : at(t.left, node)
    const seen = path.findIndex((element, i) => i > 0 && element.feature === split)
    const { zero: seenZero = 1, one: seenOne = 1 } = seen > 0 ? (path[seen] ?? {}) : {}
    if (seen > 0) path = unwind(path, seen)
    const cover = at(t.cover, node)
    visit(hot, path, (seenZero * at(t.cover, hot)) / cover, seenOne, split)
    visit(cold, path, (seenZero * at(t.cover, cold)) / cover, 0, split)
  }
  visit(0, [], 1, 1, -1)
  return phi
}
