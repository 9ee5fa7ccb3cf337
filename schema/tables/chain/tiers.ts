/**
 * A chain table is defined once and exists three times: final rows, hot rows of blocks that may still be undone, and a view that
 * shows each block from its tier.
 */
import type { Column, Columns } from '../column.ts'
import { flag, uint64 } from '../column.ts'
import type { SchemaObject, Table, View } from '../ddl.ts'

/** Number of insert tokens that a table remembers. */
export const TOKENS_REMEMBERED = 10_000

/** A chain table before `tiersOf` creates the final table, the hot table and the view. */
export type ChainTable<C extends Columns = Columns> = {
  name: string
  comment: string
  columns: C
  /** Sorting key of the final table. */
  orderBy: readonly string[]
  /** Sorting key of the hot table: the identity of a row, by which one row replaces another. */
  hotOrderBy: readonly string[]
  /** Columns with a bloom filter, so that look-ups by them read few granules. */
  lookedUpBy: readonly string[]
  settings?: Readonly<Record<string, number>>
}

/** Granules and compressed blocks of tables that are read for many scattered wallets (ADR 3, decision 11). */
export const POINT_READS = { index_granularity: 1024, min_compress_block_size: 16384 } as const

const ROW_VERSION = {
  version: uint64('Offset in the head topic, plus one, of the message that brought or undid the row'),
  is_deleted: flag('1 when a reorg took the row away', { default: '0' }),
} as const

const compressed = ({ type, codec, ...column }: Column): Column => ({
  type,
  ...column,
  ...(codec !== undefined ? { codec } : /^LowCardinality|^U?Int8$/.test(type) ? {} : { codec: 'ZSTD(1)' }),
})

const mapColumns = (columns: Columns, change: (column: Column) => Column): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, change(column)]))

/** Columns without compression and defaults. */
export const bare = (columns: Columns): Columns => mapColumns(columns, ({ type, comment }) => ({ type, comment }))

/** Columns as in a final table. */
export const stored = (columns: Columns): Columns => mapColumns(columns, compressed)

/** The table of hot rows. */
export const hotTable = (
  table: Pick<Table, 'name' | 'comment' | 'columns' | 'settings'> & { orderBy: readonly string[] },
): Table => ({
  kind: 'table',
  ...table,
  columns: { ...bare(table.columns), ...ROW_VERSION },
  engine: 'ReplacingMergeTree(version, is_deleted)',
  partitionBy: '(network, intDiv(block_number, 256))',
})

/**
 * The past tier of a chain table: rows from before the first covered block (authority logs, pasts of wallets). Idempotent by row
 * identity, so that a range may be fetched twice. Only read below the first covered block, so that a later backfill voids rows
 * instead of doubling them.
 */
export const pastTable = ({ name, comment, columns, ...table }: ChainTable): Table => ({
  kind: 'table',
  name: `${name}_past`,
  comment: `${comment}. From before the first covered block; read with FINAL and only below it (first_covered_blocks)`,
  columns: stored(columns),
  indexes: table.lookedUpBy.map((column) => `by_${column} ${column} TYPE bloom_filter(0.01)`),
  engine: 'ReplacingMergeTree',
  partitionBy: 'network',
  orderBy: table.hotOrderBy,
  window: TOKENS_REMEMBERED,
  settings: { index_granularity: 256 },
})

const FIRST_OF =
  '(SELECT mapFromArrays(groupArray(network), groupArray(block_number)) FROM first_covered_blocks) AS first_of'
const BELOW_FIRST = 'NOT mapContains(first_of, toString(network)) OR block_number < first_of[toString(network)]'

/** SQL that limits rows of a past tier: an expression for WITH, and a condition. */
export const BELOW_COVERED = { with: FIRST_OF, where: `(${BELOW_FIRST})` } as const

const SETTLED_OF =
  'WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of'

type Select = { columns: string; from: string; where?: string }

/** Rows of the final tier up to the watermark, and of the hot tier above it. */
export const bothTiers = (final: Select, hot: Select): string => {
  const and = (where: string | undefined) => (where === undefined ? '' : ` AND ${where}`)
  return [
    SETTLED_OF,
    `SELECT ${final.columns}`,
    `FROM ${final.from}`,
    'WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]',
    'UNION ALL',
    `SELECT ${hot.columns}`,
    `FROM ${hot.from} FINAL`,
    `WHERE block_number > settled_of[toString(network)]${and(hot.where)}`,
  ].join('\n')
}

/** View `<name>_all` of a table whose final rows have `columns`. */
export const allView = (
  name: string,
  comment: string,
  columns: Columns,
  hot: Partial<Select> & { from: string },
): View => {
  const names = Object.keys(columns).join(', ')
  return {
    kind: 'view',
    name: `${name}_all`,
    comment: `${comment}. Final rows up to the watermark and hot rows above it: every block once`,
    columns: bare(columns),
    select: bothTiers({ columns: names, from: name }, { columns: names, ...hot }),
  }
}

/** View `<name>_whole`: `<name>_all` plus the past tier below the first covered block. */
export const wholeView = (
  name: string,
  comment: string,
  columns: Columns,
  past: { columns?: string; from: string; where?: string },
): View => {
  const names = Object.keys(columns).join(', ')
  return {
    kind: 'view',
    name: `${name}_whole`,
    comment: `${comment}. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)`,
    columns: bare(columns),
    select: [
      `WITH ${BELOW_COVERED.with}`,
      `SELECT ${names}\nFROM ${name}_all`,
      'UNION ALL',
      `SELECT ${past.columns ?? names}`,
      `FROM ${past.from} FINAL`,
      `WHERE ${[BELOW_COVERED.where, ...(past.where === undefined ? [] : [`(${past.where})`])].join(' AND ')}`,
    ].join('\n'),
  }
}

/** The three objects of a chain table. */
export const tiersOf = ({ name, comment, columns, ...table }: ChainTable): SchemaObject[] => [
  {
    kind: 'table',
    name,
    comment: `${comment}. Final blocks only; see ${name}_all`,
    columns: stored(columns),
    indexes: [
      ...('position' in columns ? ['by_block block_number TYPE minmax'] : []),
      ...table.lookedUpBy.map((column) => `by_${column} ${column} TYPE bloom_filter(0.01)`),
    ],
    engine: 'MergeTree',
    partitionBy: 'network',
    orderBy: table.orderBy,
    window: TOKENS_REMEMBERED,
    settings: table.settings ?? {},
  },
  hotTable({
    name: `${name}_hot`,
    comment: `Rows of ${name} whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped`,
    columns,
    orderBy: table.hotOrderBy,
  }),
  allView(name, comment, columns, { from: `${name}_hot` }),
]
