/**
 * An aggregate is defined once: its keys, its states, and how each source row counts. The table of states, the materialized
 * views that fill it from final rows, the same aggregation over hot rows, and the views that merge both are generated.
 */
import { type Column, type Columns, column } from '../column.ts'
import type { Feed, SchemaObject, Table, View } from '../ddl.ts'
import { BELOW_COVERED, bare, TOKENS_REMEMBERED } from './tiers.ts'

type Part = { index: number; type: string; comment: string }

/** A column of aggregate states, and how views merge it to a value. */
export type State = Column & {
  /** Aggregate function that merges states. */
  merge: string
  /** Type of the merged value. */
  value: string
  /** Columns that views show instead: elements of a tuple. */
  parts?: Readonly<Record<string, Part>>
}

/** Rows that count towards an aggregate, and their tiers. */
export type Source = {
  /** Final table whose inserts are counted. Its hot rows are in `<from>_hot`. */
  from: string
  /** Number of inserts that a chunk of blocks makes into it. @default 1 */
  inserts?: number
  /** A view of hot rows that readers may count. @default `<from>_hot` within `hot_bounds` */
  hot?: string
  /** Table of the past tier, whose rows below the first covered block the views also count. */
  past?: string
  /** The same for fetched rows of single wallets, which only the view `<name>_whole` counts. */
  fetched?: string
  with?: readonly string[]
  /** Expressions of keys that are not columns of the source. */
  keys?: Readonly<Record<string, string>>
  /** Expressions of states. States without one are empty. */
  states: Readonly<Record<string, string>>
  where?: string
}

/** One aggregate: keys, states and sources. `aggregateObjects` and recounts are generated from it. */
export type Aggregate = {
  name: string
  /** Comment of the table of states. */
  comment: string
  /** What a row of the views shows. */
  shows: string
  keys: Columns
  states: Readonly<Record<string, State>>
  sources: readonly Source[]
  settings?: Readonly<Record<string, number>>
  /** Hot rows are not counted, so there are no views. */
  finalOnly?: true
  /** `<name>_final` merges with FINAL, which is cheaper for wide rows read by key, instead of GROUP BY. */
  mergedByFinal?: true
}

const simple =
  (merge: string, value: string) =>
  (comment: string): State => ({ ...column(`SimpleAggregateFunction(${merge}, ${value})`, comment), merge, value })

/** A state that sums whole numbers of up to 64 bits. */
export const count = simple('sum', 'UInt64')
/** A state that sums amounts of up to 256 bits, base units. */
export const total = simple('sum', 'UInt256')
/** A state that sums amounts that may be negative. */
export const signedTotal = simple('sum', 'Int256')
/** A state that keeps the first time, null if there is none. */
export const earliest = simple('min', "Nullable(DateTime('UTC'))")
/** A state that keeps the last time, null if there is none. */
export const latest = simple('max', "Nullable(DateTime('UTC'))")
/** A state that keeps the highest value. `value` is its ClickHouse type. */
export const largest = (value: string, comment: string): State => simple('max', value)(comment)
/** A state that keeps the lowest value. `value` is its ClickHouse type. */
export const least = (value: string, comment: string): State => simple('min', value)(comment)

/** Approximate number of different values; exact up to a few hundred. */
export const distinct = (comment: string): State => ({
  ...column('AggregateFunction(uniqCombined64(12), String)', comment),
  merge: 'uniqCombined64Merge(12)',
  value: 'UInt64',
})

/** Number of different days. */
export const days = (comment: string): State => ({
  ...column('AggregateFunction(groupBitmap, UInt32)', comment),
  merge: 'groupBitmapMerge',
  value: 'UInt32',
})

const isSimple = ({ type }: State): boolean => type.startsWith('SimpleAggregateFunction')

/** An empty state. */
const empty = ({ value }: State): string => {
  if (value === 'String') return "''"
  return value.startsWith('Nullable') ? `CAST(NULL AS ${value})` : `to${value}(0)`
}

const BOUNDS = '(SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds'
const WITHIN_BOUNDS = 'block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2'

type Tier = 'final' | 'hot' | 'past' | 'fetched'

/** What the rows of a tier are read from, and their bounds. */
const readingOf = (source: Source, tier: Tier): { from: string; with: string[]; where: string[] } => {
  if (tier === 'final') return { from: `${source.from} AS a`, with: [], where: [] }
  if (tier === 'past' || tier === 'fetched')
    return { from: `${source[tier]} AS a FINAL`, with: [BELOW_COVERED.with], where: [BELOW_COVERED.where] }
  if (source.hot !== undefined) return { from: source.hot, with: [], where: [] }
  return { from: `${source.from}_hot AS a FINAL`, with: [BOUNDS], where: [WITHIN_BOUNDS] }
}

/** SELECT of one source over the rows of one tier. `only` adds conditions. */
const selectOf = ({ keys, states }: Aggregate, source: Source, tier: Tier, only: readonly string[] = []): string => {
  const reading = readingOf(source, tier)
  const { from } = reading
  const withs = [...reading.with, ...(source.with ?? [])]
  const where = [...reading.where, ...(source.where === undefined ? [] : [source.where]), ...only]
  const named = (name: string, expression: string | undefined) =>
    expression === undefined ? name : `${expression} AS ${name}`
  return [
    ...(withs.length === 0 ? [] : [`WITH\n  ${withs.join(',\n  ')}`]),
    `SELECT ${Object.keys(keys)
      .map((key) => named(key, source.keys?.[key]))
      .join(', ')},`,
    Object.entries(states)
      .map(([name, state]) => `  ${source.states[name] ?? empty(state)} AS ${name}`)
      .join(',\n'),
    `FROM ${from}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.join(' AND ')}`]),
    `GROUP BY ${Object.keys(keys).join(', ')}`,
  ].join('\n')
}

/** Columns and expressions of the views that merge states; `merged` turns a state into a value. */
const shown = (states: Aggregate['states'], merged: (name: string, state: State) => string) => {
  const rows = Object.entries(states).flatMap(([name, state]): [string, Column, string][] => {
    const value = merged(name, state)
    if (state.parts === undefined) return [[name, column(state.value, state.comment), value]]
    return Object.entries(state.parts).map(([part, { index, type, comment }]) => [
      part,
      column(type, comment),
      `${value}.${index}`,
    ])
  })
  return {
    columns: Object.fromEntries(rows.map(([name, shownColumn]) => [name, shownColumn])),
    expressions: rows.map(([name, , expression]) => `  ${expression} AS ${name}`),
  }
}

const hasPast = ({ sources }: Aggregate): boolean => sources.some(({ past }) => past !== undefined)

const isFetched = ({ sources }: Aggregate): boolean => sources.some(({ fetched }) => fetched !== undefined)

const AS_OF = {
  all: (_: string) => 'as of the newest block',
  final: (name: string) => `as of the newest final block: ${name}_all without hot rows, for half the cost`,
  whole: (_: string) =>
    'as of the newest block, with what was fetched of single wallets from before the first covered block',
} as const

const mergedView = (aggregate: Aggregate, tier: 'all' | 'final' | 'whole'): View => {
  const { name, shows, keys, states } = aggregate
  const names = Object.keys(keys)
  const columns = [...names, ...Object.keys(states)].join(', ')
  const byFinal = tier === 'final' && aggregate.mergedByFinal === true
  const past = hasPast(aggregate) ? [`${name}_past`] : []
  const union = (...tables: string[]) =>
    `(\n${tables.map((table) => `  SELECT ${columns}\n  FROM ${table}`).join('\n  UNION ALL\n')}\n) AS s`
  const merged = shown(states, (state, { merge, type }) => {
    if (!byFinal) return `${merge}(s.${state})`
    return type.startsWith('AggregateFunction') ? `finalizeAggregation(s.${state})` : `s.${state}`
  })
  const from = {
    all: union(name, `${name}_hot`, ...past),
    whole: union(name, `${name}_hot`, `${name}_fetched`, ...past),
    final: byFinal ? `${name} AS s FINAL` : past.length > 0 ? union(name, ...past) : `${name} AS s`,
  }[tier]
  return {
    kind: 'view',
    name: `${name}_${tier}`,
    comment: `${shows}, ${AS_OF[tier](name)}${
      tier === 'final' ? '' : `. Filter by ${names.slice(0, 2).join(' and ')}, or every row is merged`
    }`,
    columns: { ...bare(keys), ...merged.columns },
    select: [
      `SELECT ${names.map((key) => `s.${key} AS ${key}`).join(', ')},`,
      merged.expressions.join(',\n'),
      `FROM ${from}`,
      ...(byFinal ? [] : [`GROUP BY ${names.map((key) => `s.${key}`).join(', ')}`]),
    ].join('\n'),
  }
}

const ROWS_OF = {
  hot: 'hot rows above the watermark',
  past: 'rows from before the first covered block',
  fetched: 'what was fetched of single wallets from before the first covered block',
} as const

/** States of rows that no feed has counted. */
const tierView = (aggregate: Aggregate, tier: 'hot' | 'past' | 'fetched'): View => ({
  kind: 'view',
  name: `${aggregate.name}_${tier}`,
  comment: `States of ${ROWS_OF[tier]}, in the shape of ${aggregate.name}`,
  columns: {
    ...bare(aggregate.keys),
    ...Object.fromEntries(
      Object.entries(aggregate.states).map(([name, state]) => [
        name,
        column(isSimple(state) ? state.value : state.type, state.comment),
      ]),
    ),
  },
  select: aggregate.sources
    .filter((source) => tier === 'hot' || source[tier] !== undefined)
    .map((source) => selectOf(aggregate, source, tier))
    .join('\nUNION ALL\n'),
})

/** Objects of an aggregate, in creation order. */
export const aggregateObjects = (aggregate: Aggregate): SchemaObject[] => {
  const { name, comment, keys, states, sources, settings } = aggregate
  const table: Table = {
    kind: 'table',
    name,
    comment,
    columns: {
      ...keys,
      ...Object.fromEntries(
        Object.entries(states).map(([state, { type, comment: meaning, default: value }]) => [
          state,
          column(type, meaning, value === undefined ? {} : { default: value }),
        ]),
      ),
    },
    engine: 'AggregatingMergeTree',
    // So that a rebuild can replace one network in one step.
    partitionBy: 'network',
    orderBy: Object.keys(keys),
    // An insert into each source becomes an insert here, which needs a token.
    window: TOKENS_REMEMBERED * sources.reduce((sum, { inserts = 1 }) => sum + inserts, 0),
    settings: { index_granularity: 1024, ...settings },
  }
  const feeds = sources.map(
    (source): Feed => ({
      kind: 'feed',
      name: `${name}_from_${source.from}`,
      to: name,
      select: selectOf(aggregate, source, 'final'),
    }),
  )
  if (aggregate.finalOnly) return [table, ...feeds]
  const past = hasPast(aggregate) ? [tierView(aggregate, 'past')] : []
  return [
    table,
    ...feeds,
    tierView(aggregate, 'hot'),
    ...past,
    mergedView(aggregate, 'all'),
    mergedView(aggregate, 'final'),
    ...(isFetched(aggregate) ? [tierView(aggregate, 'fetched'), mergedView(aggregate, 'whole')] : []),
  ]
}

/** SELECT that counts a source again from rows of `from` that match `only`. */
export const recountSelect = (aggregate: Aggregate, source: Source, from: string, only: readonly string[]): string =>
  selectOf(aggregate, { ...source, from }, 'final', only)

/** Expression that merges the states of a column. */
export const mergedState = ({ merge }: State, name: string): string => `${merge}(${name})`
