/**
 * Liquidity events of a token's pools: of its whole life when the tables have it, else the newest logs of the deepest
 * pool. The tables have no amounts for V4 pools; those are read from receipts.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import type { ChainReader } from '../chain/chain.ts'
import { baseAmountOf, isStoredWithoutAmounts, type Market, tokenAmountOf } from '../market/market.ts'
import type { HistoryGap } from './holders/history.ts'
import { amountsOfV4, type LiquidityRow, readLiquidity } from './liquidity.ts'
import type { TokenContext } from './stakeholders.ts'

const EVENTS = readSql(import.meta.url, './sql/events.sql')

/** Block range of a log request: what public endpoints allow. */
export const LOG_BLOCKS = 9_000
/** Maximum number of events in a record, newest first. */
export const MAX_EVENTS = 500
/** Maximum number of events read from logs; each takes two requests. */
const MAX_LOGS = 50
/** Maximum number of receipts read for V4 pools. */
const MAX_RECEIPTS = 50

/** A liquidity event with its pool, which determines the unit of its amounts. */
export type ListedEvent = LiquidityRow & { pool: Market }
/** Liquidity events of a token. `listing` states whether they are complete. */
export type LiquidityEvents = {
  /** Events of the market alone; `undefined` when nothing could be read. */
  market: LiquidityRow[] | undefined
  /** Events of all pools, newest first. */
  listed: ListedEvent[]
  listing: TokenFacts['liquidityEvents']
}

/** The token's pools and the tables. Without tables only the newest logs of the deepest pool are read. */
export type EventsInput = {
  chain: ChainReader
  store: Store | undefined
  network: Network
  known: Pick<TokenContext, 'subject' | 'market' | 'markets'>
  /** Why the tables do not have the token's whole life. */
  missing: Promise<HistoryGap>
}

type Row = {
  pool: string
  event: 'add' | 'remove'
  provider: string
  owner: string
  tx_hash: string
  amount0: string
  amount1: string
  time: number
}

const absolute = (amount: bigint) => (amount < 0n ? -amount : amount)

/** Adds amounts to events; for V4 from receipts. */
const measured = async (
  chain: ChainReader,
  token: string,
  rows: readonly Row[],
  pools: ReadonlyMap<string, Market>,
): Promise<{ events: ListedEvent[]; unread: number }> => {
  const isV4 = ({ pool }: Row) => isStoredWithoutAmounts(pools.get(pool))
  const hashes = [...new Set(rows.filter(isV4).map((row) => row.tx_hash))].slice(0, MAX_RECEIPTS)
  const receipts = new Map(await Promise.all(hashes.map(async (hash) => [hash, await chain.receipt(hash)] as const)))
  let unread = 0
  /** Logs of a receipt match the rows of its transaction and pool in the same order, newest last. */
  const taken = new Map<string, number>()
  const events = rows.flatMap((row): ListedEvent[] => {
    const pool = pools.get(row.pool)
    if (!pool) return []
    const { event, provider, owner, tx_hash: txHash } = row
    const known = { pool, event, provider, owner, txHash, time: Number(row.time) }
    if (!isV4(row)) {
      const base = absolute(BigInt(baseAmountOf(token, pool, row)))
      const tokens = absolute(BigInt(tokenAmountOf(token, pool, row)))
      return [{ ...known, base, tokens }]
    }
    const changes = amountsOfV4(receipts.get(txHash) ?? [], token, pool).reverse()
    const key = `${txHash}:${pool.id}`
    const at = taken.get(key) ?? 0
    taken.set(key, at + 1)
    const change = changes[at]
    if (!change) unread++
    return change ? [{ ...known, ...change }] : []
  })
  return { events, unread }
}

const whyPartial = (missing: HistoryGap, cut: boolean, unread: number): string | null => {
  if (missing !== undefined) return `events before the first covered block are missing: ${missing}`
  if (cut) return `only the newest ${MAX_EVENTS} are listed`
  return unread > 0 ? `the amounts of ${unread} events could not be read` : null
}

const fromLogs = async ({ chain, known }: EventsInput): Promise<LiquidityEvents> => {
  const { subject, market } = known
  const why = `only the last ${LOG_BLOCKS} blocks of the deepest pool were read`
  if (!market) return { market: [], listed: [], listing: { complete: false, why: 'no pool was found' } }
  const rows = await readLiquidity(chain, subject.token, market, LOG_BLOCKS, MAX_LOGS)
  return {
    market: rows,
    listed: (rows ?? []).map((row) => ({ ...row, pool: market })),
    listing: { complete: false, why: rows ? why : 'neither the tables nor the node returned any' },
  }
}

/**
 * Reads at most 500 events of the market and 500 of the other pools; from logs when the tables have none of the market.
 */
export const readEvents = async (input: EventsInput): Promise<LiquidityEvents> => {
  const { chain, store, network, known } = input
  const { subject, market, markets } = known
  if (!market || !store) return fromLogs(input)
  const pools = new Map(markets.map((item) => [item.id, item]))
  const others = [...pools.keys()].filter((id) => id !== market.id)
  const ask = (ids: string[]) =>
    ids.length === 0
      ? []
      : store.query<Row>(EVENTS, { network, pools: ids, limit: MAX_EVENTS + 1 }, { route: 'contract_liquidity' })
  // The market's own events are queried separately: busier pools would crowd them out.
  const [own, rest] = await Promise.all([ask([market.id]), ask(others)])
  if (own.length === 0) {
    const { market: rows, listed, listing } = await fromLogs(input)
    if (rest.length === 0) return { market: rows, listed, listing }
    const { events } = await measured(chain, subject.token, rest, pools)
    return { market: rows, listed: newestFirst([...listed, ...events]), listing }
  }
  const { events, unread } = await measured(chain, subject.token, [...own, ...rest], pools)
  const cut = own.length + rest.length > MAX_EVENTS
  const why = whyPartial(await input.missing, cut, unread)
  return {
    market: events.filter(({ pool }) => pool.id === market.id).slice(0, MAX_EVENTS),
    listed: newestFirst(events),
    listing: { complete: why === null, why },
  }
}

const newestFirst = (events: readonly ListedEvent[]): ListedEvent[] =>
  [...events].sort((a, b) => b.time - a.time).slice(0, MAX_EVENTS)
