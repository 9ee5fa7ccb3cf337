/** Mixer use from before the first covered block, from the logs of mixer pools. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { MIXER_POOLS } from '../../../schema/registry/contracts.ts'

const MIXING = readSql(import.meta.url, './sql/past-mixing.sql')
const POOLS = readSql(import.meta.url, './sql/past-pools.sql')

type PastMove = {
  address: string
  pool: string
  event: 'mixer_deposit' | 'mixer_withdraw'
  /** 1 if the wallet signed it. */
  own: 0 | 1
  position: string
  tx_hash: string
  time: number
}

/**
 * Loads deposits and withdrawals of the wallets, oldest first; none if the index begins at genesis. `late`: first covered block
 * otherwise.
 */
export const loadPastMixing = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
  late: number | undefined,
): Promise<PastMove[]> =>
  late === undefined || MIXER_POOLS[network].size === 0 || addresses.length === 0
    ? []
    : store.query<PastMove>(MIXING, { network, addresses, first: late }, { route: 'past_mixing' })

/** Number of events of each address that is a mixer pool. */
export const loadPastPools = async (
  store: Store,
  network: Network,
  addresses: readonly string[],
): Promise<Map<string, number>> => {
  const pools = addresses.filter((address) => MIXER_POOLS[network].has(address))
  if (pools.length === 0) return new Map()
  const rows = await store.query<{ pool: string; events: string }>(POOLS, { network, pools }, { route: 'past_pools' })
  return new Map(rows.map(({ pool, events }) => [pool, Number(events)]))
}
