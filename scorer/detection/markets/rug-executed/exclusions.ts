/** Creators who took the reserve and harmed nobody: they moved the market, or paid their buyers back. */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import type { OwnPool, PoolEvent } from '../pools/pools.ts'
import { MIN_BUYERS, ONE_DAY_S, RESERVE_SHARE, type Rug } from './rug.ts'

const REFUNDS = readSql(import.meta.url, './refunds.sql')

/** The same where the other pool has another base, by fixed low prices, which may be off by half. Our choice. */
const OTHER_BASE_SHARE = 0.4
/**
 * Part of its profit that the creator gave back when it closed the pool in order, and of the buyers that got any of it: some of
 * them may be its own. Our choice.
 */
const REFUNDED_SHARE = 0.5
const REFUNDED_BUYERS_SHARE = 0.5
/** Buyers of one pool whose refunds are looked for, and pools in one question. */
const MAX_REFUNDED = 500
const REFUNDS_AT_ONCE = 5
/** From a creator's take until it has paid its buyers back, s. Our choice. */
const REFUNDED_WITHIN_S = 7 * 86_400

/** What a creator took out of a pool: of the base, in base units, the last of it at `time` (Unix seconds). */
type Exit = Pick<Rug, 'base' | 'taken' | 'profit' | 'time'>

/** Another pool of the creator. */
export type Market = { base: string; events: readonly PoolEvent[] }

/**
 * Whether the creator put what it took into other pools of the token within a day: a move, which leaves holders a market.
 * @param dollar base units of a US dollar, by asset, for pools with another base
 */
export const movedOn = (
  rug: Exit,
  creator: string,
  others: readonly Market[],
  dollar: ReadonlyMap<string, number>,
): boolean => {
  const worth = (base: string, amount: bigint) => Number(amount) / (dollar.get(base) ?? Number.POSITIVE_INFINITY)
  const added = others.flatMap(({ base, events }) =>
    events
      .filter(
        ({ event, actor, time }) => event === 'add' && actor === creator && Math.abs(time - rug.time) <= ONE_DAY_S,
      )
      .map((event) => ({ base, amount: event.base })),
  )
  const alike = added.reduce((sum, { base, amount }) => sum + (base === rug.base ? amount : 0n), 0n)
  const usd = added.reduce((sum, { base, amount }) => sum + worth(base, amount), 0)
  return (
    Number(alike) >= RESERVE_SHARE * Number(rug.taken) ||
    (usd > 0 && usd >= OTHER_BASE_SHARE * worth(rug.base, rug.taken))
  )
}

/** Whether the creator gave buyers back what it had earned: it closed the pool in order. Amounts in base units of the base. */
const refunded = (
  rug: Exit,
  buyers: ReadonlySet<string>,
  refunds: readonly { receiver: string; amount: string }[],
): boolean => {
  const repaid = refunds.filter(({ receiver }) => buyers.has(receiver))
  return (
    new Set(repaid.map(({ receiver }) => receiver)).size >= Math.max(MIN_BUYERS, REFUNDED_BUYERS_SHARE * buyers.size) &&
    Number(repaid.reduce((sum, { amount }) => sum + BigInt(amount), 0n)) >= REFUNDED_SHARE * Number(rug.profit)
  )
}

/** Distinct buyers of the token beside its creator, of some events. */
export const buyersOf = (creator: string, events: readonly PoolEvent[]): Set<string> =>
  new Set(
    events
      .filter(({ event, actor, base, token }) => event === 'swap' && actor !== creator && base > 0 && token < 0)
      .map(({ actor }) => actor),
  )

type Refund = { maker: string; since: number; receiver: string; asset: string; amount: string }

/** Leaves out exits whose creators gave the buyers back what they had earned. */
export const unrefunded = async <Found extends Exit>(
  { store, network }: LoadContext,
  rugs: readonly { pool: OwnPool; rug: Found }[],
  events: ReadonlyMap<OwnPool, readonly PoolEvent[]>,
): Promise<(readonly [string, Found])[]> => {
  const buyers = new Map(
    rugs.map(({ pool }) => {
      const all = buyersOf(pool.address, events.get(pool) ?? [])
      return [pool, new Set([...all].slice(0, MAX_REFUNDED))]
    }),
  )
  const rows = await inPieces(
    rugs,
    (some) =>
      store.query<Refund>(
        REFUNDS,
        {
          network,
          makers: some.map(({ pool }) => pool.address),
          since: some.map(({ rug }) => rug.time),
          buyers: [...new Set(some.flatMap(({ pool }) => [...(buyers.get(pool) ?? [])]))],
          within: REFUNDED_WITHIN_S,
        },
        { route: 'refunds' },
      ),
    REFUNDS_AT_ONCE,
  )
  const coins = usdThresholds(network, 1)
  const coin = coins.get('')
  return rugs
    .filter(({ pool, rug }) => {
      const money = new Set([rug.base, ...(coins.get(rug.base) === coin ? [''] : [])])
      const mine = rows.filter(
        ({ maker, since, asset }) => maker === pool.address && since === rug.time && money.has(asset),
      )
      return !refunded(rug, buyers.get(pool) ?? new Set(), mine)
    })
    .map(({ pool, rug }) => [pool.address, rug] as const)
}
