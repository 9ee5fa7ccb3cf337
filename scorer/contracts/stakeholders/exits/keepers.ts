/**
 * Whose liquidity a withdrawal took. Who sends the transaction is usually whoever held it; where a contract held it, any wallet
 * may call that contract, and what was put into it by somebody else goes on being that person's. Of positions that a contract holds in
 * a pool without an NFT, this is known where one account alone ever added to them.
 */
import { toEventSelector } from 'viem/utils'
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { EVENTS } from '../../../../schema/registry/index.ts'
import type { ChainLog, ChainReader } from '../../chain/chain.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { wordAt } from '../../market/market.ts'
import { ownerOf } from '../positions/position.ts'
import type { PoolEvent } from './exits.ts'
import { TRANSFER } from './gifts.ts'
import type { Gift } from './origins.ts'

/** `NonfungiblePositionManager` of Uniswap V3 and its forks. */
const DECREASE: string = toEventSelector(
  'DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
)

const DEPOSITORS = readSql(import.meta.url, '../sql/depositors.sql')
/** Withdrawals looked at, those of most. */
const MOST_LOOKED = 8

/** What has to be known of a pool to tell whose liquidity left it. */
export type KeepersDeps = {
  /** Who gave the shares of a pool back to it in a transaction, or holds the position that became smaller; `undefined` when that is not known. */
  keeperOf: (event: PoolEvent) => Promise<string | undefined>
  /** What some accounts received of the shares. */
  giftsTo: (accounts: string[]) => Promise<Gift[]>
  /** Who alone ever added what a contract holds in a pool by itself, for each such withdrawal. */
  depositorsOf: (events: readonly PoolEvent[]) => Promise<ReadonlyMap<PoolEvent, string>>
}

/**
 * Who holds the one position NFT that a transaction took liquidity from: V3's managers name it, and V4's pool manager names it as the salt.
 * `undefined` where there are several. One that was burned was whose it was before.
 */
export const positionKeeper = async (
  chain: ChainReader,
  managers: readonly string[],
  pool: string,
  logs: readonly ChainLog[],
): Promise<string | undefined> => {
  const named = logs.flatMap(({ address, topics, data }) => {
    const [topic, first = '0x0', sender = '0x0'] = topics
    const manager = topic === DECREASE ? address.toLowerCase() : addressOf(BigInt(sender))
    if (!managers.includes(manager)) return []
    if (topic === DECREASE) return [{ manager, id: BigInt(first) }]
    return topic === EVENTS.v4ModifyLiquidity.topic && first === pool ? [{ manager, id: wordAt(data, 3) ?? 0n }] : []
  })
  const [one, ...others] = named
  if (!one || others.some(({ manager, id }) => manager !== one.manager || id !== one.id)) return undefined
  const burned = logs.find(
    ({ address, topics }) =>
      address.toLowerCase() === one.manager &&
      topics[0] === TRANSFER &&
      BigInt(topics[2] ?? '0x1') === 0n &&
      BigInt(topics[3] ?? '0x0') === one.id,
  )
  return burned ? addressOf(BigInt(burned.topics[1] ?? '0x0')) : ownerOf(chain, one.manager, one.id)
}

/** Reads who added what contracts hold by themselves. `whole`: whether the tables have all of the pools' life. */
export const depositorsFrom =
  (
    store: Store | undefined,
    network: Network,
    managers: readonly string[],
    whole: boolean,
  ): KeepersDeps['depositorsOf'] =>
  async (events) => {
    const held = events.filter(({ owner = '', actor }) => owner !== '' && owner !== actor && !managers.includes(owner))
    if (!store || !whole || held.length === 0) return new Map()
    const rows = await store.query<{ pool: string; owner: string; providers: string[] }>(
      DEPOSITORS,
      { network, pools: held.map(({ pool }) => pool), owners: held.map(({ owner }) => owner) },
      { route: 'contract_depositors' },
    )
    return new Map(
      held.flatMap((event): [PoolEvent, string][] => {
        const [one, ...others] =
          rows.find(({ pool, owner }) => pool === event.pool && owner === event.owner)?.providers ?? []
        return one === undefined || others.length > 0 ? [] : [[event, one]]
      }),
    )
  }

/** The events, withdrawals of shares that somebody else kept being the keeper's, unless the sender had given it some. */
export const byKeepers = async (
  { keeperOf, giftsTo, depositorsOf }: KeepersDeps,
  events: readonly PoolEvent[],
  insiders: ReadonlySet<string>,
): Promise<PoolEvent[]> => {
  const strange = events
    .filter(({ event, actor }) => event === 'remove' && !insiders.has(actor))
    .sort((a, b) => a.value - b.value)
    .slice(0, MOST_LOOKED)
  const kept = new Map<PoolEvent, string>()
  const unkept: PoolEvent[] = []
  await Promise.all(
    strange.map(async (event) => {
      const keeper = await keeperOf(event)
      if (keeper === undefined) unkept.push(event)
      else if (keeper !== event.actor) kept.set(event, keeper)
    }),
  )
  const depositors = await depositorsOf(unkept)
  const gifts = kept.size > 0 ? await giftsTo([...new Set(kept.values())]) : []
  const gave = (actor: string, keeper: string) =>
    gifts.some(({ from, to, signer }) => to === keeper && (from === actor || signer === actor))
  return events.map((event) => {
    const keeper = kept.get(event)
    if (keeper === undefined) return { ...event, actor: depositors.get(event) ?? event.actor }
    return gave(event.actor, keeper) ? event : { ...event, actor: keeper }
  })
}
