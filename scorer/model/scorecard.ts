/**
 * A logistic scorecard over interpretable inputs, with versioned weights in `scorecard.json`: the probability of wallets
 * that no flag convicts. Monotone in every input by construction; an unknown input adds nothing.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { INPUTS, type InputName } from './inputs.ts'
import type { Contribution, Model } from './model.ts'

const inputName = z.custom<InputName>((name) => typeof name === 'string' && name in INPUTS, 'an input of the scorecard')

const scorecard = z.strictObject({
  version: z.string(),
  note: z.string(),
  /** Log-odds of a wallet about which nothing is known. */
  bias: z.number(),
  terms: z.array(
    z.strictObject({
      code: z.string().regex(/^[A-Z_]+$/),
      title: z.string(),
      input: inputName,
      /** `linear`: value / unit; `log`: ln(1 + value / unit). */
      scale: z.enum(['linear', 'log']),
      unit: z.number().positive(),
      weight: z.number(),
      /** Bound of the contribution's size. */
      most: z.number().positive(),
    }),
  ),
})
export type Scorecard = z.output<typeof scorecard>

const FILE = new URL('./scorecard.json', import.meta.url)

/** @throws ZodError or SyntaxError when the file is not a scorecard. */
export const loadScorecard = (path: URL = FILE): Scorecard => scorecard.parse(JSON.parse(readFileSync(path, 'utf8')))

const clamp = (value: number, most: number): number => Math.min(most, Math.max(-most, value))

export const createScorecardModel = (card: Scorecard = loadScorecard()): Model => ({
  version: card.version,
  predict: (input) => {
    const contributions: Contribution[] = []
    let margin = card.bias
    for (const { code, title, input: name, scale, unit, weight, most } of card.terms) {
      const value = INPUTS[name](input)
      if (value === null) continue
      const contribution = clamp(weight * (scale === 'log' ? Math.log1p(value / unit) : value / unit), most)
      if (contribution === 0) continue
      margin += contribution
      contributions.push({ code, title, value, contribution })
    }
    contributions.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || (a.code < b.code ? -1 : 1))
    return { margin, probability: 1 / (1 + Math.exp(-margin)), contributions }
  },
})
