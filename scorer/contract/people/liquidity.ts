/** Liquidity events of a pool read from its logs, for nodes without tables behind them. */
import type { ChainLog, ChainReader } from '../chain.ts'
import type { Market } from '../market.ts'
import { wordAt } from '../market.ts'

/** One event as the tables know it; amounts of the base asset in base units. */
export type LiquidityRow = { event: 'add' | 'remove'; provider: string; txHash: string; base: bigint; time: number }

const TOPICS = {
  v2Mint: '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
  v2Burn: '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
  solidlyBurn: '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2',
  v3Mint: '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
  v3Burn: '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
} as const

const amountsOf = (log: ChainLog): { event: 'add' | 'remove'; amount0: bigint; amount1: bigint } | undefined => {
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
      // Burns of nothing collect fees.
      return at(0) === 0n ? undefined : { event: 'remove', amount0: at(1), amount1: at(2) }
    default:
      return undefined
  }
}

/** Newest first, at most `limit`. V4 pools share one contract: their events come from the tables only. */
export const readLiquidity = async (
  chain: ChainReader,
  token: string,
  market: Market,
  blocks: number,
  limit: number,
): Promise<LiquidityRow[] | undefined> => {
  if (market.kind === 'v4' || market.kind === 'none') return undefined
  const logs = await chain.logs({
    address: market.pool,
    topics: [Object.values(TOPICS)],
    fromBlock: Math.max(0, chain.height - blocks),
  })
  if (!logs) return undefined
  const newest = [...logs].reverse().slice(0, limit)
  const rows = await Promise.all(
    newest.map(async (log): Promise<LiquidityRow | undefined> => {
      const amounts = amountsOf(log)
      if (!amounts) return undefined
      const [sender, time] = await Promise.all([
        chain.transaction(log.transactionHash),
        chain.blockTime(Number(log.blockNumber)),
      ])
      if (!sender || time === undefined) return undefined
      const base = token < market.base.address ? amounts.amount1 : amounts.amount0
      return { event: amounts.event, provider: sender.from, txHash: log.transactionHash, base, time }
    }),
  )
  return rows.filter((row) => row !== undefined)
}
