/**
 * Similarity of a token's code to code of rug pulls: a logistic model over the selectors the code answers and calls,
 * words of its messages, guards and simulated indicators. None of these depend on compiler settings. Weights:
 * `code-model.json`, made by `npm run eval -- contracts --train`. The model knows nothing of stakeholders and
 * liquidity. Selectors and messages are easily changed, so it only ranks and never decides a verdict alone.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Subject } from '../subject/subject.ts'
import type { Indicators } from './verdict.ts'

/** Committed weights of a logistic model. */
export const logisticModel = z.object({
  version: z.string(),
  intercept: z.number(),
  /** Name, mean, scale, weight. */
  features: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
  /**
   * Words, present or not: name, inverse document frequency, weight. The words of each contract are scaled to length
   * one.
   */
  words: z.array(z.tuple([z.string(), z.number(), z.number()])),
})
/** A committed model. The market model has the same shape. */
export type CodeModelArtifact = z.infer<typeof logisticModel>
/** Version of a model: its training data and a digest of its weights, so that two fits to as many rows differ. */
export const versionOf = (
  fitted: string,
  { intercept, features, words }: Omit<CodeModelArtifact, 'version'>,
): string => {
  const weights = JSON.stringify([intercept, features, words])
  return `${fitted}-${createHash('sha256').update(weights).digest('hex').slice(0, 8)}`
}

/** Path of the committed model. The evaluation that fits the model writes this file. */
export const CODE_MODEL_FILE = new URL('./code-model.json', import.meta.url)

/** Indicators that do not depend on where the token is listed. */
const FLAGS = [
  'is_honeypot',
  'can_take_back_ownership',
  'is_mintable',
  'hidden_owner',
  'cannot_buy',
  'cannot_sell_all',
  'is_blacklisted',
  'is_whitelisted',
  'slippage_modifiable',
  'transfer_pausable',
  'is_anti_whale',
  'anti_whale_modifiable',
  'personal_slippage_modifiable',
  'owner_change_balance',
  'external_call',
  'is_proxy',
] as const

const count = (values: unknown[]) => Math.log1p(values.length)

/** `words`: selectors the code answers and calls, and words of its messages. */
export type CodeFeatures = { values: Record<string, number>; words: string[] }

/** Features of the code. `indicators`: those that are known. */
export const codeFeatures = (
  { functions, text }: Pick<Subject, 'functions' | 'text'>,
  indicators: Partial<Indicators>,
): CodeFeatures => {
  const features: Record<string, number> = {}
  const writers = functions.filter((facts) => facts.writes)
  features.functions = count(functions)
  features.writers = count(writers)
  features.gated = count(writers.filter((facts) => facts.callerSlots.length + facts.callerConstants.length > 0))
  features.constants = count(functions.flatMap((facts) => facts.callerConstants))
  features.lists = count(functions.filter((facts) => facts.callerMaps.length > 0))
  features.guards = count([...new Set(functions.flatMap((facts) => facts.callerSlots.map((ref) => ref.slot)))])
  features.callers = count(functions.filter((facts) => facts.calls))
  features.clocks = count(functions.filter((facts) => facts.readsTime))
  const transfer = functions.find((facts) => facts.selector === '0xa9059cbb')
  features.transferReads = count(transfer?.reads ?? [])
  features.transferMaps = count(transfer?.maps ?? [])
  for (const name of FLAGS) features[`flag:${name}`] = indicators[name] === 1 ? 1 : 0
  const { buy_tax = 0, sell_tax = 0 } = indicators
  features['flag:tax'] = Math.max(indicators.cannot_buy ? 0 : buy_tax, sell_tax) / 100
  const words = [...functions.map((facts) => `answer:${facts.selector}`), ...text.words]
  return { values: features, words: [...new Set(words)] }
}

/** Standardised values are clipped, so that one odd feature cannot decide. */
export const STANDARD_LIMIT = 4

/** Probability of the positive class, 0..1. */
export const applyCodeModel = (model: CodeModelArtifact, { values, words }: CodeFeatures): number => {
  let sum = model.intercept
  for (const [name, mean, scale, weight] of model.features) {
    const value = ((values[name] ?? 0) - mean) / scale
    sum += weight * Math.max(-STANDARD_LIMIT, Math.min(STANDARD_LIMIT, value))
  }
  const present = new Set(words)
  const matched = model.words.filter(([name]) => present.has(name))
  const length = Math.hypot(...matched.map(([, frequency]) => frequency)) || 1
  for (const [, frequency, weight] of matched) sum += (weight * frequency) / length
  return 1 / (1 + Math.exp(-sum))
}

/** Loads the committed model. */
export const loadCodeModel = (): CodeModelArtifact =>
  logisticModel.parse(JSON.parse(readFileSync(CODE_MODEL_FILE, 'utf8')))
