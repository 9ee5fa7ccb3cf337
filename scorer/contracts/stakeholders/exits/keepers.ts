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
import { ZERO } from '../../chain/simulator/script.ts'
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

const DEPOSITORS = readSql(import.meta.url, './sql/depositors.sql')
const HELD = readSql(import.meta.url, './sql/held.sql')
/** Withdrawals looked at, those of most, and positions in one of them. */
const [MOST_LOOKED, MOST_POSITIONS] = [8, 8]

/** What has to be known of a pool to tell whose liquidity left it. */
export type KeepersDeps = {
  /** Who gave the shares of a pool back to it in a transaction, or holds the position that became smaller; `undefined` when that is not known. */
  keeperOf: (event: PoolEvent) => Promise<string | undefined>
  /** What some accounts received of the shares. */
  giftsTo: (accounts: string[]) => Promise<Gift[]>
  /** Who alone ever added what a contract holds in a pool by itself, for each such withdrawal. */
  depositorsOf: (events: readonly PoolEvent[]) => Promise<ReadonlyMap<PoolEvent, string>>
}

type Position = { manager: string; id: bigint }
type Named = Position & { log: ChainLog }
/** Whether somebody is known to have received a position before a withdrawal. */
export type HeldBefore = (owner: string, position: Position) => Promise<boolean>

const placeOf = ({ blockNumber, logIndex }: ChainLog): [number, number] => [Number(blockNumber), Number(logIndex)]

/**
 * Who held a position when it became smaller: whoever it was moved away from first afterwards, else who holds it now. Where the node does not
 * answer for so many blocks, only who is known to have had it before: an emptied position can be given to anybody.
 */
const holderThen = async (
  chain: ChainReader,
  { manager, id, log }: Named,
  receipt: readonly ChainLog[],
  heldBefore: HeldBefore,
) => {
  const [block, index] = placeOf(log)
  const topic = `0x${id.toString(16).padStart(64, '0')}`
  const moves = await chain.logs({ address: manager, topics: [TRANSFER, null, null, topic], fromBlock: block })
  const together = receipt.filter(
    ({ address, topics }) => address.toLowerCase() === manager && topics[0] === TRANSFER && topics[3] === topic,
  )
  const next = [...together, ...(moves ?? [])].find((move) => placeOf(move)[0] > block || placeOf(move)[1] > index)
  if (next) return addressOf(BigInt(next.topics[1] ?? '0x0'))
  const owner = await ownerOf(chain, manager, id)
  return owner === undefined || moves || (await heldBefore(owner, { manager, id })) ? owner : undefined
}

/**
 * Who held the position NFTs that a transaction took liquidity from: V3's managers name them, and V4's pool manager names them as the salt.
 * `undefined` where they were not all one account's.
 */
export const positionKeeper = async (
  chain: ChainReader,
  managers: readonly string[],
  pool: string,
  logs: readonly ChainLog[],
  heldBefore: HeldBefore,
): Promise<string | undefined> => {
  const named = logs.flatMap((log): Named[] => {
    const [topic, first = '0x0', sender = '0x0'] = log.topics
    const manager = topic === DECREASE ? log.address.toLowerCase() : addressOf(BigInt(sender))
    if (!managers.includes(manager)) return []
    if (topic === DECREASE) return [{ manager, id: BigInt(first), log }]
    const isOurs = topic === EVENTS.v4ModifyLiquidity.topic && first === pool
    return isOurs ? [{ manager, id: wordAt(log.data, 3) ?? 0n, log }] : []
  })
  if (named.length === 0 || named.length > MOST_POSITIONS) return undefined
  const [holder, ...others] = await Promise.all(named.map((one) => holderThen(chain, one, logs, heldBefore)))
  return others.every((other) => other === holder) ? holder : undefined
}

/** Whether the tables show that somebody received a position by a time (Unix seconds). */
export const hadPosition = async (
  store: Store | undefined,
  network: Network,
  asked: Position & { owner: string; time: number },
): Promise<boolean> => {
  const params = { network, ...asked, id: asked.id.toString() }
  const rows = (await store?.query<{ held: number }>(HELD, params, { route: 'contract_position' })) ?? []
  return Number(rows[0]?.held ?? 0) === 1
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
  // What somebody unknown made for the keeper may be the sender's.
  const gave = (actor: string, keeper: string) =>
    gifts.some(
      ({ from, to, signer }) =>
        to === keeper && (from === actor || signer === actor || (from === ZERO && signer === '')),
    )
  return events.map((event) => {
    const keeper = kept.get(event)
    if (keeper === undefined) return { ...event, actor: depositors.get(event) ?? event.actor }
    return gave(event.actor, keeper) ? event : { ...event, actor: keeper }
  })
}
