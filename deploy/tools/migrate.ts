import type { Config } from '../../platform/config.ts'
import { createContext } from '../process/process.ts'
import { openSharedStore } from '../roles/shared-store.ts'

/** Brings the schema up to date and closes again. */
export const migrateStore = async (config: Config): Promise<void> => {
  const context = createContext(config, 'migrate')
  try {
    await openSharedStore(context, config)
  } finally {
    await context.lifecycle.close()
  }
}
