/**
 * Similarity of the first day of a token's pool to pools that were rug-pulled: a logistic model over trades and
 * holdings. Weights: `market-model.json`, made by `npm run eval -- contracts --train-market`. It only ranks and never
 * decides a verdict alone. Measurements: docs/verdicts/evaluation.md.
 */
import { readFileSync } from 'node:fs'
import type { MarketFacts } from '../stakeholders/stakeholders.ts'
import { applyCodeModel, type CodeFeatures, type CodeModelArtifact, logisticModel } from './code-model.ts'

/** Path of the committed model. The evaluation that fits the model writes this file. */
export const MARKET_MODEL_FILE = new URL('./market-model.json', import.meta.url)
/** Minimum number of swaps: fewer prove nothing. */
const MIN_SWAPS = 5
/** Limits of the ratio and the count: a few purchases without a sale are not a hundred times better than ten. */
const MAX_RATIO = 50
const MAX_TOKENS = 1_000

const within = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

/** Log of purchases per sale, shares, and log of the creator's tokens; all unitless. */
export const marketFeatures = (facts: MarketFacts): CodeFeatures => ({
  values: {
    buys_per_sale: Math.log(within(facts.buys / (facts.sells + 1), 1 / MAX_RATIO, MAX_RATIO)),
    creator_liquidity: within(facts.creatorLiquidity, 0, 1),
    creator_supply: within(facts.creatorSupply, 0, 1),
    tokens_made: Math.log(within(facts.tokensMade, 1, MAX_TOKENS)),
  },
  words: [],
})

/** Loads the committed model. */
export const loadMarketModel = (): CodeModelArtifact =>
  logisticModel.parse(JSON.parse(readFileSync(MARKET_MODEL_FILE, 'utf8')))

/**
 * Probability (0..1, with as many pulled as honest pools) that a pool like this is pulled; `undefined` before there was
 * trade.
 */
export const applyMarketModel = (model: CodeModelArtifact, facts: MarketFacts): number | undefined =>
  facts.buys + facts.sells < MIN_SWAPS ? undefined : applyCodeModel(model, marketFeatures(facts))
