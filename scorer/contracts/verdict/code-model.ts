/**
 * How much a token's code resembles that of tokens that were pulled: a logistic model over selectors it answers and
 * calls, words of its messages, guards and simulated flags, nothing of which depends on how the compiler was set. Weights: `code-model.json`, made by
 * `npm run eval -- contracts --train`. It knows nothing of people and liquidity; selectors and messages are easily
 * changed, so it ranks and never convicts alone.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Subject } from '../subject/subject.ts'
import type { Indicators } from './verdict.ts'

/** Weights of a logistic model, as they are committed. */
export const logisticModel = z.object({
  version: z.string(),
  intercept: z.number(),
  /** name, mean, scale, weight */
  features: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
  /** Words present or not: name, inverse document frequency, weight. Each contract's words are scaled to length one. */
  words: z.array(z.tuple([z.string(), z.number(), z.number()])),
})
/** A committed model. The market model is of the same kind and shape. */
export type CodeModelArtifact = z.infer<typeof logisticModel>
/** The name of a model: what it was fitted to, and a digest of its weights, so that two fits to as many rows are told apart. */
export const versionOf = (
  fitted: string,
  { intercept, features, words }: Omit<CodeModelArtifact, 'version'>,
): string => {
  const weights = JSON.stringify([intercept, features, words])
  return `${fitted}-${createHash('sha256').update(weights).digest('hex').slice(0, 8)}`
}

/** Where the model is; the evaluation that fits it writes the file. */
export const CODE_MODEL_FILE = new URL('./code-model.json', import.meta.url)

/** Flags that do not depend on where the token happens to be listed. */
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

/** `words`: what the code answers, calls and says. */
export type CodeFeatures = { values: Record<string, number>; words: string[] }

/** Features of a code. `indicators`: flags of it, as far as they were looked at. */
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

/** Standardized values are clipped so that one odd feature cannot decide. */
export const STANDARD_LIMIT = 4

/** Chance of the positive class, 0..1. */
export const applyCodeModel = (model: CodeModelArtifact, { values, words }: CodeFeatures): number => {
  let sum = model.intercept
  for (const [name, mean, scale, weight] of model.features) {
    const value = ((values[name] ?? 0) - mean) / scale
    sum += weight * Math.max(-STANDARD_LIMIT, Math.min(STANDARD_LIMIT, value))
  }
  const present = new Set(words)
  const said = model.words.filter(([name]) => present.has(name))
  const length = Math.hypot(...said.map(([, frequency]) => frequency)) || 1
  for (const [, frequency, weight] of said) sum += (weight * frequency) / length
  return 1 / (1 + Math.exp(-sum))
}

/** The committed model. */
export const loadCodeModel = (): CodeModelArtifact =>
  logisticModel.parse(JSON.parse(readFileSync(CODE_MODEL_FILE, 'utf8')))
