/**
 * How tables that are fed by final rows are made again from those rows: the same SELECTs as in their materialized views, over
 * one network and one share of the keys at a time, so that memory does not grow with the network.
 *
 * Parameters: `base` (database of the chain tables), `network`, `buckets` and `bucket` (keys whose hash modulo the one is the
 * other).
 */
import { mergedState, recountSelect } from './aggregate.ts'
import { AGGREGATES } from './aggregates.ts'
import { FACT_TABLES, factsSelect } from './facts.ts'
import { walletFeatures } from './features.ts'
import { selectionRecounts } from './selections.ts'

/** How one derived table is made again from final rows. */
export type Recount = {
  /** Table of states or of selected rows. */
  table: string
  /** Columns that name a row, the network left out; for people. */
  keys: readonly string[]
  /** Columns in the order of the SELECTs. */
  columns: readonly string[]
  sources: readonly {
    /** Chain tables it reads. */
    from: readonly string[]
    select: string
  }[]
  /** Columns as they are stored: a state that counts under a condition has another type before. */
  cast: readonly string[]
  /** What is compared of each row: states are merged by the keys. */
  compared: { columns: readonly string[]; groupBy: readonly string[] }
}

const tableOf = (name: string) => `{base:Identifier}.${name}`
const share = (key: string) => `cityHash64(${key}) % {buckets:UInt32} = {bucket:UInt32}`
const NETWORK = 'network = {network:String}'

/** The condition on stored rows of a table whose first key after the network is `key`. */
const stored = (key: string): string => `${NETWORK} AND ${share(key)}`

const aggregates = [walletFeatures, ...AGGREGATES].map((aggregate): Recount => {
  const keys = Object.keys(aggregate.keys)
  const [, first = ''] = keys
  const states = Object.entries(aggregate.states)
  const only = [NETWORK, share(first)]
  return {
    table: aggregate.name,
    keys: keys.slice(1),
    columns: [...keys, ...states.map(([name]) => name)],
    sources: aggregate.sources.map((source) =>
      source.from === 'wallet_facts'
        ? { from: FACT_TABLES, select: recountSelect(aggregate, source, `(${factsSelect(tableOf, only)})`, []) }
        : { from: [source.from], select: recountSelect(aggregate, source, tableOf(source.from), only) },
    ),
    cast: [
      ...keys,
      ...states.map(([name, { type }]) =>
        type.startsWith('AggregateFunction') ? `CAST(${name} AS ${type}) AS ${name}` : name,
      ),
    ],
    compared: { columns: states.map(([name, state]) => mergedState(state, name)), groupBy: keys },
  }
})

const selections = selectionRecounts.map(({ table, from, columns, orderBy, select }): Recount => {
  const [, first = ''] = orderBy
  return {
    table,
    keys: orderBy.slice(1),
    columns,
    sources: [{ from: [from], select: select(tableOf(from), [NETWORK, share(first)]) }],
    cast: columns,
    compared: { columns, groupBy: [] },
  }
})

/** Every table that is fed by final rows. */
export const RECOUNTS: readonly Recount[] = [...aggregates, ...selections]

/** Puts a share of a source into the table of database `into`, in an order that is the same every time. */
export const recountInsert = ({ table, columns, keys, compared }: Recount, select: string): string =>
  `INSERT INTO {into:Identifier}.${table} (${columns.join(', ')})
SELECT ${columns.join(', ')}
FROM (
${select}
)
ORDER BY ${compared.groupBy.length === 0 ? 'ALL' : ['network', ...keys].join(', ')}`

/** Rows of a share that the table holds and the chain tables do not give, or the other way round: how many, and some keys. */
export const recountDifferences = ({ table, keys, columns, cast, sources, compared }: Recount): string => {
  const [first = ''] = keys
  const digest = (sign: 1 | -1, from: string) => {
    const { columns: values, groupBy } = compared
    return `SELECT toString((${keys.join(', ')})) AS key, cityHash64(toString((${values.join(', ')}))) AS digest, ${sign} AS sign
FROM (
${from}
)${groupBy.length === 0 ? '' : `\nGROUP BY ${groupBy.join(', ')}`}`
  }
  const expected = sources.map(({ select }) => `SELECT ${cast.join(', ')} FROM (\n${select}\n)`).join('\nUNION ALL\n')
  const found = `SELECT ${columns.join(', ')} FROM {states:Identifier}.${table} WHERE ${stored(first)}`
  return `SELECT uniqExact(key) AS differing, groupUniqArray(5)(key) AS examples
FROM (
SELECT key, digest, sum(sign) AS missing
FROM (
${digest(1, expected)}
UNION ALL
${digest(-1, found)}
)
GROUP BY key, digest
HAVING missing != 0
)`
}
