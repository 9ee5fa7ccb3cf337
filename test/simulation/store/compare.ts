/** Content of store models as comparable lines of text. */
import { TABLES } from '../../../schema/block.ts'
import { PAST_TABLES } from '../../../schema/tables/chain/chain.ts'
import type { StoreModel } from './model.ts'
import type { Row } from './table.ts'

/** A row as JSON with sorted columns. */
export const sorted = (row: Row): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))

/** A hot row without the columns that final ones lack. */
export const bare = ({ version: _version, is_deleted: _deleted, ...row }: Row): Row => row

export const ofNetwork = (rows: readonly Row[], network: string): Row[] => rows.filter((row) => row.network === network)

/** Lines that one list contains more often than the other, in words; empty if they are equal. */
export const difference = (what: string, found: readonly string[], wanted: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  for (const one of wanted) counts.set(one, (counts.get(one) ?? 0) - 1)
  const wrong = [...counts].filter(([, count]) => count !== 0)
  const [first = '', count = 0] = wrong[0] ?? []
  if (wrong.length === 0) return []
  const how = `${Math.abs(count)} ${count > 0 ? 'too many' : 'missing'} of ${first.slice(0, 300)}`
  return [`${what}: ${wrong.length} differ; ${how}`]
}

/** Rows of the aggregates, summed over their parts. */
export const aggregateLines = (model: StoreModel, network: string): string[] => {
  const sums = new Map<string, { count: number; amount: bigint }>()
  for (const name of model.names()) {
    for (const row of ofNetwork(model.table(name).rows(), network)) {
      // Hot rows fill the set of labelled addresses too, and never leave it.
      if (!Array.isArray(row.key) || name === 'labelled_addresses') continue
      const key = `${name} ${row.key.join(' ')}`
      const sum = sums.get(key) ?? { count: 0, amount: 0n }
      sums.set(key, { count: sum.count + Number(row.count), amount: sum.amount + BigInt(String(row.amount)) })
    }
  }
  return [...sums].map(([key, { count, amount }]) => `${key}: ${count} of ${amount}`)
}

/** Facts of hot rows. The engine hashes the columns that distinguish facts of one transaction. */
const factLines = (rows: readonly Row[]): string[] => rows.map(({ leg: _leg, ...fact }) => sorted(fact))

/** Differences between the tables of two models, in words. */
export const compareModels = (found: StoreModel, wanted: StoreModel, network: string): string[] => {
  const both = (what: string, lines: (model: StoreModel) => string[]) => difference(what, lines(found), lines(wanted))
  return [
    ...TABLES.flatMap((table) => [
      ...both(table, (model) => ofNetwork(model.table(table).rows(), network).map(sorted)),
      ...both(`${table}_hot`, (model) => ofNetwork(model.table(`${table}_hot`).final(), network).map(sorted)),
    ]),
    ...PAST_TABLES.map(({ name }) => `${name}_past`).flatMap((table) =>
      both(table, (model) => ofNetwork(model.table(table).final(), network).map(sorted)),
    ),
    ...both('facts_hot', (model) => factLines(ofNetwork(model.table('facts_hot').final(), network))),
    ...both('aggregates', (model) => aggregateLines(model, network)),
  ]
}
