/** What two store models hold, as lines of text that can be held against each other. */
import { TABLES } from '../../../schema/block.ts'
import { PAST_TABLES } from '../../../schema/tables/chain/chain.ts'
import type { StoreModel } from './model.ts'
import type { Row } from './table.ts'

/** A row as JSON with its columns in the order of the alphabet. */
export const sorted = (row: Row): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))

/** A hot row without what tells it from a final one. */
export const bare = ({ version: _version, is_deleted: _deleted, ...row }: Row): Row => row

export const ofNetwork = (rows: readonly Row[], network: string): Row[] => rows.filter((row) => row.network === network)

/** What one list holds more often than the other, in words; nothing when they are equal. */
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

/** Rows of the aggregates, summed up over the parts they came in. */
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

/** Facts of hot rows. Which columns tell facts of one transaction apart is the engine's to hash. */
const factLines = (rows: readonly Row[]): string[] => rows.map(({ leg: _leg, ...fact }) => sorted(fact))

/** What differs between the tables of two models, in words. */
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
