/** Writes `docs/data-dictionary.md` from the comments of a live, migrated database, so that it cannot say otherwise. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Store } from '../platform/store/store.ts'

const TABLES = `
  SELECT name, engine, comment, sorting_key, partition_key
  FROM system.tables
  WHERE database = currentDatabase() AND engine != 'MaterializedView' AND NOT startsWith(name, 'schema_') AND NOT startsWith(name, '.')
  ORDER BY name`
const COLUMNS = `
  SELECT table, name, type, comment FROM system.columns WHERE database = currentDatabase() ORDER BY table, position`

type Table = { name: string; engine: string; comment: string; sorting_key: string; partition_key: string }
type Column = { table: string; name: string; type: string; comment: string }

const FILE = new URL('../docs/data-dictionary.md', import.meta.url)
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const section = ({ name, engine, comment, sorting_key, partition_key }: Table, columns: readonly Column[]): string => {
  const facts = [
    engine,
    ...(sorting_key ? [`sorted by ${sorting_key}`] : []),
    ...(partition_key ? [`partitioned by ${partition_key}`] : []),
  ]
  // Columns of the hot twin and of the view are those of the table they belong to.
  const twin = name.endsWith('_hot') || name.endsWith('_all')
  const shown = twin ? columns.filter(({ name }) => name === 'version' || name === 'is_deleted') : columns
  const rows = shown.map((column) => `| \`${column.name}\` | \`${cell(column.type)}\` | ${cell(column.comment)} |`)
  const note = twin ? [`Columns as in \`${name.slice(0, -4)}\`${rows.length > 0 ? ', and:' : '.'}`, ''] : []
  const table = rows.length > 0 ? ['| column | type | meaning |', '|---|---|---|', ...rows, ''] : []
  return [`## ${name}`, '', `${comment}.`, '', `*${facts.join('; ')}*`, '', ...note, ...table].join('\n')
}

/** Text of the dictionary of a migrated database. */
export const describeData = async (store: Store): Promise<string> => {
  const [tables, columns] = await Promise.all([store.query<Table>(TABLES), store.query<Column>(COLUMNS)])
  const sections = tables.map((table) =>
    section(
      table,
      columns.filter((column) => column.table === table.name),
    ),
  )
  return [
    '# Data dictionary',
    '',
    'Generated from the comments of the migrated schema by `npm run docs`; do not edit. Analysts read the `_all` views.',
    '',
    ...sections,
  ].join('\n')
}

/** @returns whether the file said something else before. */
export const writeDataDictionary = async (store: Store): Promise<boolean> => {
  const text = await describeData(store)
  const before = (() => {
    try {
      return readFileSync(FILE, 'utf8')
    } catch {
      return ''
    }
  })()
  if (before !== text) writeFileSync(FILE, text)
  return before !== text
}
