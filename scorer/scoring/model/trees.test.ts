import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Aggregates, BEHAVIOUR_NAMES, behaviourFeatures, UNKNOWN_AGGREGATES } from './behaviour.ts'
import { loadTrees, priorShift, sigmoid } from './trees.ts'

type Vectors = {
  aggregates: string[]
  inputs: (number | null)[][]
  features: (number | null)[][]
  margins: number[]
  contributions: number[][]
}

const trees = loadTrees(new URL('artifacts/wallet-trees.json', import.meta.url))
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('artifacts/wallet-trees.vectors.json', import.meta.url), 'utf8'),
)
const known = (row: (number | null)[]) => row.map((value) => value ?? NaN)
const inputs = vectors.inputs.map(
  (row) =>
    ({
      ...UNKNOWN_AGGREGATES,
      ...Object.fromEntries(known(row).map((v, i) => [vectors.aggregates[i], v])),
    }) as Aggregates,
)

const close = (ours: ArrayLike<number>, theirs: number[], context: string) => {
  expect(ours.length, context).toBe(theirs.length)
  theirs.forEach((value, i) => {
    const mine = ours[i] ?? NaN
    if (Number.isNaN(value)) expect(mine, `${context} ${i}`).toBeNaN()
    else
      expect(Math.abs(mine - value), `${context} ${i}: ${mine} ${value}`).toBeLessThan(
        1e-9 * Math.max(1, Math.abs(value)),
      )
  })
}

test('the serving features are the training features', () => {
  expect(BEHAVIOUR_NAMES).toEqual(trees.features)
  for (const [i, input] of inputs.entries())
    close(behaviourFeatures(input), known(vectors.features[i]!), `features of vector ${i}`)
})

test('margins equal those of LightGBM', () => {
  close(
    inputs.map((input) => trees.margin(behaviourFeatures(input))),
    vectors.margins,
    'margin',
  )
})

test('SHAP values equal those of LightGBM and add up to the margin', () => {
  vectors.contributions.forEach((theirs, i) => {
    const x = behaviourFeatures(inputs[i]!)
    const ours = trees.explain(x)
    close(ours, theirs.slice(0, -1), `contributions of vector ${i}`)
    expect(Math.abs(trees.base - theirs.at(-1)!)).toBeLessThan(1e-9)
    expect(ours.reduce((a, b) => a + b, trees.base)).toBeCloseTo(trees.margin(x), 9)
  })
})

test('the prior shift moves the average wallet from one base rate to the other', () => {
  const margin = Math.log(0.2 / 0.8)
  expect(sigmoid(margin + priorShift(0.2, 0.01))).toBeCloseTo(0.01, 12)
})

test('a longer history, more transactions or more counterparties never raise the score, the rest being equal', () => {
  for (const name of ['span', 'sent', 'received', 'unique_from', 'unique_to']) {
    const index = trees.features.indexOf(name)
    for (const input of inputs.slice(0, 60)) {
      const x = behaviourFeatures(input)
      let last = Infinity
      for (let value = 0; value <= 16; value += 0.5) {
        x[index] = value
        const margin = trees.margin(x)
        expect(margin).toBeLessThanOrEqual(last + 1e-12)
        last = margin
      }
    }
  }
})

test('an account without known data scores below one half', () => {
  const x = behaviourFeatures(UNKNOWN_AGGREGATES)
  expect(sigmoid(trees.margin(x) + priorShift(trees.trainingPrior, trees.servingPrior))).toBeLessThan(0.1)
})

test('the unit of value does not matter', () => {
  for (const input of inputs) {
    const scaled = { ...input }
    for (const name of [
      'max_received',
      'avg_received',
      'max_sent',
      'avg_sent',
      'total_sent',
      'total_received',
    ] as const)
      scaled[name] *= 1024
    expect(behaviourFeatures(scaled)).toEqual(behaviourFeatures(input))
  }
})
