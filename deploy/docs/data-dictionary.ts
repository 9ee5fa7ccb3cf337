/** Writes `docs/use/data-dictionary.md` from `schema/tables`. A test holds a migrated database equal to them, comments included. */
import { writeFileSync } from 'node:fs'
import { CHAIN_TABLES } from '../../schema/tables/chain/chain.ts'
import type { Columns } from '../../schema/tables/column.ts'
import type { SchemaObject, Table, View } from '../../schema/tables/ddl.ts'
import { SCHEMA } from '../../schema/tables/index.ts'

const FILE = new URL('../../docs/use/data-dictionary.md', import.meta.url)
const HOT_COLUMNS = new Set(['version', 'is_deleted'])
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const factsOf = (object: Table | View): string => {
  if (object.kind === 'view') return 'view'
  const { engine, orderBy, partitionBy } = object
  return [
    engine,
    ...(orderBy ? [`sorted by ${orderBy.join(', ')}`] : []),
    ...(partitionBy ? [`partitioned by ${partitionBy}`] : []),
  ].join('; ')
}

/** Name of an object with the same columns: of hot tables and views of chain tables, and of views of an aggregate. */
const twinOf = (name: string): string | undefined => {
  const chain = CHAIN_TABLES.find((table) => name === `${table.name}_hot` || name === `${table.name}_all`)
  if (chain) return chain.name
  return name.endsWith('_final') ? name.replace(/_final$/, '_all') : undefined
}

const rowsOf = (columns: Columns, twin: string | undefined): string[] =>
  Object.entries(columns)
    .filter(([name]) => twin === undefined || HOT_COLUMNS.has(name))
    .map(([name, { type, comment }]) => `| \`${name}\` | \`${cell(type)}\` | ${cell(comment)} |`)

const section = (object: Table | View): string => {
  const twin = twinOf(object.name)
  const rows = rowsOf(object.columns, twin)
  const note = twin === undefined ? [] : [`Columns as in \`${twin}\`${rows.length > 0 ? ', and:' : '.'}`, '']
  const table = rows.length > 0 ? ['| column | type | meaning |', '|---|---|---|', ...rows, ''] : []
  return [`## ${object.name}`, '', `${object.comment}.`, '', `*${factsOf(object)}*`, '', ...note, ...table].join('\n')
}

const isReadable = (object: SchemaObject): object is Table | View => object.kind !== 'feed'

/** Text of the dictionary. */
export const describeData = (): string =>
  [
    '# Data dictionary',
    '',
    'Generated from `schema/tables` by `npm run docs`; do not edit. Analysts read the `_current` and `_all` views and `transfers`, and join `networks` by network.',
    '',
    ...SCHEMA.filter(isReadable)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(section),
  ].join('\n')

/** Writes the dictionary. */
export const writeDataDictionary = (): void => writeFileSync(FILE, describeData())
