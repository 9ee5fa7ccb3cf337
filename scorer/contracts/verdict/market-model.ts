/**
 * How much the first day of a token's pool resembles those of pools that were pulled: a logistic model over who trades and
 * who holds what. Weights: `market-model.json`, made by `npm run eval -- contracts --train-market`. It ranks and never
 * convicts alone. Measures: docs/verdicts/evaluation.md.
 */
import { readFileSync } from 'node:fs'
import type { MarketFacts } from '../stakeholders/stakeholders.ts'
import { applyCodeModel, type CodeFeatures, type CodeModelArtifact, logisticModel } from './code-model.ts'

/** Where the model is; the evaluation that fits it writes the file. */
export const MARKET_MODEL_FILE = new URL('./market-model.json', import.meta.url)
/** Swaps below which trading says nothing yet. */
const LEAST_SWAPS = 5
/** The ratio and the count are clipped: few purchases and no sale are not a hundred times better than ten and none. */
const MOST_RATIO = 50
const MOST_TOKENS = 1_000

const within = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

/** Purchases for each sale as a logarithm, shares, and other tokens: all without unit. */
export const marketFeatures = (facts: MarketFacts): CodeFeatures => ({
  values: {
    buys_per_sale: Math.log(within(facts.buys / (facts.sells + 1), 1 / MOST_RATIO, MOST_RATIO)),
    creator_liquidity: within(facts.creatorLiquidity, 0, 1),
    creator_supply: within(facts.creatorSupply, 0, 1),
    tokens_made: Math.log(within(facts.tokensMade, 1, MOST_TOKENS)),
  },
  words: [],
})

/** The committed model. */
export const loadMarketModel = (): CodeModelArtifact =>
  logisticModel.parse(JSON.parse(readFileSync(MARKET_MODEL_FILE, 'utf8')))

/** Chance (0..1, pulled and honest pools alike) that a pool like this is pulled; `undefined` before there was trade. */
export const applyMarketModel = (model: CodeModelArtifact, facts: MarketFacts): number | undefined =>
  facts.buys + facts.sells < LEAST_SWAPS ? undefined : applyCodeModel(model, marketFeatures(facts))
