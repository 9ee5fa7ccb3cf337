/** The store of roles and tools. Separate from the bus, which most tools do not need and which is slow to load. */
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { settleOnServer } from '../../platform/store/cluster/settle.ts'
import { migrate } from '../../platform/store/migrate/migrate.ts'
import type { Layout } from '../../platform/store/migrate/statements.ts'
import { openStore, type StoreOptions } from '../../platform/store/open.ts'
import type { Store } from '../../platform/store/store.ts'
import { shipLabels } from '../commands/labels/update/shipped.ts'
import { checkFolder, checkRestored } from '../preflight/folder.ts'

type DatabaseOptions = {
  /** Deadlines in ms. Without them the defaults of the store. */
  deadlines?: StoreOptions['deadlines']
  /** An existing database instead of the one in use. Without it the one in use. */
  database?: string
  /** Makes all processes use the cluster replica of `CLICKHOUSE_URL`. @default false */
  takeOver?: boolean
}

/** Opens the store, or another existing database of it, and updates its schema. */
export const openDatabase = async (
  context: Context,
  config: Config,
  { deadlines, database, takeOver = false }: DatabaseOptions = {},
): Promise<Store> => {
  const { log, metrics, clock } = context
  const url = config.CLICKHOUSE_URL?.reveal()
  const path = join(config.ASSAY_DATA, 'store')
  if (!url) {
    checkRestored(config.ASSAY_DATA)
    checkFolder(path)
  }
  const layout: Layout = config.ASSAY_CLUSTER ? { kind: 'cluster', cluster: config.ASSAY_CLUSTER } : { kind: 'single' }
  const place = url ? { url, cluster: layout.kind === 'cluster' } : { path }
  const opened = await openStore({ log, metrics, database, ...(deadlines && { deadlines }), ...place })
  context.lifecycle.onClose(database === undefined ? 'store' : `store ${database}`, () => opened.close())
  const store = await settleOnServer(opened, layout, { clock, takeOver })
  await migrate({ store, log, clock, layout })
  return store
}

/** Opens the store, updates its schema, and writes the bundled sanctions list if necessary. */
export const openSharedStore = async (
  context: Context,
  config: Config,
  options: Omit<DatabaseOptions, 'database'> = {},
): Promise<Store> => {
  const store = await openDatabase(context, config, options)
  await shipLabels(store)
  return store
}
