import type { Config } from '../../platform/config/config.ts'
import { createContext } from '../process/process.ts'
import { openSharedStore } from '../roles/shared-store.ts'

/** Updates the schema. With `takeOver`, all processes use the replica of CLICKHOUSE_URL from now on. */
export const migrateStore = async (config: Config, { takeOver = false }: { takeOver?: boolean }): Promise<void> => {
  const context = createContext(config, 'migrate')
  try {
    await openSharedStore(context, config, { takeOver })
  } finally {
    await context.lifecycle.close()
  }
}
