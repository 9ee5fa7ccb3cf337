/**
 * Rebuilds tables that final rows feed: the same SELECTs as in their materialized views, over one network and one share of the
 * keys at a time, so that memory does not grow with the network.
 *
 * Parameters: `base` (database of the chain tables), `network`, `buckets` and `bucket` (keys whose hash modulo `buckets` is
 * `bucket`).
 */
import { mergedState, recountSelect } from './aggregate.ts'
import { AGGREGATES } from './aggregates.ts'
import { FACT_TABLES, factsSelect } from './facts.ts'
import { walletFeatures } from './features.ts'
import { selectionRecounts } from './selections.ts'

/** How to rebuild one derived table from final rows. */
export type Recount = {
  /** Table of states or of selected rows. */
  table: string
  /** Columns that identify a row for people, without the network. */
  keys: readonly string[]
  /** Columns in the order of the SELECTs. */
  columns: readonly string[]
  sources: readonly {
    /** Chain tables it reads. */
    from: readonly string[]
    select: string
  }[]
  /** Columns with their stored types: a state that counts conditionally has another type before. */
  cast: readonly string[]
  /** What is compared of each row; states are merged by the keys. */
  compared: { columns: readonly string[]; groupBy: readonly string[] }
}

const tableOf = (name: string) => `{base:Identifier}.${name}`
const share = (key: string) => `cityHash64(${key}) % {buckets:UInt32} = {bucket:UInt32}`
const NETWORK = 'network = {network:String}'

/** Condition on stored rows of a table whose first key after the network is `key`. */
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

/** All tables that final rows feed. */
export const RECOUNTS: readonly Recount[] = [...aggregates, ...selections]

/** Inserts a share of a source into the table of database `into`, in a deterministic order. */
export const recountInsert = ({ table, columns, keys, compared }: Recount, select: string): string =>
  `INSERT INTO {into:Identifier}.${table} (${columns.join(', ')})
SELECT ${columns.join(', ')}
FROM (
${select}
)
ORDER BY ${compared.groupBy.length === 0 ? 'ALL' : ['network', ...keys].join(', ')}`

/** Rows of a share in the table but not in the chain tables, or the other way round: their number, and some keys. */
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
