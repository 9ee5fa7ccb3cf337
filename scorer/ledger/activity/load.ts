/** Activity of an address by step: movements, signed transactions and balances, up to the newest block. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { MAX_ASSETS } from '../../../schema/records/explained/activity.ts'
import { ASSETS } from '../../../schema/registry/contracts.ts'
import { loadFetched } from '../past/fetched.ts'
import { amountOf, decimalText } from '../prices/amounts.ts'
import { readSettled } from '../reading/settled.ts'
import { createTieredStore, loadTiers } from '../reading/tiers.ts'
import { type BalanceStep, balancesOf, type StepMovements } from './balances.ts'
import { dayOf, type Step, stepFor, stepStart } from './steps.ts'

const LIFE = readSql(import.meta.url, './sql/life.sql')
const TOTALS = readSql(import.meta.url, './sql/totals.sql')
const KNOWN = readSql(import.meta.url, './sql/known.sql')
const FIRST_COVERED = readSql(import.meta.url, '../past/sql/first-covered.sql')
const BOUND = readSql(import.meta.url, './sql/bound.sql')
const MOVEMENTS = readSql(import.meta.url, './sql/movements.sql')
const EVENTS = readSql(import.meta.url, './sql/events.sql')

/** Maximum number of movements read. A million take 90 ms of one core. */
const MAX_MOVEMENTS = 2_000_000

type Life = { first: number | null; fees: string }
type Total = { known: number; received: string; sent: string; movements: number; assets: number }
type Movement = { at: string; nth: number; received: string; sent: string; incoming: number; outgoing: number }
type Event = {
  at: string
  transactions: number
  approvals: number
  swaps: number
  creations: number
  fees: string
}

type ActivityStep = {
  /** First day of the step. */
  at: string
  /** Movements of coins, tokens and NFTs. */
  incoming: number
  outgoing: number
  /** Transactions the address signed, and other acts of its own. */
  transactions: number
  approvals: number
  swaps: number
  creations: number
}
/** Amounts are exact decimal text in whole coins. */
export type AssetActivity = {
  /** Empty for the native coin. */
  asset: string
  symbol: string
  opening: string | null
  usd: string | null
  steps: { at: string; received: string; sent: string; fees: string; change: string; balance: string | null }[]
}
type Activity = {
  height: number
  step: Step
  /** First days of the first and the last step. */
  from: string
  to: string
  /** Unix seconds. Every movement from the first covered block on is known; `undefined` if no block is covered. */
  covered: { from: number; to: number } | undefined
  /** Whether the address has too many movements to read, so that the answer begins later than asked. */
  cut: boolean
  steps: ActivityStep[]
  assets: AssetActivity[]
  /** Number of other assets it moved. */
  otherAssets: number
}

type ActivityQuestion = {
  network: Network
  address: string
  /** Unix seconds; `undefined` for the first row about the address. */
  from: number | undefined
  /** Whether its complete history is known, which balances require. */
  whole: boolean
}

const NOTHING: Life = { first: null, fees: '0' }

/**
 * Loads the activity of an address. Steps without activity are absent.
 * @param most maximum number of movements read
 * @throws RetryableError as `readSettled` does.
 */
export const loadActivity = (
  store: Store,
  { network, address, from: asked, whole }: ActivityQuestion,
  most = MAX_MOVEMENTS,
): Promise<Activity> =>
  readSettled(store, network, async (heights) => {
    const { head } = heights
    const named = ['', ...ASSETS[network].keys()]
    const [{ hot }, fetched, [covered]] = await Promise.all([
      loadTiers(store, network, [address], heights),
      loadFetched(store, network, [address]),
      store.query<{ first: number }>(FIRST_COVERED, { network }, { route: 'first_covered' }),
    ])
    const tiered = createTieredStore(store, fetched.size > 0 ? 'whole' : hot.size > 0 ? 'all' : 'final')
    const ask = <Row>(sql: string, params: Record<string, unknown>, route: string) =>
      tiered.query<Row>(sql, { network, address, head, ...params }, { route })
    const first = covered?.first ?? 0
    const [[life = NOTHING], totals, [known]] = await Promise.all([
      ask<Life>(LIFE, {}, 'activity_life'),
      ask<Total>(TOTALS, { assets: named }, 'activity_totals'),
      ask<{ first: number; traces: 0 | 1 }>(KNOWN, { first }, 'activity_known'),
    ])
    const until = heights.time
    const movements = totals.reduce((sum, total) => sum + total.movements, 0)
    const [cutAt] = movements > most ? await ask<{ time: number }>(BOUND, { most }, 'activity_bound') : []
    const wanted = Math.min(until, Math.max(asked ?? 0, life.first ?? until))
    const cut = cutAt !== undefined && cutAt.time > wanted
    // Some movements of the second at the cut may be missing, so the answer begins with the next step.
    const begin = cut ? cutAt.time : wanted
    const step = stepFor(begin, until)
    const begun = stepStart(begin, step)
    const from = cut ? Math.min(stepStart(until, step), stepStart(begun + LONGEST_S[step], step)) : begun

    const chosen = totals
      .filter((total) => total.known > 1)
      .sort((a, b) => b.movements - a.movements || a.known - b.known)
      .slice(0, MAX_ASSETS - 1)
      .map((total) => named[total.known - 1] ?? '')
    const assets = ['', ...chosen]
    const [moves, events] = await Promise.all([
      ask<Movement>(MOVEMENTS, { from, step, assets }, 'activity_movements'),
      ask<Event>(EVENTS, { from, step }, 'activity_events'),
    ])
    const sees = known?.traces === 1
    return {
      height: head,
      step,
      from: dayOf(from),
      to: dayOf(stepStart(until, step)),
      covered: covered && known ? { from: known.first, to: until } : undefined,
      cut,
      steps: stepsOf(moves, events),
      assets: assets.map((asset, nth) => {
        const { symbol, decimals } =
          asset === '' ? networkInfo(network).nativeCoin : (ASSETS[network].get(asset) ?? NAMELESS)
        const total = totals.find((one) => named[one.known - 1] === asset)
        const fees = asset === '' ? BigInt(life.fees) : 0n
        const last = BigInt(total?.received ?? 0) - BigInt(total?.sent ?? 0) - fees
        // Without internal calls, movements of the native coin are incomplete.
        const isKnown = whole && (asset !== '' || sees)
        const moved = movedOf(moves, nth + 1, asset === '' ? events : [])
        return assetActivityOf(network, { asset, symbol, decimals }, balancesOf(moved, isKnown ? last : undefined))
      }),
      otherAssets: totals.reduce((sum, total) => sum + total.assets, 0) - countOf(totals, assets, named),
    }
  })

const LONGEST_S: Record<Step, number> = { day: 86_400, week: 7 * 86_400, month: 31 * 86_400 }
const NAMELESS = { symbol: '', decimals: 0 }

/** Number of chosen assets that were moved at all. */
const countOf = (totals: readonly Total[], assets: readonly string[], named: readonly string[]): number =>
  totals.filter((total) => total.known > 0 && assets.includes(named[total.known - 1] ?? '?')).length

const stepsOf = (moves: readonly Movement[], events: readonly Event[]): ActivityStep[] => {
  const steps = new Map<string, ActivityStep>()
  const at = (day: string): ActivityStep => {
    const found = steps.get(day) ?? {
      at: day,
      incoming: 0,
      outgoing: 0,
      transactions: 0,
      approvals: 0,
      swaps: 0,
      creations: 0,
    }
    steps.set(day, found)
    return found
  }
  for (const move of moves) {
    const step = at(move.at)
    step.incoming += move.incoming
    step.outgoing += move.outgoing
  }
  for (const { fees: _, ...event } of events) Object.assign(at(event.at), event)
  return [...steps.values()].sort(byDay)
}

const byDay = (a: { at: string }, b: { at: string }): number => (a.at < b.at ? -1 : 1)

/** Steps of one asset. Pass `events` for the native coin only, which pays the fees. */
const movedOf = (moves: readonly Movement[], nth: number, events: readonly Event[]): StepMovements[] => {
  const steps = new Map<string, StepMovements>()
  for (const move of moves) {
    if (move.nth !== nth) continue
    steps.set(move.at, { at: move.at, received: BigInt(move.received), sent: BigInt(move.sent), fees: 0n })
  }
  for (const { at, fees } of events) {
    const paid = BigInt(fees)
    if (paid === 0n) continue
    steps.set(at, { ...(steps.get(at) ?? { at, received: 0n, sent: 0n }), fees: paid })
  }
  return [...steps.values()].sort(byDay)
}

const assetActivityOf = (
  network: Network,
  { asset, symbol, decimals }: { asset: string; symbol: string; decimals: number },
  { opening, steps }: { opening: bigint | undefined; steps: readonly BalanceStep[] },
): AssetActivity => {
  const text = (units: bigint) => decimalText(units, decimals)
  const newest = steps.at(-1)?.balance ?? opening
  return {
    asset,
    symbol,
    opening: opening === undefined ? null : text(opening),
    usd: opening === undefined || newest === undefined ? null : amountOf(network, asset, newest).usd,
    steps: steps.map(({ at, received, sent, fees, change, balance }) => ({
      at,
      received: text(received),
      sent: text(sent),
      fees: text(fees),
      change: text(change),
      balance: balance === undefined ? null : text(balance),
    })),
  }
}
