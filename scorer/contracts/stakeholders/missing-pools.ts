/**
 * Decides whether the tables have every pool of a token. An index that starts late misses pools created before. It has
 * them looked for (docs/adr/0034-pools-on-demand.md); otherwise facts that depend on them are unknown.
 */
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { arePoolsKnown, loadFetched } from '../../ledger/past/fetched.ts'
import { loadLateStart } from '../../ledger/past/past.ts'
import { missingHistory } from './holders/history.ts'

/** Looks for the pools of a token, and waits for them as long as a caller can. */
export type FindPools = (network: Network, token: string) => Promise<void>

/** Why pools of the token may be missing; `undefined` when none is. */
export const poolsMissing = async (
  store: Store,
  network: Network,
  token: string,
  find: FindPools | undefined,
): Promise<string | undefined> => {
  const first = await loadLateStart(store, network)
  if (first === undefined) return undefined
  // A token created after the index began had no earlier pools.
  if ((await missingHistory(store, network, token)) === undefined) return undefined
  const load = async () => (await loadFetched(store, network, [token])).get(token)
  const isKnown = (past: Awaited<ReturnType<typeof load>>) => past !== undefined && arePoolsKnown(past, first)
  const before = await load()
  if (isKnown(before)) return undefined
  await find?.(network, token)
  const past = find ? await load() : before
  if (isKnown(past)) return undefined
  const why = past?.pools_why || 'they have not been looked for yet'
  return `pools created before block ${first} are unknown: ${why}`
}
