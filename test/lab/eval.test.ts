import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CODE_MODEL_FILE } from '../../scorer/contracts/verdict/code-model.ts'
import { MARKET_MODEL_FILE } from '../../scorer/contracts/verdict/market-model.ts'
import { formattedJson } from '../kit/formatted-json.ts'

const EVAL = fileURLToPath(new URL('./eval.ts', import.meta.url))
const evaluate = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', EVAL, ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test.each([
  [['contracts', '--no-such-option'], "error: unknown option '--no-such-option'"],
  [['contracts', '--train'], "error: option '--train <value>' argument missing"],
  [['flags', 'more'], "error: unexpected argument 'more'. This command does not take positional arguments"],
])('npm run eval -- %j ends with one sentence', { timeout: 60_000 }, (args, sentence) => {
  const stderr = `${sentence}\nSee: docs/verdicts/evaluation.md\n`
  expect(evaluate(...args)).toEqual({ status: 1, stdout: '', stderr })
})

test.each([
  ['code', CODE_MODEL_FILE],
  ['market', MARKET_MODEL_FILE],
])('training reproduces the committed %s model', (_, file) => {
  const text = readFileSync(file, 'utf8')
  expect(formattedJson(JSON.parse(text))).toBe(text)
})
