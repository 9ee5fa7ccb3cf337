/**
 * A migrated store for one test file: chDB in a temporary folder. vitest runs every file in its own process, and a process
 * has one data path.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics, type Metrics } from '../../../platform/context/metrics.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import type { Store } from '../../../platform/store/store.ts'
import { copyTemplate, hasCurrentFacts, storeTemplate } from './store-template.ts'

export type TestStore = {
  store: Store
  /** Folder of the store. */
  path: string
  metrics: Metrics
  /** Empties every table except those filled by migrations. */
  truncate: () => Promise<void>
  close: () => Promise<void>
}

const TABLES = `
  SELECT name FROM system.tables
  WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name NOT LIKE 'schema_%'
    AND name != 'networks' AND name NOT LIKE 'registered_%' AND total_rows > 0`

/** Empties every table except those filled by migrations. */
export const truncateAll = async (store: Store): Promise<void> => {
  for (const { name } of await store.query<{ name: string }>(TABLES)) {
    await store.command('TRUNCATE TABLE {name:Identifier}', { name })
  }
}

/** Opens a chDB store in a temporary folder, migrated by default. */
export const openTestStore = async ({ migrated = true, readers = 2 } = {}): Promise<TestStore> => {
  const path = mkdtempSync(join(tmpdir(), 'assay-store-'))
  if (migrated) copyTemplate(await storeTemplate(), path)
  const log = createLog('silent')
  const metrics = createMetrics()
  const store = await openStore({ path, readers, metrics, log })
  // Applies no migration to a copy of the template. The registry's facts may be newer, or a test's own.
  if (migrated && !hasCurrentFacts(path)) await migrate({ store, log })
  return {
    store,
    path,
    metrics,
    truncate: () => truncateAll(store),
    close: async () => {
      await store.close()
      rmSync(path, { recursive: true, force: true })
    },
  }
}
