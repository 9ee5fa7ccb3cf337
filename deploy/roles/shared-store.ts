/** The store that roles and tools share. Apart from the bus: most tools need none, and loading it takes as long as they do. */
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
  /** In ms, where the usual ones are too short. */
  deadlines?: StoreOptions['deadlines']
  /** A database that exists, in place of the one in use. */
  database?: string
  /** Make the replica of a cluster that `CLICKHOUSE_URL` names the one that all processes work on. */
  takeOver?: boolean
}

/** Opens the store, or a database of it that exists, and brings its schema up to date. */
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

/** Opens the store, brings its schema up to date and sees that it knows the sanctions list that Assay brings along. */
export const openSharedStore = async (
  context: Context,
  config: Config,
  options: Omit<DatabaseOptions, 'database'> = {},
): Promise<Store> => {
  const store = await openDatabase(context, config, options)
  await shipLabels(store)
  return store
}
