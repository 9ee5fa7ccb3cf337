/** Erases the monitoring data of a customer. */
import type { Store } from '../../platform/store/store.ts'
import { createAlerts } from './alerts/alerts.ts'
import { createWatchList } from './watch/list.ts'
import { createEndpoints } from './webhooks/endpoints.ts'

/** Erases watch list, alerts with comments, endpoints with secrets, and deliveries of an account. Returns the numbers of erased items. */
export const eraseMonitoring = async (
  store: Store,
  account: string,
): Promise<{ addresses: number; alerts: number; endpoints: number }> => {
  const list = createWatchList(store)
  const endpoints = createEndpoints(store)
  const alerts = createAlerts(store)
  const addresses = await list.count(account)
  const raised = await alerts.count(account)
  const found = await endpoints.ofAccount(account)
  await list.erase(account)
  await alerts.erase(account)
  for (const endpoint of found) await endpoints.erase(endpoint)
  return { addresses, alerts: raised, endpoints: found.length }
}
