/** Words that ADR 9 replaced stay out of code, SQL and pages. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
/** The record of what was replaced; what was released under old names; names of accounts and contracts in tests, which addresses and code are made of. */
const ALLOWED =
  /^(docs\/adr\/0009-|CHANGELOG\.md$|schema\/migrations\/)|\.test\.ts$|^test\/(kit\/contracts\/markets\/pools|bench\/contract\.bench)\.ts$/
/** Of the words that were replaced, those without an ordinary meaning in these texts. */
const RETIRED =
  /(?<![a-z])(purse|loot|hauls|crumbs?|takings|befell|spoken_of|undoubted|oddities|portraits|likeness|plain-sale)(?![a-z])/
/** Words of ordinary language that are no names in code. */
const NAMES = /\b(?:const|let|type|function)\s+(?:company|cast|Doubt)\b/

/** A word of a name for itself: `bigDog` is `big dog`. */
const wordsOf = (line: string): string => line.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

const problemsIn = (text: string): string[] =>
  text.split('\n').flatMap((line, index) => {
    const found = RETIRED.exec(wordsOf(line)) ?? NAMES.exec(line)
    return found ? [`${index + 1} ${found[0]}`] : []
  })

test('no code, statement or page uses a word that was replaced', () => {
  const kinds = ['*.ts', '*.js', '*.sql', '*.py', '*.md']
  const files = execFileSync('git', ['ls-files', ...kinds], { cwd: ROOT, maxBuffer: 1 << 24 })
    .toString()
    .split('\n')
    .filter((file) => file !== '' && !ALLOWED.test(file) && existsSync(join(ROOT, file)))
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) =>
    problemsIn(readFileSync(join(ROOT, file), 'utf8')).map((problem) => `${file}:${problem}`),
  )
  expect(found, 'docs/adr/0009-vocabulary.md has the word to use').toEqual([])
})

test.each(['const purseFor = 1', 'SPOKEN_OF', '-- the loot', 'const cast = {', 'type Doubt = 1'])(
  '%s is found',
  (text) => {
    expect(problemsIn(text)).toHaveLength(1)
  },
)

test.each([
  'a pursey',
  'without a doubt',
  'blacklist_doubt',
  'CAST(x AS String)',
  'the company pays',
  'const doubt = 1',
])('%s is none', (text) => {
  expect(problemsIn(text)).toEqual([])
})
