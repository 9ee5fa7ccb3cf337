/**
 * Fits the market model to a table of pools and measures it: within the table, on pools labelled by another collection,
 * and on reserves over time at fixed ages, which are the same for pulled and honest pools.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { MarketFacts } from '../../../scorer/contracts/stakeholders/stakeholders.ts'
import { applyCodeModel, type CodeModelArtifact, versionOf } from '../../../scorer/contracts/verdict/code-model.ts'
import { MARKET_MODEL_FILE, marketFeatures } from '../../../scorer/contracts/verdict/market-model.ts'
import { writeJson } from '../../kit/formatted-json.ts'
import { auc, recallAtFalsePositiveRate, type Scored } from '../metrics.ts'
import { crossValidate, type Sample, trainCodeModel } from './train-code-model.ts'

const unzipped = (file: string): string => {
  const bytes = readFileSync(file)
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
}
const tableOf = (file: string): Record<string, string>[] =>
  parse(unzipped(file), { bom: true, columns: true, relax_column_count: true, skip_empty_lines: true })

/** Columns of the table of pools; `swap_rate` is purchases over sales plus one. */
const poolRow = z.object({
  id: z.string(),
  is_rug: z.coerce.number(),
  swap_rate: z.coerce.number(),
  lp_creator_holding_ratio: z.coerce.number(),
  token_creator_holding_ratio: z.coerce.number(),
  number_of_token_creation_of_creator: z.coerce.number(),
})
const series = z.object({
  pool: z.string(),
  is_rug: z.number(),
  weth_is_token0: z.boolean(),
  /** Block, reserves of both tokens. */
  events: z.array(z.tuple([z.number(), z.string(), z.string()])),
})
type Series = z.output<typeof series>

type Labelled = { id: string; label: number; facts: MarketFacts }

const readPools = (file: string): Labelled[] =>
  tableOf(file).map((line) => {
    const row = poolRow.parse(line)
    const facts = {
      buys: row.swap_rate,
      sells: 0,
      creatorLiquidity: row.lp_creator_holding_ratio,
      creatorSupply: row.token_creator_holding_ratio,
      tokensMade: row.number_of_token_creation_of_creator,
    }
    return { id: row.id, label: row.is_rug, facts }
  })

const sampleOf = ({ label, facts }: Labelled): Sample => {
  const features = marketFeatures(facts)
  return { label, features, group: JSON.stringify(features.values) }
}

/** The model with pulled and honest pools weighted as equally frequent. */
const balanced = (model: CodeModelArtifact, samples: readonly Sample[]): CodeModelArtifact => {
  const pulled = samples.filter(({ label }) => label === 1).length
  const shift = Math.log(pulled / (samples.length - pulled))
  const { version: _version, ...fitted } = model
  const weights = { ...fitted, intercept: Number((model.intercept - shift).toPrecision(6)) }
  return { version: versionOf(`market-${samples.length}`, weights), ...weights }
}

const SECONDS_PER_BLOCK = 13.2
/** Maximum share of the base reserve left after a pull. */
const LEFT = 0.1

type Age = { buys: number; sells: number; pulledAt: number | undefined }

/** Trades of the first hours, and the hour at which the reserve was gone. */
const tradesOf = ({ events, weth_is_token0 }: Series, hours: number): Age => {
  const rows = events.map(([block, r0, r1]) => ({
    hour: ((block - (events[0]?.[0] ?? 0)) * SECONDS_PER_BLOCK) / 3_600,
    base: Number(weth_is_token0 ? r0 : r1),
    token: Number(weth_is_token0 ? r1 : r0),
  }))
  const age: Age = { buys: 0, sells: 0, pulledAt: undefined }
  rows.slice(1).forEach(({ hour, base, token }, i) => {
    const before = rows[i]
    if (!before) return
    if (age.pulledAt === undefined && before.base > 0 && base < LEFT * before.base) age.pulledAt = hour
    if (hour > hours) return
    if (base > before.base && token <= before.token) age.buys++
    if (base < before.base && token >= before.token) age.sells++
  })
  return age
}

const round = (value: number) => (Number.isFinite(value) ? Number(value.toFixed(3)) : null)
const counts = (rows: readonly Scored[]) => ({
  pulled: rows.filter(({ label }) => label === 1).length,
  honest: rows.filter(({ label }) => label === 0).length,
})
/** Standard error of an AUC (Hanley and McNeil 1982). */
const errorOf = (rows: readonly Scored[]): number => {
  const area = auc(rows)
  const { pulled, honest } = counts(rows)
  const [q1, q2] = [area / (2 - area), (2 * area * area) / (1 + area)]
  const variance = area * (1 - area) + (pulled - 1) * (q1 - area ** 2) + (honest - 1) * (q2 - area ** 2)
  return Math.sqrt(variance / (pulled * honest))
}
const measured = (rows: readonly Scored[]) => ({ ...counts(rows), auc: round(auc(rows)), error: round(errorOf(rows)) })

/** Only what reserves show: holders are as in the average pool of the table. */
const tradesOnly = (model: CodeModelArtifact, { buys, sells }: Age): number => {
  const held = Object.fromEntries(model.features.map(([name, mean]) => [name, mean]))
  const facts = { buys, sells, creatorLiquidity: 0, creatorSupply: 0, tokensMade: 1 }
  const { buys_per_sale = 0 } = marketFeatures(facts).values
  return applyCodeModel(model, { values: { ...held, buys_per_sale }, words: [] })
}

const AGES = [1, 6, 24, 168]

export type MarketFiles = { pools: string; series?: string | undefined; labels?: string | undefined }

/**
 * Writes `market-model.json` and returns its measures. `labels`: pools with `pool_address` and `is_rug` of another
 * collection. `series`: JSON lines of reserves over time.
 */
export const trainMarketModel = (files: MarketFiles): Record<string, unknown> => {
  const pools = readPools(files.pools)
  const samples = pools.map(sampleOf)
  const model = balanced(trainCodeModel(samples), samples)
  writeJson(MARKET_MODEL_FILE, model)
  const { scores } = crossValidate(samples)
  const within = samples.map(({ label }, i) => ({ label, score: scores[i] ?? 0 }))
  const metrics: Record<string, unknown> = {
    within: { ...measured(within), recall_at_1_percent: round(recallAtFalsePositiveRate(within, 0.01)) },
    within_by_feature: Object.fromEntries(
      model.features.map(([name]) => [
        name,
        round(auc(samples.map(({ label, features }) => ({ label, score: features.values[name] ?? 0 })))),
      ]),
    ),
  }
  if (files.labels) {
    const labels = new Map(tableOf(files.labels).map((row) => [row.pool_address, Number(row.is_rug)]))
    const own = samples.filter((_, i) => !labels.has(pools[i]?.id))
    const unseen = balanced(trainCodeModel(own), own)
    metrics.across_labels = measured(
      samples.flatMap(({ features }, i) => {
        const label = labels.get(pools[i]?.id)
        return label === undefined ? [] : [{ label, score: applyCodeModel(unseen, features) }]
      }),
    )
  }
  if (files.series) {
    const known = new Set(pools.map(({ id }) => id))
    const others = unzipped(files.series)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => series.parse(JSON.parse(line)))
      .filter(({ pool }) => !known.has(pool))
    metrics.across_ages = Object.fromEntries(
      AGES.map((hours) => {
        const alive = others
          .map((item) => ({ label: item.is_rug, age: tradesOf(item, hours) }))
          .filter(({ age }) => age.buys + age.sells > 0 && (age.pulledAt ?? Number.POSITIVE_INFINITY) > hours)
          .map((item) => ({ ...item, score: tradesOnly(model, item.age) }))
        const honest = alive.filter(({ label }) => label === 0).map(({ score }) => score)
        const caught = alive.filter(({ label, score }) => label === 1 && score > Math.max(...honest))
        const leads = caught
          .flatMap(({ age }) => (age.pulledAt === undefined ? [] : [age.pulledAt - hours]))
          .sort((a, b) => a - b)
        const figures = {
          ...measured(alive),
          recall_above_every_honest: round(caught.length / Math.max(1, alive.length - honest.length)),
          lead_hours_median: round(leads[Math.floor(leads.length / 2)] ?? Number.NaN),
        }
        return [`${hours}h`, figures]
      }),
    )
  }
  return metrics
}
