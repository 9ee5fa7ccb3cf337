/**
 * Code asks the entries of `schema/networks`; it does not compare network codes, nor keep lists or tables of networks.
 * What looks like one and is none stands in ALLOWED with its reason.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { NETWORK_CODES } from '../../../schema/networks.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ROOMS = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy']
/** The entries and the facts they name. */
const ENTRIES = /^schema\/(networks|facts)\//
const ALLOWED: Record<string, string> = {
  'scorer/profile/risk-buckets.ts': 'symbols of assets, two of which are also codes',
}

const QUOTED_CODE = new RegExp(`^'(${NETWORK_CODES.join('|')})'$`)
const codes: ReadonlySet<string> = new Set(NETWORK_CODES)
const isCode = (node: ts.Node): boolean =>
  ts.isAsExpression(node) ? isCode(node.expression) : ts.isStringLiteralLike(node) && codes.has(node.text)
const isCodeName = (name: ts.Node): boolean => (ts.isIdentifier(name) && codes.has(name.text)) || isCode(name)
const atLeastTwo = <T>(list: readonly T[], is: (item: T) => boolean): boolean => list.filter(is).length > 1

const startsWithCode = (node: ts.Node): boolean => {
  const first = ts.isArrayLiteralExpression(node) ? node.elements[0] : undefined
  return first !== undefined && isCode(first)
}

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
])

const problemOf = (node: ts.Node): string | undefined => {
  if (
    ts.isBinaryExpression(node) &&
    COMPARISONS.has(node.operatorToken.kind) &&
    (isCode(node.left) || isCode(node.right))
  )
    return 'compares a network code'
  if (ts.isCaseClause(node) && isCode(node.expression)) return 'compares a network code'
  if (ts.isArrayLiteralExpression(node) && atLeastTwo(node.elements, isCode)) return 'lists networks'
  if (ts.isUnionTypeNode(node) && atLeastTwo(node.types, (type) => ts.isLiteralTypeNode(type) && isCode(type.literal)))
    return 'lists networks'
  if (ts.isArrayLiteralExpression(node) && atLeastTwo(node.elements, startsWithCode)) return 'keeps a table of networks'
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression
    const asks = name.text === 'includes' || name.text === 'has'
    const inList = ts.isArrayLiteralExpression(expression) && expression.elements.some(isCode)
    if (name.text === 'option' && node.arguments.some(isCode)) return 'defaults to a network'
    if (asks && (inList || node.arguments.some(isCode))) return 'compares a network code'
  }
  if (ts.isStringLiteral(node) && QUOTED_CODE.test(node.text)) return 'looks for a network in SQL'
  if (!ts.isObjectLiteralExpression(node)) return undefined
  const isKey = (entry: ts.ObjectLiteralElementLike) => entry.name !== undefined && isCodeName(entry.name)
  const isValue = (entry: ts.ObjectLiteralElementLike) => ts.isPropertyAssignment(entry) && isCode(entry.initializer)
  return node.properties.some(isKey) || atLeastTwo(node.properties, isValue) ? 'keeps a table of networks' : undefined
}

const inTypeScript = (text: string): string[] => {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest)
  const problems: string[] = []
  const visit = (node: ts.Node) => {
    const problem = problemOf(node)
    if (problem) problems.push(`${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} ${problem}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return problems
}

const QUOTED = `'(${NETWORK_CODES.join('|')})'`
const SQL = new RegExp(
  `(=|!=|<>)\\s*${QUOTED}|${QUOTED}\\s*(=|!=|<>)|IN\\s*\\(\\s*${QUOTED}|${QUOTED}\\s*,\\s*${QUOTED}`,
  'i',
)
const inSql = (text: string): string[] =>
  text
    .replace(/--.*$/gm, '')
    .split('\n')
    .flatMap((line, index) => (SQL.test(line) ? [`${index + 1} names networks`] : []))

const problemsIn = (path: string, text: string): string[] =>
  (path.endsWith('.sql') ? inSql(text) : inTypeScript(text)).map((problem) => `${path}:${problem}`)

const files = ROOMS.flatMap((room) =>
  readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`),
).filter((path) => /\.(ts|js|sql)$/.test(path) && !path.endsWith('.test.ts') && !ENTRIES.test(path))

test('no code compares, lists or tabulates networks', () => {
  expect(files.length).toBeGreaterThan(400)
  const found = files
    .filter((path) => !(path in ALLOWED))
    .flatMap((path) => problemsIn(path, readFileSync(`${ROOT}${path}`, 'utf8')))
  expect(found, 'ask the entry (schema/networks.ts) or networksWith instead').toEqual([])
})

test('every allowed file still has such a literal', () => {
  for (const path of Object.keys(ALLOWED)) {
    expect(problemsIn(path, readFileSync(`${ROOT}${path}`, 'utf8')), path).not.toEqual([])
  }
})

test.each([
  ['a.ts', `if (network === 'BNB') go()`],
  ['a.ts', `const unit = 'TRON' != network ? 18 : 6`],
  ['a.ts', `switch (network) { case 'TON': break }`],
  ['a.ts', `const networks = ['ETH', 'BNB']`],
  ['a.ts', `const networks = new Set<Network>(['ETH', 'BNB' as Network])`],
  ['a.ts', `const DUST: Partial<Record<Network, number>> = { ETH: 1, 'BNB': 2 }`],
  ['a.ts', `const PREFIX: Partial<Record<Network, string>> = { HAQQ: 'haqq' }`],
  ['a.ts', `new Map<Network, number>([['ETH', 1], ['BNB', 2]])`],
  ['a.ts', `if (['HAQQ'].includes(network)) go()`],
  ['a.ts', `if (traced.has('HAQQ')) go()`],
  ['a.ts', `const NAMES = { erc20: 'ETH', bep20: 'BNB' }`],
  ['a.ts', `type Listed = 'ETH' | 'BNB'`],
  ['a.js', `statement.replaceAll("'ETH'", other)`],
  ['a.ts', `command.option('--network <network>', 'whose data', 'ETH')`],
  ['a.js', `const networks = ['ETH', 'BNB']`],
  ['a.sql', `SELECT if(network = 'BNB', 1, 2)`],
  ['a.sql', `WHERE network IN ('HAQQ')`],
  ['a.sql', `transform(network, ['BNB', 'POLYGON'], [1, 2], 0)`],
])('%s: %s is found', (path, text) => {
  expect(problemsIn(path, text)).toHaveLength(1)
})

test.each([
  ['a.ts', `const NETWORK = 'ETH'`],
  ['a.ts', `// network === 'BNB'\nconst name = 'BNBX'; const field = { network: 'ETH' }`],
  ['a.sql', `-- network = 'BNB'\nSELECT 'ETH' AS symbol WHERE network = {network:String}`],
])('%s: %s is allowed', (path, text) => {
  expect(problemsIn(path, text)).toEqual([])
})
