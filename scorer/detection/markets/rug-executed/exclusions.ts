/** Exclusions of rug pulls: creators who moved the market, replaced the token, or refunded their buyers. */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import { isMeasured, type OwnPool, type PoolEvent } from '../pools/pools.ts'
import { MIN_BUYERS, ONE_DAY_S, RESERVE_SHARE, type Rug } from './rug.ts'

const REFUNDS = readSql(import.meta.url, './refunds.sql')

/** Minimum share for a move to a pool with another base. Low, because fixed low prices may be off by half. Our choice. */
const OTHER_BASE_SHARE = 0.4
/** Minimum share of the profit refunded, and of the buyers refunded, some of whom may be the creator's own. Our choice. */
const REFUNDED_SHARE = 0.5
const REFUNDED_BUYERS_SHARE = 0.5
/** Buyers per pool whose refunds are examined, and pools per query. */
const MAX_REFUNDED = 500
const REFUNDS_AT_ONCE = 5
/** Maximum time from the take to the refunds, s. Our choice. */
const REFUNDED_WITHIN_S = 7 * 86_400

/** What a creator took out of a pool, in base units of the base; the last of it at `time` (Unix seconds). */
type Exit = Pick<Rug, 'base' | 'taken' | 'profit' | 'time'>

/** Another pool of the creator. */
export type Market = { base: string; events: readonly PoolEvent[] }

/**
 * Whether the creator moved the taken base into other pools of the token within a day, so that holders still have a market.
 * @param dollar base units per US dollar, by asset, for pools with another base
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

const gaveToMost = (buyers: ReadonlySet<string>, payments: readonly { receiver: string }[]): boolean =>
  new Set(payments.flatMap(({ receiver }) => (buyers.has(receiver) ? [receiver] : []))).size >=
  Math.max(MIN_BUYERS, REFUNDED_BUYERS_SHARE * buyers.size)

/** Whether the creator refunded its profit to buyers. Amounts in base units of the base. */
const refunded = (
  rug: Exit,
  buyers: ReadonlySet<string>,
  refunds: readonly { receiver: string; amount: string }[],
): boolean => {
  const repaid = refunds.filter(({ receiver }) => buyers.has(receiver))
  return (
    gaveToMost(buyers, repaid) &&
    Number(repaid.reduce((sum, { amount }) => sum + BigInt(amount), 0n)) >= REFUNDED_SHARE * Number(rug.profit)
  )
}

/** Other tokens of the creator into whose pools it put the taken base within a day, where it still is. */
const replacementsOf = (pool: OwnPool, rug: Exit, events: ReadonlyMap<OwnPool, readonly PoolEvent[]>): Set<string> =>
  new Set(
    [...events].flatMap(([one, its]) => {
      if (one.address !== pool.address || one.token === pool.token || one.base !== rug.base) return []
      const own = its.filter(({ actor }) => actor === pool.address)
      const kept = own.reduce((sum, { base }) => sum + base, 0n)
      const inTime = own.some(({ event, time }) => event === 'add' && Math.abs(time - rug.time) <= ONE_DAY_S)
      return inTime && isMeasured(one, { events }) && Number(kept) >= RESERVE_SHARE * Number(rug.taken)
        ? [one.token]
        : []
    }),
  )

/** Distinct buyers of the token other than its creator. */
export const buyersOf = (creator: string, events: readonly PoolEvent[]): Set<string> =>
  new Set(
    events
      .filter(({ event, actor, base, token }) => event === 'swap' && actor !== creator && base > 0 && token < 0)
      .map(({ actor }) => actor),
  )

type Refund = { maker: string; since: number; receiver: string; asset: string; amount: string }

/** Removes exits whose creators refunded the buyers, or gave them another token in whose pool the base is now. */
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
      const mine = rows.filter(({ maker, since }) => maker === pool.address && since === rug.time)
      const refunds = mine.filter(({ asset }) => money.has(asset))
      const replacements = replacementsOf(pool, rug, events)
      const replaced = mine.filter(({ asset }) => replacements.has(asset))
      const all = buyers.get(pool) ?? new Set()
      return !refunded(rug, all, refunds) && !gaveToMost(all, replaced)
    })
    .map(({ pool, rug }) => [pool.address, rug] as const)
}
