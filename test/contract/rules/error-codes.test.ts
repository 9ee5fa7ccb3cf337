import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeErrors } from '../../../deploy/docs/error-reference.ts'
import { SETTING_NAMES } from '../../../platform/config/config.ts'
import { ERRORS, type ErrorCode } from '../../../platform/error-codes/table.ts'
import { BugError, errorOfCode, OperatorError, RetryableError } from '../../../platform/errors.ts'

const ROOT = join(import.meta.dirname, '../../..')
const codes = Object.keys(ERRORS) as ErrorCode[]

const product = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy', 'test/lab']
  .filter((room) => existsSync(join(ROOT, room)))
  .flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(room, file)),
  )
  .filter((file) => !file.startsWith('platform/error-codes/'))
const text = product.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')

test('a code that is not in the table, or of another family, does not compile', () => {
  // @ts-expect-error a mistyped code
  expect(new OperatorError('ASSAY_BUS_PAHT', 'x').exitCode).toBe(1)
  // @ts-expect-error a code of family retryable
  expect(new OperatorError('ASSAY_BUS_UNAVAILABLE', 'x').exitCode).toBe(1)
  // @ts-expect-error a code of family operator
  expect(new BugError('ASSAY_BUS_PATH', 'x').exitCode).toBe(70)
  // @ts-expect-error a code of family bug
  expect(new RetryableError('ASSAY_BUS_CLOSED', 'x').exitCode).toBe(75)
})

test('every code of the table is thrown somewhere', () => {
  expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([])
})

test('every code that a text names is in the table', () => {
  const named = [...text.matchAll(/(?<![A-Z_])ASSAY_[A-Z0-9]+_[A-Z0-9_]+\b/g)].map(([code]) => code)
  const areas = new Set(codes.map((code) => code.split('_')[1]))
  // Names of settings have the same prefix.
  const known = new Set<string>([...codes, ...SETTING_NAMES])
  expect([...new Set(named)].filter((name) => areas.has(name.split('_')[1] ?? '') && !known.has(name))).toEqual([])
})

test('the class of an error follows from its code', () => {
  const family = { retryable: RetryableError, operator: OperatorError, bug: BugError }
  expect(codes.filter((code) => !(errorOfCode(code, 'x') instanceof family[ERRORS[code].family]))).toEqual([])
})

test('docs/use/errors.md is what `npm run docs` writes', () => {
  expect(readFileSync(join(ROOT, 'docs/use/errors.md'), 'utf8')).toBe(describeErrors())
})

test('each entry is one line that a Markdown table can hold', () => {
  const texts = codes.flatMap((code) => [ERRORS[code].meaning, ERRORS[code].action])
  expect(texts.filter((line) => /[|\n]/.test(line) || !line.endsWith('.'))).toEqual([])
})
