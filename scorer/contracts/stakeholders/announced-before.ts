/**
 * Whether the tables have every pool that exchanges announced with a token. An index that begins late has not seen those made before it
 * began, and who trades there: it has them looked for (docs/adr/0034-pools-on-demand.md), or what rests on them is unknown.
 */
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { arePoolsKnown, loadFetched } from '../../ledger/past/fetched.ts'
import { loadLateStart } from '../../ledger/past/past.ts'
import { missingOfLife } from './holders/life.ts'

/** Has the pools of a token looked for, and waits for them as long as a caller can. */
export type FindPools = (network: Network, token: string) => Promise<void>

/** Why pools of the token may be missing; `undefined` where none is. */
export const poolsMissing = async (
  store: Store,
  network: Network,
  token: string,
  find: FindPools | undefined,
): Promise<string | undefined> => {
  const first = await loadLateStart(store, network)
  if (first === undefined) return undefined
  // Whose creation was seen had no pool before.
  if ((await missingOfLife(store, network, token)) === undefined) return undefined
  const load = async () => (await loadFetched(store, network, [token])).get(token)
  const isKnown = (past: Awaited<ReturnType<typeof load>>) => past !== undefined && arePoolsKnown(past, first)
  const before = await load()
  if (isKnown(before)) return undefined
  await find?.(network, token)
  const past = find ? await load() : before
  if (isKnown(past)) return undefined
  const why = past?.pools_why || 'they were not looked for yet'
  return `pools that were announced before block ${first} are not known: ${why}`
}
