/**
 * Liquidity events of a token's pools: of its whole life where the tables have it, else what a node's newest logs show of
 * the deepest pool. The tables have no amounts of V4 pools; those are read from the receipts.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import type { ChainReader } from '../chain/chain.ts'
import { baseAmountOf, isUnmeasured, type Market, tokenAmountOf } from '../market/market.ts'
import type { Missing } from './holders/life.ts'
import { amountsOfV4, type LiquidityRow, readLiquidity } from './liquidity.ts'
import type { Known } from './stakeholders.ts'

const EVENTS = readSql(import.meta.url, './sql/events.sql')

/** Blocks of logs asked of a node: what public endpoints grant. */
export const LOG_BLOCKS = 9_000
/** Events that a record lists, newest first. */
export const MOST_EVENTS = 500
/** Events read from logs, each of which asks the node twice. */
const MOST_LOGS = 50
/** Transactions of V4 pools whose receipts are read. */
const MOST_RECEIPTS = 50

/** A liquidity event with its pool, which says how its amounts read. */
export type ListedEvent = LiquidityRow & { pool: Market }
/** Liquidity events of a token, and in `listing` whether they are all. */
export type LiquidityEvents = {
  /** Those of the market alone; `undefined` when nothing could be read. */
  market: LiquidityRow[] | undefined
  /** Those of all pools, newest first. */
  listed: ListedEvent[]
  listing: TokenFacts['liquidityEvents']
}

/** The token's pools and the tables. Without these only the newest logs of the deepest pool are read. */
export type EventsInput = {
  chain: ChainReader
  store: Store | undefined
  network: Network
  known: Pick<Known, 'subject' | 'market' | 'markets'>
  /** Why the tables do not hold the token's whole life. */
  missing: Promise<Missing>
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

/** Events with the base asset's amount. Of V4, as far as receipts are read. */
const measured = async (
  chain: ChainReader,
  token: string,
  rows: readonly Row[],
  pools: ReadonlyMap<string, Market>,
): Promise<{ events: ListedEvent[]; unread: number }> => {
  const isV4 = ({ pool }: Row) => isUnmeasured(pools.get(pool))
  const hashes = [...new Set(rows.filter(isV4).map((row) => row.tx_hash))].slice(0, MOST_RECEIPTS)
  const receipts = new Map(await Promise.all(hashes.map(async (hash) => [hash, await chain.receipt(hash)] as const)))
  let unread = 0
  /** Logs of a receipt belong to the rows of its transaction and pool in the same order, the newest last. */
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

const whyPartial = (missing: Missing, cut: boolean, unread: number): string | null => {
  if (missing !== undefined) return `events before the first covered block are missing: ${missing}`
  if (cut) return `only the newest ${MOST_EVENTS} are listed`
  return unread > 0 ? `the amounts of ${unread} could not be read` : null
}

const fromLogs = async ({ chain, known }: EventsInput): Promise<LiquidityEvents> => {
  const { subject, market } = known
  const why = `only the last ${LOG_BLOCKS} blocks of the deepest pool were read`
  if (!market) return { market: [], listed: [], listing: { complete: false, why: 'no pool was found' } }
  const rows = await readLiquidity(chain, subject.token, market, LOG_BLOCKS, MOST_LOGS)
  return {
    market: rows,
    listed: (rows ?? []).map((row) => ({ ...row, pool: market })),
    listing: { complete: false, why: rows ? why : 'neither the tables nor the node had any' },
  }
}

/**
 * Reads at most 500 events of the market and 500 of the other pools; from logs where the tables have none of the
 * market.
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
      : store.query<Row>(EVENTS, { network, pools: ids, limit: MOST_EVENTS + 1 }, { route: 'contract_liquidity' })
  // The market's own are asked for apart: busier pools would crowd them out.
  const [own, rest] = await Promise.all([ask([market.id]), ask(others)])
  if (own.length === 0) {
    const { market: rows, listed, listing } = await fromLogs(input)
    if (rest.length === 0) return { market: rows, listed, listing }
    const { events } = await measured(chain, subject.token, rest, pools)
    return { market: rows, listed: newestFirst([...listed, ...events]), listing }
  }
  const { events, unread } = await measured(chain, subject.token, [...own, ...rest], pools)
  const cut = own.length + rest.length > MOST_EVENTS
  const why = whyPartial(await input.missing, cut, unread)
  return {
    market: events.filter(({ pool }) => pool.id === market.id).slice(0, MOST_EVENTS),
    listed: newestFirst(events),
    listing: { complete: why === null, why },
  }
}

const newestFirst = (events: readonly ListedEvent[]): ListedEvent[] =>
  [...events].sort((a, b) => b.time - a.time).slice(0, MOST_EVENTS)
