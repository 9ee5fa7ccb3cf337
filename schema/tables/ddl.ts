/**
 * Objects of a database, and their DDL. The text contains the macros of migrations (`${on_cluster}`, `${engine:...}`,
 * `${deduplication_window:N}`), because a single server and a cluster create the same tables differently.
 */
import type { Columns } from './column.ts'

/** A table. */
export type Table = {
  kind: 'table'
  name: string
  comment: string
  columns: Columns
  /** Skipping indexes as `name expression TYPE ...`. */
  indexes?: readonly string[]
  /** Engine with its arguments: `ReplacingMergeTree(version)`. */
  engine: string
  partitionBy?: string
  /** Sorting key; absent for engines without one. */
  orderBy?: readonly string[]
  ttl?: string
  /** Number of insert tokens that the table remembers; a repeated token is inserted once. */
  window?: number
  settings?: Readonly<Record<string, number>>
}

/** A view; its columns document the SELECT. */
export type View = { kind: 'view'; name: string; comment: string; columns: Columns; select: string }

/** A materialized view: inserts into the table it reads pass through its SELECT into `to`. */
export type Feed = { kind: 'feed'; name: string; to: string; select: string }

/** Any object that a migration creates. */
export type SchemaObject = Table | View | Feed

/** A macro of migrations, which `platform/store` expands. */
const macro = (name: string, argument?: string | number): string =>
  `\${${argument === undefined ? name : `${name}:${argument}`}}`

const ON_CLUSTER = macro('on_cluster')

const quoted = (comment: string): string => `'${comment.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const columnLines = (columns: Columns): string[] =>
  Object.entries(columns).map(([name, column]) =>
    [
      `  ${name} ${column.type}`,
      ...(column.default === undefined ? [] : [`DEFAULT ${column.default}`]),
      `COMMENT ${quoted(column.comment)}`,
      ...(column.codec === undefined ? [] : [`CODEC(${column.codec})`]),
    ].join(' '),
  )

const tableDdl = ({ name, comment, columns, indexes = [], engine, ...table }: Table): string => {
  const settings = [
    ...(table.window === undefined ? [] : [macro('deduplication_window', table.window)]),
    ...Object.entries(table.settings ?? {}).map(([setting, value]) => `${setting} = ${value}`),
  ]
  const key = table.orderBy
  return [
    `CREATE TABLE ${name} ${ON_CLUSTER} (`,
    [...columnLines(columns), ...indexes.map((index) => `  INDEX ${index} GRANULARITY 1`)].join(',\n'),
    ')',
    `ENGINE = ${engine === 'Null' ? engine : macro('engine', engine)}`,
    ...(table.partitionBy === undefined ? [] : [`PARTITION BY ${table.partitionBy}`]),
    ...(key === undefined ? [] : [`ORDER BY ${key.length === 1 ? key[0] : `(${key.join(', ')})`}`]),
    ...(table.ttl === undefined ? [] : [`TTL ${table.ttl}`]),
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
    `COMMENT ${quoted(comment)}`,
  ].join('\n')
}

/** The statement that creates an object, with the macros of migrations. */
export const createStatement = (object: SchemaObject): string => {
  switch (object.kind) {
    case 'table':
      return tableDdl(object)
    case 'feed':
      return `CREATE MATERIALIZED VIEW ${object.name} ${ON_CLUSTER} TO ${object.to} AS\n${object.select}`
    case 'view':
      return [
        `CREATE VIEW ${object.name} ${ON_CLUSTER} (`,
        columnLines(object.columns).join(',\n'),
        `) AS\n${object.select}`,
        `COMMENT ${quoted(object.comment)}`,
      ].join('\n')
  }
}
