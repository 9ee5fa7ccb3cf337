import {
  registeredAssetRows,
  registeredFactoryRows,
  registeredRows,
} from '../../../schema/tables/analyst/registered.ts'
import { networkRows } from '../../../schema/tables/networks.ts'
import type { Clock } from '../../context/clock.ts'
import type { Store } from '../store.ts'

type Row = Record<string, unknown>

const NETWORKS = 'SELECT * EXCEPT (version) FROM networks FINAL'
const REGISTERED = 'SELECT * EXCEPT (version) FROM {table:Identifier} FINAL'

/** Updates a table to the given rows; `gone` is merged into stored rows that are no longer given. */
const syncTable = async (
  store: Store,
  clock: Clock,
  table: { name: string; select: string; keyOf: (row: Row) => string; gone?: Row },
  rows: readonly Row[],
): Promise<void> => {
  const rowsOf = await store.query<Row>(table.select, { table: table.name }, { route: table.name })
  const stored = new Map(rowsOf.map((row) => [table.keyOf(row), row]))
  const { gone } = table
  const stated = new Set(rows.map(table.keyOf))
  const wanted = [
    ...rows,
    ...(gone ? [...stored].filter(([key]) => !stated.has(key)).map(([, row]) => ({ ...row, ...gone })) : []),
  ]
  const outdated = wanted.filter((row) =>
    Object.entries(row).some(([column, value]) => stored.get(table.keyOf(row))?.[column] !== value),
  )
  await store.insert(
    table.name,
    outdated.map((row) => `${JSON.stringify({ ...row, version: clock.now() })}\n`).join(''),
  )
}

/** Rows defined in code, by table: the current content of `schema/networks` and the registry. */
export const statedFacts = (): Record<string, readonly Row[]> => ({
  networks: networkRows(),
  registered_addresses: registeredRows(),
  registered_assets: registeredAssetRows(),
  registered_factories: registeredFactoryRows(),
})

/** Updates the tables of networks and registered addresses to what code defines. Rows that are up to date stay unchanged. */
export const writeFacts = async (store: Store, clock: Clock): Promise<void> => {
  const { networks = [], ...registered } = statedFacts()
  await syncTable(store, clock, { name: 'networks', select: NETWORKS, keyOf: (row) => `${row.network}` }, networks)
  const keyOf = (row: Row) => `${row.network} ${row.address}`
  for (const [name, rows] of Object.entries(registered)) {
    await syncTable(store, clock, { name, select: REGISTERED, keyOf, gone: { registered: 0 } }, rows)
  }
}
