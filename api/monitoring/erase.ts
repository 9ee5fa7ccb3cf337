/** Erases everything that monitoring keeps of a customer. */
import type { Store } from '../../platform/store/store.ts'
import { createWatchList } from './watch/list.ts'
import { createEndpoints } from './webhooks/endpoints.ts'

/** Watch list, endpoints with their secrets, and deliveries of an account. Returns how many addresses and endpoints there were. */
export const eraseMonitoring = async (
  store: Store,
  account: string,
): Promise<{ addresses: number; endpoints: number }> => {
  const list = createWatchList(store)
  const endpoints = createEndpoints(store)
  const addresses = await list.count(account)
  const found = await endpoints.ofAccount(account)
  await list.erase(account)
  for (const endpoint of found) await endpoints.erase(endpoint)
  return { addresses, endpoints: found.length }
}
