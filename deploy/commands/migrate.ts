import type { Config } from '../../platform/config/config.ts'
import { createContext } from '../process/process.ts'
import { openSharedStore } from '../roles/shared-store.ts'

/** Brings the schema up to date and closes again; with `takeOver` the replica reached becomes the one to work on. */
export const migrateStore = async (config: Config, { takeOver = false }: { takeOver?: boolean }): Promise<void> => {
  const context = createContext(config, 'migrate')
  try {
    await openSharedStore(context, config, { takeOver })
  } finally {
    await context.lifecycle.close()
  }
}
