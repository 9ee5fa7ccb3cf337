/** Liquidity events of a pool from its logs, for nodes without tables. */
import { EVENTS } from '../../../schema/registry/index.ts'
import type { ChainLog, ChainReader } from '../chain/chain.ts'
import { isVenue } from '../chain/simulator/script.ts'
import type { Market } from '../market/market.ts'
import { managerOf, wordAt } from '../market/market.ts'
import { amountsOfPosition } from '../market/pools/concentrated.ts'

/** One liquidity event. `base` and `tokens` are base units of the base asset and of the token. */
export type LiquidityRow = {
  event: 'add' | 'remove'
  provider: string
  /** Holder of the position by the event, when the tables have it. */
  owner?: string
  txHash: string
  base: bigint
  tokens: bigint
  time: number
}

const TOPICS = {
  v2Mint: EVENTS.v2Mint.topic,
  v2Burn: EVENTS.v2Burn.topic,
  solidlyBurn: EVENTS.solidlyBurn.topic,
  v3Mint: EVENTS.v3Mint.topic,
  v3Burn: EVENTS.v3Burn.topic,
} as const

const V4_CHANGE = EVENTS.v4ModifyLiquidity.topic

type Amounts = { event: 'add' | 'remove'; amount0: bigint; amount1: bigint }

/** V4 events state the change of liquidity and its range; the amounts are computed at the current price. */
const amountsOfChange = (log: ChainLog, price: number): Amounts | undefined => {
  const at = (index: number, bits: number) => BigInt.asIntN(bits, wordAt(log.data, index) ?? 0n)
  const delta = at(2, 256)
  if (delta === 0n || price === 0) return undefined
  const size = delta < 0n ? -delta : delta
  const amounts = amountsOfPosition(price, Number(at(0, 24)), Number(at(1, 24)), size)
  return { event: delta > 0n ? 'add' : 'remove', ...amounts }
}

const amountsOf = (log: ChainLog): Amounts | undefined => {
  const at = (index: number) => wordAt(log.data, index) ?? 0n
  switch (log.topics[0]) {
    case TOPICS.v2Mint:
      return { event: 'add', amount0: at(0), amount1: at(1) }
    case TOPICS.v2Burn:
    case TOPICS.solidlyBurn:
      return { event: 'remove', amount0: at(0), amount1: at(1) }
    case TOPICS.v3Mint:
      return { event: 'add', amount0: at(2), amount1: at(3) }
    case TOPICS.v3Burn:
      // Burns of no liquidity collect fees.
      return at(0) === 0n ? undefined : { event: 'remove', amount0: at(1), amount1: at(2) }
    default:
      return undefined
  }
}

/**
 * Amounts added to and removed from a pool, from logs of its manager (V4, or Infinity with the same event), valued in
 * the base asset at the current price.
 */
export const amountsOfV4 = (
  logs: readonly ChainLog[],
  token: string,
  pool: Market,
): Pick<LiquidityRow, 'event' | 'base' | 'tokens'>[] => {
  const first = token < pool.base.address
  const manager = managerOf(pool)
  return logs
    .filter(
      ({ address, topics }) => address.toLowerCase() === manager && topics[0] === V4_CHANGE && topics[1] === pool.id,
    )
    .flatMap((log) => {
      const amounts = amountsOfChange(log, first ? pool.price : 1 / pool.price)
      if (!amounts) return []
      const { event, amount0, amount1 } = amounts
      return [first ? { event, base: amount1, tokens: amount0 } : { event, base: amount0, tokens: amount1 }]
    })
}

/** Reads events newest first, at most `limit`. V4 pools share one contract, so their events are filtered by pool id. */
export const readLiquidity = async (
  chain: ChainReader,
  token: string,
  market: Market,
  blocks: number,
  limit: number,
): Promise<LiquidityRow[] | undefined> => {
  // Liquidity events of other venues come from the tables.
  if (market.kind === 'none' || isVenue(market.kind)) return undefined
  const singleton = market.kind === 'v4'
  const first = token < market.base.address
  const logs = await chain.logs({
    address: market.pool,
    topics: singleton ? [V4_CHANGE, market.id] : [Object.values(TOPICS)],
    fromBlock: Math.max(0, chain.height - blocks),
  })
  if (!logs) return undefined
  const newest = [...logs].reverse().slice(0, limit)
  const rows = await Promise.all(
    newest.map(async (log): Promise<LiquidityRow | undefined> => {
      const amounts = singleton ? amountsOfChange(log, first ? market.price : 1 / market.price) : amountsOf(log)
      if (!amounts) return undefined
      const [sender, time] = await Promise.all([
        chain.transaction(log.transactionHash),
        chain.blockTime(Number(log.blockNumber)),
      ])
      if (!sender || time === undefined) return undefined
      const [tokens, base] = first ? [amounts.amount0, amounts.amount1] : [amounts.amount1, amounts.amount0]
      return { event: amounts.event, provider: sender.from, txHash: log.transactionHash, base, tokens, time }
    }),
  )
  return rows.filter((row) => row !== undefined)
}
