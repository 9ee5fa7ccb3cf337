/** Whoever uses something of another file reads above it what it is for. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const ROOMS = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy']

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

const namesOf = (node: ts.Statement): string =>
  ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name.getText()).join(', ')
    : ((node as ts.DeclarationStatement).name?.getText() ?? 'default')

/** The opening comment of a file stands apart, and is none of what follows it. */
const hasComment = (node: ts.Statement): boolean => {
  const last = ts.getJSDocCommentsAndTags(node).at(-1)
  return last !== undefined && !/\n\s*\n/.test(node.getSourceFile().text.slice(last.end, node.getStart()))
}

/** A type that a schema of the same name gives is explained by the schema. */
const uncommented = (file: string, text: string): string[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const exported = source.statements.filter(isExported)
  const commented = new Set(exported.filter(hasComment).map(namesOf))
  return exported.filter((node) => !commented.has(namesOf(node))).map((node) => `${file}: ${namesOf(node)}`)
}

test('everything that is exported has a comment', () => {
  const files = execFileSync('git', ['ls-files', '--', ...ROOMS], { cwd: ROOT, maxBuffer: 1 << 24 })
    .toString()
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^deploy\/docs\/sdk\/typescript\//.test(file))
  expect(files.length).toBeGreaterThan(900)
  expect(files.flatMap((file) => uncommented(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})

test.each([
  ['export const a = 1', ['a.ts: a']],
  ['/** One. */\nexport const a = 1\nexport type B = string', ['a.ts: B']],
  ['/** What it holds. */\nexport const A = 1\nexport type A = number', []],
  ['/** The file. */\n\nexport const a = 1', ['a.ts: a']],
  ['// not a doc comment\nexport function f() {}', ['a.ts: f']],
  ['const a = 1\nexport { a }', []],
])('%s', (text, missing) => {
  expect(uncommented('a.ts', text)).toEqual(missing)
})
