/**
 * A model of the store: the tables of the schema with the relevant part of ClickHouse's semantics. An insert goes to its table
 * and, through materialized views, to others, one after the other, each with its own window of tokens. There are no
 * transactions. Tables and views, their keys, versions and windows are read from `schema/tables`.
 */
import { FACTS_APART } from '../../../schema/tables/chain/facts.ts'
import { SCHEMA } from '../../../schema/tables/index.ts'
import { createTable, type Row, type Table } from './table.ts'
import { project } from './views.ts'

export type StoreModel = {
  table: (name: string) => Table
  /** Steps of an insert: the table first, then the target of each view. */
  insertion: (table: string, rows: readonly Row[], token: string | undefined) => (() => void)[]
  /** The same for rows that readers already see in another table. */
  move: (table: string, rows: readonly Row[], token: string | undefined) => (() => void)[]
  /** Called with rows of a table that became visible or invisible. */
  onChange: (listener: (table: string, rows: readonly Row[]) => void) => void
  names: () => string[]
  /** Tables and views with the tokens they remember, as the engine reports them. */
  windows: () => Row[]
  now: () => number
}

/** The source table of a view. */
const sourceOf = (select: string): string => /^FROM (\w+)/m.exec(select)?.[1] ?? ''

/** `window` replaces the number of tokens that tables with a window remember. */
export const createStoreModel = (now: () => number, window?: number): StoreModel => {
  const tables = new Map<string, Table>()
  const feeds = new Map<string, { name: string; to: string }[]>()
  const passing = new Set<string>()
  let changed: (table: string, rows: readonly Row[]) => void = () => undefined

  const shown: Row[] = []

  for (const object of SCHEMA) {
    if (object.kind !== 'view') {
      shown.push({
        name: object.name,
        engine: object.kind === 'table' ? object.engine.replace(/\(.*/, '') : 'MaterializedView',
        views: SCHEMA.flatMap((one) => (one.kind === 'feed' && sourceOf(one.select) === object.name ? [one.name] : [])),
        target: object.kind === 'table' ? '' : object.to,
        window: object.kind === 'table' && object.window !== undefined ? (window ?? object.window) : 0,
      })
    }
    if (object.kind === 'table') {
      if (object.engine === 'Null') passing.add(object.name)
      const [replacing, version] = /^ReplacingMergeTree(?:\((\w+))?/.exec(object.engine) ?? []
      tables.set(
        object.name,
        createTable({
          name: object.name,
          key: replacing === undefined ? undefined : object.orderBy,
          version,
          byNetwork: object.partitionBy === 'network',
          window: object.window === undefined ? 0 : (window ?? object.window),
        }),
      )
    }
    if (object.kind === 'feed') {
      const from = sourceOf(object.select)
      feeds.set(from, [...(feeds.get(from) ?? []), object])
    }
  }

  const table = (name: string): Table => {
    const known = tables.get(name)
    if (!known) throw new Error(`the schema has no table ${name}`)
    return known
  }

  const stages = (name: string, rows: readonly Row[], token: string | undefined, notify = changed): (() => void)[] => {
    if (rows.length === 0) return []
    const own = passing.has(name) ? [] : [() => notify(name, table(name).insert(rows, token))]
    const passed = (feeds.get(name) ?? []).filter(
      ({ to }) => to !== 'wallet_facts' || !(token ?? '').endsWith(FACTS_APART),
    )
    const views = passed.flatMap((feed) =>
      stages(feed.to, project(feed.name, rows), token === undefined ? undefined : `${token} ${feed.name}`),
    )
    return [...own, ...views]
  }

  return {
    table,
    insertion: (name, rows, token) => stages(name, rows, token),
    move: (name, rows, token) => stages(name, rows, token, () => undefined),
    onChange: (listener) => {
      changed = listener
    },
    names: () => [...tables.keys()],
    windows: () => shown,
    now,
  }
}
