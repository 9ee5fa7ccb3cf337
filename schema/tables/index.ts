/** The whole database, in creation order. */

import { currentObjects } from './analyst/current.ts'
import { pricesView } from './analyst/prices.ts'
import { registeredAssetsTable, registeredFactoriesTable, registeredTable } from './analyst/registered.ts'
import { dexTradesView } from './analyst/trades.ts'
import { transferObjects } from './analyst/transfers.ts'
import { aggregateObjects } from './chain/aggregate.ts'
import { AGGREGATES } from './chain/aggregates.ts'
import { CHAIN_TABLES, PAST_TABLES, WALLET_PAST_TABLES } from './chain/chain.ts'
import { factObjects, pastFactObjects } from './chain/facts.ts'
import { walletFeatures } from './chain/features.ts'
import { authorityLogObjects, firstCoveredObjects, walletPastObjects } from './chain/past.ts'
import { selectionObjects, walletCounterparties } from './chain/selections.ts'
import { pastTable, tiersOf, wholeView } from './chain/tiers.ts'
import { contractObjects } from './contracts.ts'
import type { SchemaObject } from './ddl.ts'
import { hotBounds, ingestObjects } from './ingest.ts'
import { labelObjects } from './labels.ts'
import { networksTable } from './networks.ts'
import { rebuildObjects } from './rebuild.ts'
import { recordObjects } from './records.ts'
import { accessObjects } from './service/access.ts'
import { auditObjects } from './service/audit.ts'
import { monitoringObjects } from './service/monitoring.ts'
import { screeningObjects } from './service/screening.ts'

/** All objects of the database. The schema that migrations have to result in, and the data dictionary, derive from it. */
export const SCHEMA: readonly SchemaObject[] = [
  networksTable,
  registeredTable,
  registeredAssetsTable,
  registeredFactoriesTable,
  ...ingestObjects,
  ...rebuildObjects,
  ...CHAIN_TABLES.flatMap((table) => tiersOf(table)),
  ...firstCoveredObjects,
  ...PAST_TABLES.map((table) => pastTable(table)),
  ...WALLET_PAST_TABLES.map(({ name, comment, columns }) =>
    wholeView(name, comment, columns, { from: `${name}_past` }),
  ),
  ...authorityLogObjects,
  ...walletPastObjects,
  hotBounds,
  ...factObjects,
  ...pastFactObjects,
  ...aggregateObjects(walletFeatures),
  ...AGGREGATES.flatMap(aggregateObjects),
  ...selectionObjects,
  walletCounterparties,
  ...labelObjects,
  ...recordObjects,
  ...contractObjects,
  ...accessObjects,
  ...screeningObjects,
  ...auditObjects,
  ...monitoringObjects,
  ...currentObjects,
  pricesView,
  ...transferObjects,
  dexTradesView,
]

const NAMES = new Set(SCHEMA.map(({ name }) => name))

/** Views over both tiers, with the table or view of the same columns for their final part. */
export const FINAL_OF: ReadonlyMap<string, string> = new Map(
  [...NAMES]
    .filter((name) => name.endsWith('_all'))
    .map((name) => {
      const base = name.replace(/_all$/, '')
      return [name, NAMES.has(`${base}_final`) ? `${base}_final` : base]
    }),
)

/** The view that adds fetched rows of single wallets to a view over both tiers, if there is one. */
export const wholeOf = (name: string): string => {
  const whole = name.replace(/_all$/, '_whole')
  return NAMES.has(whole) ? whole : name
}
