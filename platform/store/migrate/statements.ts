/** Splits the text of a migration into statements, and adapts them to the layout. */
import { OperatorError } from '../../errors.ts'

/**
 * How tables are created. `single`: one server (or chDB). `cluster`: replicated over all nodes of a one-shard cluster, whose
 * servers define the macros `{shard}` and `{replica}`.
 */
export type Layout = { kind: 'single' } | { kind: 'cluster'; cluster: string }

/**
 * Ten years, so that only the number of tokens bounds a window (`scorer/ingest/covered/windows.ts`). Otherwise a network that
 * stood still for longer than the window would be counted twice when it continues.
 */
const TOKENS_KEPT = 'replicated_deduplication_window_seconds = 315360000'

const CLUSTER_NAME = /^[A-Za-z0-9_-]+$/

const engine = (layout: Layout, text: string): string => {
  if (layout.kind === 'single') return text
  const [, family = '', args = ''] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? []
  const path = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"
  return `Replicated${family}(${args === '' ? path : `${path}, ${args}`})`
}

const macro = (layout: Layout, name: string, argument: string): string => {
  switch (name) {
    case 'on_cluster':
      return layout.kind === 'single' ? '' : `ON CLUSTER '${layout.cluster}'`
    case 'engine':
      return engine(layout, argument)
    case 'deduplication_window':
      return layout.kind === 'single'
        ? `non_replicated_deduplication_window = ${argument}`
        : `replicated_deduplication_window = ${argument}, ${TOKENS_KEPT}`
    case 'deduplication_seconds':
      return TOKENS_KEPT
    default:
      throw new OperatorError(
        'ASSAY_STORE_MIGRATION_FAILED',
        `A migration uses the macro ${name}, which does not exist. Nothing was applied. See docs/adr/0003-store-and-ingest.md.`,
      )
  }
}

/**
 * Replaces `${on_cluster}`, `${engine:Family(args)}` and `${deduplication_window:N}`.
 * @throws OperatorError ASSAY_STORE_MIGRATION_FAILED for an unknown macro or an unusable cluster name.
 */
export const expandMacros = (text: string, layout: Layout): string => {
  if (layout.kind === 'cluster' && !CLUSTER_NAME.test(layout.cluster)) {
    throw new OperatorError(
      'ASSAY_STORE_MIGRATION_FAILED',
      'The cluster name may contain only letters, digits, _ and -. Nothing was applied. Correct ASSAY_CLUSTER.',
    )
  }
  return text.replace(/\$\{(\w+)(?::([^}]*))?\}/g, (_, name: string, argument = '') => macro(layout, name, argument))
}

/** Comments, quoted text (with its escapes), a semicolon, or other text. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|;|[^-/'"`;]+|[\s\S]/g

/** Splits at semicolons outside quotes and comments; comments are dropped. */
export const splitStatements = (text: string): string[] => {
  const statements = ['']
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--') && !token.startsWith('/*')) statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}
