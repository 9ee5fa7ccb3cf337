import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCode } from '../code/reading.ts'
import { applyCodeModel, codeFeatures, loadCodeModel, versionOf } from './code-model.ts'
import { applyMarketModel, loadMarketModel } from './market-model.ts'

/** One source compiled with several settings. */
const THREE_WAYS = new URL('../../../test/fixtures/compiled-three-ways.json', import.meta.url)

test('the same source is judged alike however the compiler was set', () => {
  const model = loadCodeModel()
  const { compiled } = JSON.parse(readFileSync(THREE_WAYS, 'utf8')) as { compiled: { runtime: string }[] }
  const chances = compiled.map(({ runtime }) => {
    const { facts, text } = readCode(runtime)
    return applyCodeModel(model, codeFeatures({ functions: facts.functions, text }, { buy_tax: 5, sell_tax: 5 }))
  })
  expect(Math.max(...chances) - Math.min(...chances)).toBeLessThan(0.13)
})

test.each([
  ['code', loadCodeModel()],
  ['market', loadMarketModel()],
])('the version of the %s model changes with its weights', (_, { version, ...weights }) => {
  const fitted = version.replace(/-[0-9a-f]{8}$/, '')
  expect(version).toBe(versionOf(fitted, weights))
  expect(versionOf(fitted, { ...weights, intercept: weights.intercept + 1e-6 })).not.toBe(version)
})

const facts = { buys: 20, sells: 15, creatorLiquidity: 0, creatorSupply: 0, tokensMade: 1 }
const market = loadMarketModel()

test.each([
  ['nobody sells', { sells: 0 }],
  ['the creator can withdraw the pool', { creatorLiquidity: 1 }],
  ['the creator holds half of the supply', { creatorSupply: 0.5 }],
  ['the creator made twenty tokens', { tokensMade: 20 }],
])('a pool looks more like one that is pulled when %s', (_, change) => {
  const before = applyMarketModel(market, facts) ?? Number.NaN
  expect(applyMarketModel(market, { ...facts, ...change }) ?? Number.NaN).toBeGreaterThan(before)
})

test('a pool without trades, or beyond what the model saw, decides nothing by itself', () => {
  expect(applyMarketModel(market, { ...facts, buys: 4, sells: 0 })).toBeUndefined()
  const odd = { buys: 1e9, sells: 0, creatorLiquidity: 6_250, creatorSupply: -500, tokensMade: 1e9 }
  const most = { buys: 50, sells: 0, creatorLiquidity: 1, creatorSupply: 0, tokensMade: 1_000 }
  expect(applyMarketModel(market, odd)).toBe(applyMarketModel(market, most))
})
