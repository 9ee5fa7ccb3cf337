/**
 * EIP-7702 sweepers: many accounts delegate to one family of code, and whatever comes in is gone to one sink within a
 * block or two (semantics 2.4; Wintermute on CrimeEnjoyor; arXiv 2512.12174). The sink is the thief; the accounts are its
 * victims. Exchanges sweep deposit addresses alike; those never led a life of their own (see lives.ts).
 */
import { readSql } from '../../../platform/store/sql.ts'
import { isContract } from '../../features/wallet.ts'
import { type LoadContext, those } from './context.ts'
import { independent } from './lives.ts'

const GIVERS = readSql(import.meta.url, '../sql/delegated-givers.sql')
const MOVES = readSql(import.meta.url, '../sql/coin-moves.sql')

/** Accounts of one delegate family that give to the sink (semantics 2.4). */
export const MIN_AUTHORITIES = 20
/** Median from something coming in to all of it being gone is less than this, blocks (semantics 2.4). */
const MOST_BLOCKS = 2
/** Part of what came in that counts as all of it, and part of what went out that has to go to the sink. */
const ALL = 0.95
const SINK_SHARE = 0.9
/** Of the accounts, how many led lives of their own: half. Our choice; deposit addresses do none. */
const INDEPENDENT_SHARE = 0.5
/** Sinks with more counterparties than this are services. */
const MOST_GIVERS = 50_000
/** Accounts looked at, and movements of each. */
const MOST_ACCOUNTS = 200
const MOST_MOVES = 40

export type Sweep = {
  family: string
  delegates: string[]
  authorities: number
  independent: number
  /** Blocks from coins coming in to their being gone, median. */
  medianBlocks: number
  victims: string[]
  transactions: string[]
  /** Unix seconds of the first delegation. */
  since: number
}

type Giver = { sink: string; authority: string; delegate: string; family: string; since: number }
type Move = {
  address: string
  direction: 1 | -1
  counterparty: string
  amount: number
  block_number: number
  tx_hash: string
  time: number
}

/** Blocks until each incoming amount was gone to the sink; infinite for what stayed. Moves are in order. */
export const dwellOf = (moves: readonly Move[], sink: string): number[] => {
  const dwells: number[] = []
  let held = 0
  let since: number | undefined
  let came = 0
  for (const { direction, counterparty, amount, block_number } of moves) {
    if (direction === 1) {
      held += amount
      came = Math.max(came, held)
      since ??= block_number
    } else {
      held -= amount
      if (since !== undefined && counterparty === sink && held <= (1 - ALL) * came) {
        dwells.push(block_number - since)
        since = undefined
        came = 0
      }
    }
  }
  if (since !== undefined) dwells.push(Number.POSITIVE_INFINITY)
  return dwells
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.POSITIVE_INFINITY

const judge = async (context: LoadContext, sink: string, givers: readonly Giver[]): Promise<Sweep | undefined> => {
  const [first] = givers
  if (!first) return undefined
  const since = Math.min(...givers.map((giver) => giver.since))
  const group = new Map(givers.map((giver) => [giver.authority, giver.since]))
  if (group.size < MIN_AUTHORITIES) return undefined
  const looked = [...group.keys()].slice(0, MOST_ACCOUNTS)
  const [moves, lives] = await Promise.all([
    context.store.query<Move>(
      MOVES,
      { network: context.network, addresses: looked, since, limit: MOST_MOVES },
      { route: 'sweeper_moves' },
    ),
    independent(context, group, sink),
  ])
  const after = moves.filter(({ address, time }) => time >= (group.get(address) ?? 0))
  const given = after.filter(({ direction }) => direction === -1)
  const total = given.reduce((sum, { amount }) => sum + amount, 0)
  const swept = given.filter(({ counterparty }) => counterparty === sink)
  const toSink = swept.reduce((sum, { amount }) => sum + amount, 0)
  const medianBlocks = median(
    looked.flatMap((address) =>
      dwellOf(
        after.filter((move) => move.address === address),
        sink,
      ),
    ),
  )
  if (medianBlocks >= MOST_BLOCKS || toSink < SINK_SHARE * total) return undefined
  if (lives.size < INDEPENDENT_SHARE * group.size) return undefined
  return {
    family: first.family,
    delegates: [...new Set(givers.map(({ delegate }) => delegate))].slice(0, 5),
    authorities: group.size,
    independent: lives.size,
    medianBlocks,
    victims: [...lives].sort().slice(0, 10),
    transactions: swept.slice(0, 10).map(({ tx_hash }) => tx_hash),
    since,
  }
}

export const loadSweeps = async (context: LoadContext): Promise<Map<string, Sweep[]>> => {
  const sinks = those(
    context,
    (wallet) =>
      !isContract(wallet) &&
      wallet.native_in_count >= MIN_AUTHORITIES &&
      wallet.in_counterparties >= MIN_AUTHORITIES &&
      wallet.in_counterparties <= MOST_GIVERS &&
      // Swept by others' transactions, or by its own.
      (wallet.pulled_in >= MIN_AUTHORITIES || wallet.sent >= MIN_AUTHORITIES),
  )
  if (sinks.length === 0) return new Map()
  const rows = await context.store.query<Giver>(
    GIVERS,
    { network: context.network, addresses: sinks },
    { route: 'delegated_givers' },
  )
  const families = new Map<string, Giver[]>()
  for (const row of rows) {
    const key = `${row.sink} ${row.family}`
    families.set(key, [...(families.get(key) ?? []), row])
  }
  const found = new Map<string, Sweep[]>()
  await Promise.all(
    [...families.values()].map(async (givers) => {
      const sink = givers[0]?.sink ?? ''
      const sweep = await judge(context, sink, givers)
      if (sweep) found.set(sink, [...(found.get(sink) ?? []), sweep])
    }),
  )
  return found
}
