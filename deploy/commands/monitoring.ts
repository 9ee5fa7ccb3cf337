/** `assay monitoring`: data of customers who watch addresses. */
import { createKeys } from '../../api/keys/keys.ts'
import { createKeyRing } from '../../api/keys/ring.ts'
import { eraseMonitoring } from '../../api/monitoring/erase.ts'
import type { Config } from '../../platform/config/config.ts'
import { createContext } from '../process/process.ts'
import { openToolStore } from '../process/store-socket.ts'

/** Erases watch list, alerts, endpoints and deliveries of a key, and of all keys it was rotated from or to. */
export const eraseMonitoringCommand = async (config: Config, key: string): Promise<void> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'monitoring')
  try {
    const store = await openToolStore(context, config)
    const ring = createKeyRing(context, createKeys({ store, clock: context.clock }))
    await ring.refresh()
    const { addresses, alerts, endpoints } = await eraseMonitoring(store, ring.accountOf(key))
    process.stdout.write(
      `Erased ${addresses} watched addresses, ${alerts} alerts, and ${endpoints} endpoints with their deliveries.\n`,
    )
  } finally {
    await context.lifecycle.close()
  }
}
