/** Converts pool events from rows of the tables. */
import { baseAmountOf, isStoredWithoutAmounts, type Market, tokenAmountOf } from '../../market/market.ts'
import type { PoolEvent } from './exits.ts'

/** A pool event in the tables: 64-bit numbers as text, amounts from the pool's view. */
export type EventRow = {
  pool: string
  event: PoolEvent['event']
  actor: string
  /** Holder of the position by the event; empty for swaps. */
  owner: string
  tx_hash: string
  time: number
  position: string
  amount0: string
  amount1: string
  /** Base units of the base asset that `tx_hash` moved: the swaps of an hour are one row. */
  largest: string
}

type Pool = Pick<Market, 'id' | 'kind' | 'base' | 'baseReserve' | 'tokenFirst'>
/** How to read rows. `usdValueOf` values an amount of a pool's base asset, in the unit of `PoolEvent.value`. */
export type RowsInput<Item extends Pool> = {
  token: string
  pools: readonly Item[]
  /** Pools without amounts in the tables whose liquidity is read elsewhere. */
  measured: ReadonlySet<string>
  usdValueOf: (pool: Item, base: bigint) => number
}

/**
 * Events of known pools, in the order of the rows. The tables have no liquidity amounts for V4 pools: the current
 * reserve is divided equally among the additions.
 */
export const eventsFrom = <Item extends Pool>(rows: readonly EventRow[], input: RowsInput<Item>): PoolEvent[] => {
  const { token, pools, measured, usdValueOf } = input
  const byId = new Map(pools.map((item) => [item.id, item]))
  const placed = new Map<string, number>()
  for (const { pool, event } of rows) if (event === 'add') placed.set(pool, (placed.get(pool) ?? 0) + 1)
  return rows.flatMap((row): PoolEvent[] => {
    const { pool, event, actor, owner, tx_hash: txHash, time } = row
    const item = byId.get(pool)
    if (!item) return []
    const unmeasured = isStoredWithoutAmounts(item) && event !== 'swap'
    if (unmeasured && (event === 'remove' || measured.has(pool))) return []
    const base = unmeasured ? item.baseReserve / BigInt(placed.get(pool) ?? 1) : BigInt(baseAmountOf(token, item, row))
    const value = usdValueOf(item, base)
    const tokens = unmeasured ? undefined : BigInt(tokenAmountOf(token, item, row))
    const largest = event === 'swap' ? BigInt(row.largest) : base
    return [{ pool, event, actor, owner, txHash, time: Number(time), base, largest, tokens, value }]
  })
}
