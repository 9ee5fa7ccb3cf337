/** Words that ADR 9 replaced stay out of code, SQL and pages; words that hide who acts stay out of texts for users. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
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
])('%s is allowed', (text) => {
  expect(problemsIn(text)).toEqual([])
})

/** Pages that people read to use Assay. The data dictionary repeats comments of columns, which only a migration can change. */
const isForUsers = (file: string): boolean =>
  /^([A-Z]+|docs\/.+)\.md$/.test(file) && !/^docs\/(adr\/|use\/data-dictionary\.md$)/.test(file)
/** Words of sentences without a clear subject or verb. */
const VAGUE = /\b(?:whoever|tells|told|says)\b/gi
const vagueWordsIn = (text: string): string[] =>
  text
    .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, index) =>
      [...line.replaceAll(/`[^`]*`/g, '').matchAll(VAGUE)].map(([word]) => `${index + 1} ${word}`),
    )

test('pages for users name who does what, instead of "whoever", "tells", "told" and "says"', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((file) => isForUsers(file) && existsSync(join(ROOT, file)))
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/use/api.md']))
  const found = pages.flatMap((page) =>
    vagueWordsIn(readFileSync(join(ROOT, page), 'utf8')).map((word) => `${page}:${word}`),
  )
  expect(found).toEqual([])
})

/** Words in string literals of code. Names and comments do not reach users. */
const vagueWordsInStrings = (path: string, code: string): string[] => {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      found.push(...[...node.text.replaceAll(/`[^`]*`/g, '').matchAll(VAGUE)].map(([word]) => `${line} ${word}`))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('so do error texts, the terminal, help, log lines, reasons and explanations of the API', () => {
  const rooms = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy'].map((room) => `${room}/*.ts`)
  const files = execFileSync('git', ['ls-files', ...rooms], { cwd: ROOT })
    .toString()
    .split('\n')
    // The comments of columns in schema/tables can only change with a migration.
    .filter((file) => /^(?!schema\/tables\/).+(?<!\.test)\.ts$/.test(file) && existsSync(join(ROOT, file)))
  expect(files).toEqual(
    expect.arrayContaining(['platform/error-codes/deploy.ts', 'deploy/demo/demonstration.ts', 'deploy/program.ts']),
  )
  const found = files.flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8')
    // Most files do not contain such a word at all, and parsing all of them takes long.
    if (code.search(VAGUE) < 0) return []
    return vagueWordsInStrings(file, code).map((word) => `${file}:${word}`)
  })
  expect(found).toEqual([])
})

test('such words are found in strings, but not in names, comments and placeholders', () => {
  const call = `say(\`\${told} tells \${told}\`, "\`it says\` no")`
  const code = ['// who says so', "const told = 'nobody told us'", call].join('\n')
  expect(vagueWordsInStrings('a.ts', code)).toEqual(['2 told', '3 tells'])
})

test('such words are found in prose only', () => {
  expect(vagueWordsIn('Whoever pays\n`it says` no\n```sh\necho told\n```\nit tells a teller')).toEqual([
    '1 Whoever',
    '6 tells',
  ])
})
