/**
 * Whoever uses something of another file reads above it what it is for; whoever leaves an option out, what happens then: its default,
 * or what its absence means.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const ROOMS = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy']
/** Types of the command line's options are spelled for its parser, and `--help` states their defaults. */
const COMMAND_LINE = /^deploy\//

const parsed = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
const FILES = execFileSync('git', ['ls-files', '--', ...ROOMS], { cwd: ROOT, maxBuffer: 1 << 24 })
  .toString()
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^deploy\/docs\/sdk\/typescript\//.test(file))
  .map((file) => parsed(file, readFileSync(join(ROOT, file), 'utf8')))

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
const uncommented = (source: ts.SourceFile): string[] => {
  const exported = source.statements.filter(isExported)
  const commented = new Set(exported.filter(hasComment).map(namesOf))
  return exported.filter((node) => !commented.has(namesOf(node))).map((node) => `${source.fileName}: ${namesOf(node)}`)
}

/** Literals of a type, those of an intersection included. */
const literalsOf = (type: ts.TypeNode): ts.TypeLiteralNode[] =>
  ts.isTypeLiteralNode(type) ? [type] : ts.isIntersectionTypeNode(type) ? type.types.flatMap(literalsOf) : []

/** Names that the file takes out of options with a default of their own. */
const defaulted = (source: ts.SourceFile): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isBindingElement(node) && node.initializer && ts.isIdentifier(node.initializer) === false)
      names.add((node.propertyName ?? node.name).getText(source))
    node.forEachChild(visit)
  }
  visit(source)
  return names
}

const problemsIn = (source: ts.SourceFile): string[] => {
  const { fileName: file } = source
  const withDefault = defaulted(source)
  const types = source.statements
    .filter(isExported)
    .filter(ts.isTypeAliasDeclaration)
    .filter(({ name }) => /Options$/.test(name.text))
  return types.flatMap(({ name, type }) =>
    literalsOf(type)
      .flatMap(({ members }) => members.filter(({ questionToken }) => questionToken))
      .flatMap((member) => {
        const option = member.name?.getText(source) ?? ''
        const comment = ts
          .getJSDocCommentsAndTags(member)
          .map((part) => part.getText())
          .join(' ')
        if (comment === '') return [`${file}: ${name.text}.${option} has no comment`]
        return withDefault.has(option) && !/@default \S|nothing|none|never|not given|without/.test(comment)
          ? [`${file}: ${name.text}.${option} has a default that its comment does not state`]
          : []
      }),
  )
}

test('everything that is exported has a comment', () => {
  expect(FILES.length).toBeGreaterThan(900)
  expect(FILES.flatMap(uncommented)).toEqual([])
})

test.each([
  ['export const a = 1', ['a.ts: a']],
  ['/** One. */\nexport const a = 1\nexport type B = string', ['a.ts: B']],
  ['/** What it holds. */\nexport const A = 1\nexport type A = number', []],
  ['/** The file. */\n\nexport const a = 1', ['a.ts: a']],
  ['// not a doc comment\nexport function f() {}', ['a.ts: f']],
  ['const a = 1\nexport { a }', []],
])('%s', (text, missing) => {
  expect(uncommented(parsed('a.ts', text))).toEqual(missing)
})

test('every option that may be left out states what happens then', () => {
  expect(FILES.filter(({ fileName }) => !COMMAND_LINE.test(fileName)).flatMap(problemsIn)).toEqual([])
})

test.each([
  ['export type AOptions = { size?: number }', 'has no comment'],
  [
    'export type AOptions = {\n/** Rows. */\nsize?: number }\nexport const make = ({ size = 3 }: AOptions) => size',
    'default',
  ],
])('%s is found', (text, problem) => {
  expect(problemsIn(parsed('a.ts', text)).join()).toContain(problem)
})
