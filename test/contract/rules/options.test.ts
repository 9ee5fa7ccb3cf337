/** Who leaves an option out reads what happens then: its default, or what its absence means. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
/** Types of the command line's options are spelled for its parser, and `--help` states their defaults. */
const ROOMS = ['schema', 'platform', 'indexer', 'scorer', 'api']

const isExported = (node: ts.Statement): node is ts.TypeAliasDeclaration =>
  ts.isTypeAliasDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

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

const problemsIn = (file: string, text: string): string[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const withDefault = defaulted(source)
  const types = source.statements.filter(isExported).filter(({ name }) => /Options$/.test(name.text))
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

test('every option that may be left out states what happens then', () => {
  const files = execFileSync('git', ['ls-files', '--', ...ROOMS], { cwd: ROOT, maxBuffer: 1 << 24 })
    .toString()
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap((file) => problemsIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})

test.each([
  ['export type AOptions = { size?: number }', 'has no comment'],
  [
    'export type AOptions = {\n/** Rows. */\nsize?: number }\nexport const make = ({ size = 3 }: AOptions) => size',
    'default',
  ],
])('%s is found', (text, problem) => {
  expect(problemsIn('a.ts', text).join()).toContain(problem)
})
