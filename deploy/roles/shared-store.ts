/** The store that roles and tools share. Apart from the bus: most tools need none, and loading it takes as long as they do. */
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { migrate } from '../../platform/store/migrate.ts'
import { openStore, type StoreOptions } from '../../platform/store/open.ts'
import type { Store } from '../../platform/store/store.ts'
import { shipLabels } from '../labels/update/shipped.ts'
import { checkFolder, checkRestored } from '../preflight/folder.ts'

/** Opens the store, brings its schema up to date and sees that it knows the sanctions list that Assay brings along. `deadlines` in ms, where the usual ones are too short. */
export const openSharedStore = async (
  context: Context,
  config: Config,
  deadlines?: StoreOptions['deadlines'],
): Promise<Store> => {
  const { log, metrics, lifecycle, clock } = context
  const url = config.CLICKHOUSE_URL?.reveal()
  const path = join(config.ASSAY_DATA, 'store')
  if (!url) {
    checkRestored(config.ASSAY_DATA)
    checkFolder(path)
  }
  const store = await openStore({ log, metrics, ...(deadlines && { deadlines }), ...(url ? { url } : { path }) })
  lifecycle.onClose('store', () => store.close())
  const layout = config.ASSAY_CLUSTER ? { kind: 'cluster' as const, cluster: config.ASSAY_CLUSTER } : undefined
  await migrate({ store, log, clock, ...(layout && { layout }) })
  await shipLabels(store)
  return store
}
