/** Pool events as the tables have them. */
import { baseAmountOf, isUnmeasured, type Market } from '../../market/market.ts'
import type { PoolEvent } from './exits.ts'

/** An event of a pool as the tables have it: 64-bit numbers as text, amounts from the pool's view. */
export type EventRow = {
  pool: string
  event: PoolEvent['event']
  actor: string
  tx_hash: string
  time: number
  position: string
  amount0: string
  amount1: string
}

type Pool = Pick<Market, 'id' | 'kind' | 'base' | 'baseReserve' | 'tokenFirst'>
/**
 * What rows are read by. `worthOf` gives the value of an amount of a pool's base asset, in the unit of
 * `PoolEvent.value`.
 */
export type RowsInput<Item extends Pool> = {
  token: string
  pools: readonly Item[]
  /** The pool whose liquidity is read elsewhere where the tables have no amounts; `undefined` without one. */
  traded: string | undefined
  worthOf: (pool: Item, base: bigint) => number
}

/**
 * Events of known pools, in the order of the rows. Of liquidity in V4 pools the tables have no amounts: what lies there now
 * was put there, in equal parts.
 */
export const eventsFrom = <Item extends Pool>(rows: readonly EventRow[], input: RowsInput<Item>): PoolEvent[] => {
  const { token, pools, traded, worthOf } = input
  const byId = new Map(pools.map((item) => [item.id, item]))
  const placed = new Map<string, number>()
  for (const { pool, event } of rows) if (event === 'add') placed.set(pool, (placed.get(pool) ?? 0) + 1)
  return rows.flatMap((row): PoolEvent[] => {
    const { pool, event, actor, tx_hash: txHash, time } = row
    const item = byId.get(pool)
    if (!item) return []
    const unmeasured = isUnmeasured(item) && event !== 'swap'
    if (unmeasured && (event === 'remove' || pool === traded)) return []
    const base = unmeasured ? item.baseReserve / BigInt(placed.get(pool) ?? 1) : BigInt(baseAmountOf(token, item, row))
    return [{ pool, event, actor, txHash, time: Number(time), base, value: worthOf(item, base) }]
  })
}
