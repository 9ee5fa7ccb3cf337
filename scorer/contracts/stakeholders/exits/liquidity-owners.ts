/**
 * Finds the owner of withdrawn liquidity. The sender of the transaction is usually the holder. When a contract holds
 * the liquidity, any wallet may call it, and deposits of others remain theirs. For positions that a contract holds in a
 * pool without an NFT, the owner is known when only one account ever added to them.
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
import { TRANSFER } from './inflows.ts'
import type { Inflow } from './origins.ts'

/** `NonfungiblePositionManager` of Uniswap V3 and its forks. */
const DECREASE: string = toEventSelector(
  'DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
)

const DEPOSITORS = readSql(import.meta.url, './sql/depositors.sql')
const HELD = readSql(import.meta.url, './sql/held.sql')
/** Maximum number of withdrawals examined, largest first, and of positions in one of them. */
const [MAX_WITHDRAWALS, MAX_POSITIONS] = [8, 8]

/** Look-ups that attribute withdrawals. */
export type LiquidityOwnersDeps = {
  /**
   * Account that returned the pool's shares in the transaction, or holds the position that shrank; `undefined` when
   * unknown.
   */
  holderOf: (event: PoolEvent) => Promise<string | undefined>
  /** Incoming transfers of the shares. */
  inflowsTo: (accounts: string[]) => Promise<Inflow[]>
  /** The only account that ever added the liquidity a contract holds in a pool, by withdrawal. */
  depositorsOf: (events: readonly PoolEvent[]) => Promise<ReadonlyMap<PoolEvent, string>>
}

type Position = { manager: string; id: bigint }
type Named = Position & { log: ChainLog }
/** Whether an account is known to have received a position before a withdrawal. */
export type HeldBefore = (owner: string, position: Position) => Promise<boolean>

const placeOf = ({ blockNumber, logIndex }: ChainLog): [number, number] => [Number(blockNumber), Number(logIndex)]

/**
 * Holder of a position when it shrank: the sender of its next transfer, else its current holder. When the node does not
 * answer for so many blocks, only an account that is known to have held it before: an emptied position can be given to
 * anyone.
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
  const inReceipt = receipt.filter(
    ({ address, topics }) => address.toLowerCase() === manager && topics[0] === TRANSFER && topics[3] === topic,
  )
  const next = [...inReceipt, ...(moves ?? [])].find((move) => placeOf(move)[0] > block || placeOf(move)[1] > index)
  if (next) return addressOf(BigInt(next.topics[1] ?? '0x0'))
  const owner = await ownerOf(chain, manager, id)
  return owner === undefined || moves || (await heldBefore(owner, { manager, id })) ? owner : undefined
}

/**
 * Holder of the position NFTs that a transaction withdrew from. V3's managers name them in events; V4's pool manager
 * names them as the salt. `undefined` unless one account held all of them.
 */
export const positionHolder = async (
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
  if (named.length === 0 || named.length > MAX_POSITIONS) return undefined
  const [holder, ...others] = await Promise.all(named.map((one) => holderThen(chain, one, logs, heldBefore)))
  return others.every((other) => other === holder) ? holder : undefined
}

/** Whether the tables show that an account received a position by a time (Unix seconds). */
export const hadPosition = async (
  store: Store | undefined,
  network: Network,
  asked: Position & { owner: string; time: number },
): Promise<boolean> => {
  const params = { network, ...asked, id: asked.id.toString() }
  const rows = (await store?.query<{ held: number }>(HELD, params, { route: 'contract_position' })) ?? []
  return Number(rows[0]?.held ?? 0) === 1
}

/** Finds depositors of liquidity that contracts hold. `whole`: the tables have the pools' whole life. */
export const depositorsFrom =
  (
    store: Store | undefined,
    network: Network,
    managers: readonly string[],
    whole: boolean,
  ): LiquidityOwnersDeps['depositorsOf'] =>
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

/**
 * Attributes withdrawals to the owner of the liquidity instead of the sender, unless the sender had supplied the owner.
 */
export const byLiquidityOwner = async (
  { holderOf, inflowsTo, depositorsOf }: LiquidityOwnersDeps,
  events: readonly PoolEvent[],
  insiders: ReadonlySet<string>,
): Promise<PoolEvent[]> => {
  const byOthers = events
    .filter(({ event, actor }) => event === 'remove' && !insiders.has(actor))
    .sort((a, b) => a.value - b.value)
    .slice(0, MAX_WITHDRAWALS)
  const owners = new Map<PoolEvent, string>()
  const unattributed: PoolEvent[] = []
  await Promise.all(
    byOthers.map(async (event) => {
      const owner = await holderOf(event)
      if (owner === undefined) unattributed.push(event)
      else if (owner !== event.actor) owners.set(event, owner)
    }),
  )
  const depositors = await depositorsOf(unattributed)
  const inflows = owners.size > 0 ? await inflowsTo([...new Set(owners.values())]) : []
  // Shares minted by an unknown signer may be the sender's.
  const supplied = (actor: string, owner: string) =>
    inflows.some(
      ({ from, to, signer }) =>
        to === owner && (from === actor || signer === actor || (from === ZERO && signer === '')),
    )
  return events.map((event) => {
    const owner = owners.get(event)
    if (owner === undefined) return { ...event, actor: depositors.get(event) ?? event.actor }
    return supplied(event.actor, owner) ? event : { ...event, actor: owner }
  })
}
