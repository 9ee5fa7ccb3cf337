/**
 * Members of wash-trading rings: wallets funded by the maker of the token. A wallet is examined if it trades in circles in the pool of a
 * token whose maker is its first funder, or the funder of that.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { pairIdsOf, poolOfPair } from '../../../../schema/pairs.ts'
import { isContract } from '../../../ledger/features/wallet.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { fundersOf } from '../../shared/first-funders.ts'
import { factoriesOf, loadEvents, type OwnPool } from '../pools/pools.ts'
import { loadWashTrading, MIN_ROUNDS, type Wash } from './wash-trading.ts'

const TRADERS = readSql(import.meta.url, './round-traders.sql')
const MAKERS = readSql(import.meta.url, '../pools/pool-makers.sql')

/** Whether swaps stored under `pool` may be of the announced pool. */
const isOf = (announced: OwnPool, pool: string): boolean =>
  announced.pool === pool || poolOfPair(announced.pool).pool === pool

/** Loads rings by member, without the makers. */
export const loadWashMembers = async (context: LoadContext): Promise<Map<string, Wash[]>> => {
  const { store, network, tiers, wallets } = context
  const found = new Map<string, Wash[]>()
  const traders = walletsWhere(
    context,
    (wallet) =>
      !isContract(wallet) &&
      wallet.funder !== null &&
      wallet.sent >= 2 * MIN_ROUNDS &&
      wallet.token_in_count >= MIN_ROUNDS &&
      wallet.token_out_count >= MIN_ROUNDS,
  )
  const rounds = await readByTier(store, tiers, traders, (tiered, addresses) =>
    tiered.query<{ address: string; pool: string; stated: 0 | 1 }>(
      TRADERS,
      { network, addresses, least: 2 * MIN_ROUNDS },
      { route: 'round_traders' },
    ),
  )
  const owned = await inPieces(
    rounds.flatMap(({ pool, stated }) => (stated ? [pool, ...pairIdsOf(pool)] : [pool])),
    (pools) =>
      store.query<OwnPool>(MAKERS, { network, pools, factories: factoriesOf(network) }, { route: 'pool_makers' }),
  )
  const funderOf = (address: string): string => wallets.get(address)?.funder ?? ''
  const trades = rounds.flatMap(({ address, pool }) =>
    owned.filter((one) => isOf(one, pool) && one.address !== address).map((one) => ({ address, one })),
  )
  const far = trades.filter(({ address, one }) => one.address !== funderOf(address))
  const grand = await fundersOf(
    context,
    far.map(({ address }) => funderOf(address)),
  )
  const near = trades.filter(({ address, one }) => {
    const funder = funderOf(address)
    return one.address === funder || one.address === grand.get(funder)
  })
  if (near.length === 0) return found
  const { events } = await loadEvents(context, [...new Set(near.map(({ one }) => one))])
  const members = new Set(near.map(({ address }) => address))
  for (const [maker, ring] of await loadWashTrading(context, events)) {
    for (const trader of ring.traders) {
      if (trader === maker || !members.has(trader)) continue
      found.set(trader, [...(found.get(trader) ?? []), ring])
    }
  }
  return found
}
