/**
 * Checks statements of analysts. The engine's role `analyst` restricts tables, files and URLs as tables; the guard refuses
 * what the engine would let a role do: functions that read files, `INTO OUTFILE`, settings, `KILL QUERY`, `SET ROLE`, a
 * second statement. It checks the engine's own syntax tree and refuses unknown nodes.
 */
import { OperatorError } from '../../errors.ts'
import type { Functions } from './functions.ts'
import type { SyntaxNode } from './syntax-tree.ts'

const ALLOWED_NODES = new Set(
  `SelectWithUnionQuery SelectIntersectExceptQuery SelectQuery ExpressionList Identifier TableIdentifier Literal Function
Subquery Asterisk QualifiedAsterisk ColumnsRegexpMatcher ColumnsListMatcher QualifiedColumnsRegexpMatcher
QualifiedColumnsListMatcher ColumnsTransformerList ColumnsExceptTransformer ColumnsReplaceTransformer
ColumnsReplaceTransformer::Replacement TablesInSelectQuery TablesInSelectQueryElement TableExpression TableJoin ArrayJoin
SampleRatio OrderByElement WindowListElement WindowDefinition WithElement InterpolateElement`.split(/\s+/),
)
const EXPLAINS = new Set([
  'EXPLAIN',
  'EXPLAIN AST',
  'EXPLAIN SYNTAX',
  'EXPLAIN QUERY TREE',
  'EXPLAIN PIPELINE',
  'EXPLAIN ESTIMATE',
])

/** Whole statements that only name a table. They are matched as text, because their trees hide parts of them. */
const SHOW = /^\s*SHOW\s+(?:TABLES|COLUMNS\s+FROM\s+\w+)\s*$/i
/** The engine's own tables that drivers read when they connect. The engine only lists there what the role may read. */
const OPEN_TABLE =
  /^(?:(?:default\.)?[A-Za-z_]\w*|system\.(?:columns|databases|one|settings|tables))(?: \(alias .*\))?$/

const refuse = (what: string) =>
  new OperatorError(
    'ASSAY_SQL_STATEMENT_REFUSED',
    `${what} Nothing was run. Use one SELECT, WITH, DESCRIBE, SHOW TABLES, SHOW COLUMNS FROM or EXPLAIN.`,
  )

/** A statement without surrounding white space and one final semicolon. */
export const trimStatement = (statement: string): string => statement.trim().replace(/;$/, '').trim()

/**
 * Checks the text alone, before the engine sees it: of several statements `EXPLAIN` explains the first and runs the others,
 * and after `FORMAT`, `EXPLAIN` itself writes the file of `INTO OUTFILE`.
 * @throws OperatorError ASSAY_SQL_STATEMENT_REFUSED
 */
export const guardText = (statement: string): void => {
  if (statement === '') throw refuse('The statement is empty.')
  if (statement.includes(';')) {
    throw refuse('The statement contains a semicolon. Only one statement runs at a time; in a string, write char(59).')
  }
  if (/outfile/i.test(statement)) {
    throw refuse(
      "The statement contains the word OUTFILE. Statements cannot write files: use --output; in a string, write concat('out', 'file').",
    )
  }
  if (statement.includes('\0')) throw refuse('The statement contains a zero byte.')
}

/** Whether a statement needs no check of its tree. */
export const isShow = (statement: string): boolean => SHOW.test(statement)

const nameOf = (node: SyntaxNode): string => /^\w+/.exec(node.name)?.[0] ?? ''

const refuseFunction = (name: string) =>
  new OperatorError(
    'ASSAY_SQL_FUNCTION_REFUSED',
    `Function ${name.slice(0, 60) || 'without a name'} is not allowed because it could read more than the tables. Nothing was run. docs/use/analysts.md lists the allowed functions.`,
  )

const inspect = (node: SyntaxNode, parent: string, functions: Functions): void => {
  if (!ALLOWED_NODES.has(node.kind)) {
    const hint =
      node.kind === 'Set'
        ? 'SETTINGS are not allowed: the limits of assay sql are fixed.'
        : `The statement contains ${node.kind}, which assay sql does not allow.`
    throw refuse(hint)
  }
  if (node.kind === 'TableIdentifier' && !OPEN_TABLE.test(node.name)) {
    throw new OperatorError(
      'ASSAY_SQL_TABLE_REFUSED',
      `Table ${node.name.slice(0, 80)} does not exist or assay sql cannot access it. Nothing was run. SHOW TABLES lists the accessible tables.`,
    )
  }
  if (node.kind === 'Function') {
    const name = nameOf(node)
    const fits = parent === 'TableExpression' ? functions.allowsTable(name) : functions.allows(name)
    if (!fits) throw refuseFunction(name)
  }
  for (const child of node.children) inspect(child, node.kind, functions)
}

const refuseEnding = () =>
  refuse('INTO OUTFILE, FORMAT and SETTINGS are not allowed in a statement: use --format and --output.')

/**
 * Lines of a syntax tree from rows of JSON.
 * @throws OperatorError ASSAY_SQL_STATEMENT_REFUSED for anything else: the statement's FORMAT was applied to the tree
 */
export const treeLines = (rows: string): string[] => {
  try {
    return rows.split('\n').map((row) => (JSON.parse(row) as { explain: string }).explain)
  } catch {
    throw refuseEnding()
  }
}

const guardSelect = (root: SyntaxNode, functions: Functions): void => {
  if (root.children.length !== 1) throw refuseEnding()
  inspect(root, '', functions)
}

/**
 * Checks the syntax tree of a statement.
 * @param root undefined when the engine printed no tree.
 * @throws OperatorError ASSAY_SQL_STATEMENT_REFUSED, ASSAY_SQL_TABLE_REFUSED or ASSAY_SQL_FUNCTION_REFUSED
 */
export const guardTree = (root: SyntaxNode | undefined, functions: Functions): void => {
  if (root === undefined) throw refuse('The statement has names that cannot be checked.')
  const [only] = root.children
  const single = root.children.length === 1
  if (root.kind === 'SelectWithUnionQuery') guardSelect(root, functions)
  else if (root.kind === 'DescribeQuery' && single && only?.kind === 'TableExpression') inspect(only, '', functions)
  else if (root.kind === 'Explain' && EXPLAINS.has(root.name) && single && only?.kind === 'SelectWithUnionQuery') {
    guardSelect(only, functions)
  } else throw refuse(`Statements of kind ${root.kind} are not allowed.`)
}
