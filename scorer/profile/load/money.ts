/** Current and past holdings and flows of a wallet, in US dollars. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Prices } from '../../ledger/prices/prices.ts'
import type { ProfileFacts } from '../facts.ts'
import type { RiskBucket } from '../scores.ts'
import type { LoadOptions } from './actions.ts'

const HOLDINGS = readSql(import.meta.url, './sql/holdings.sql')
const FLOWS = readSql(import.meta.url, './sql/flows.sql')
const DAY = 86_400
/** Period over which balances are averaged, s. */
export const WINDOW = 365 * DAY

/** Balance in base units. `#other` sums assets without a value; `held` counts assets with a balance. */
export type Holding = { asset: string; balance: number; held: number }
/**
 * One month of one asset: base units received and sent, the sum of change x seconds since the window began, and the number of
 * transactions the wallet signed (on rows of the native coin).
 */
export type Flow = { asset: string; month: number; came: number; went: number; moment: number; sent: number }

/** Minimum inflow of a month that counts, US dollars. Smaller inflows may be dust. */
const LEAST_INFLOW_USD = 10

/** Holdings and flows of a wallet before pricing. `activeMonths`: months of the last twelve with a signed transaction. */
type Money = { holdings: Holding[]; flows: Flow[]; activeMonths: number }

const grouped = <T extends { address: string }>(rows: readonly T[]): Map<string, Omit<T, 'address'>[]> => {
  const groups = new Map<string, Omit<T, 'address'>[]>()
  for (const { address, ...row } of rows) {
    const group = groups.get(address)
    if (group) group.push(row)
    else groups.set(address, [row])
  }
  return groups
}

/** Loads holdings and flows with two parallel queries. */
export const loadMoney = async (options: LoadOptions): Promise<(address: string) => Money> => {
  const { store, facts, addresses, head, time } = options
  const common = { network: facts.network, addresses, head, since: Math.max(0, time - WINDOW) }
  const assets = [...facts.assets.keys()]
  const [holdings, flows] = await Promise.all([
    store.query<Holding & { address: string }>(
      HOLDINGS,
      { ...common, assets, positions: facts.positions },
      { route: 'profile_holdings' },
    ),
    store.query<Flow & { address: string }>(
      FLOWS,
      { ...common, assets, wrapped: facts.wrapped ?? '' },
      { route: 'profile_flows' },
    ),
  ])
  const holdingsOf = grouped(holdings)
  const flowsOf = grouped(flows)
  return (address) => {
    const own = flowsOf.get(address) ?? []
    const active = new Set(own.filter(({ sent }) => sent > 0).map(({ month }) => month))
    return { holdings: holdingsOf.get(address) ?? [], flows: own, activeMonths: Math.min(12, active.size) }
  }
}

/** Holdings and flows in US dollars. Assets that cannot be valued are excluded and named in `unknowns`. */
export type Valuation = {
  /** US dollars, two decimals. */
  balanceUsd: number
  /** Mean over the window, or over the wallet's life if that is shorter. */
  averageBalanceUsd: number
  /** Dollar-days by risk bucket. */
  balanceAge: Partial<Record<RiskBucket, number>>
  /** Net flow in dollars by month, oldest first, for every month since the first movement. */
  netFlows: number[]
  /** Months with an inflow above dust. */
  inflowMonths: number
  unknowns: string[]
}

const cents = (usd: number): number => Math.round(usd * 100) / 100

const nextMonth = (month: number): number => (month % 100 === 12 ? month + 89 : month + 1)

/** Month (YYYYMM, UTC) of Unix seconds. */
export const monthOf = (time: number): number => {
  const date = new Date(time * 1_000)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

const monthly = (flows: readonly Flow[], dollarsOf: (asset: string, units: number) => number, now: number) => {
  const months = new Map<number, { came: number; went: number }>()
  for (const { asset, month, came, went } of flows) {
    const sum = months.get(month) ?? { came: 0, went: 0 }
    sum.came += dollarsOf(asset, came)
    sum.went += dollarsOf(asset, went)
    months.set(month, sum)
  }
  const netFlows: number[] = []
  if (months.size > 0) {
    for (let month = Math.min(...months.keys()); month <= now; month = nextMonth(month)) {
      const { came, went } = months.get(month) ?? { came: 0, went: 0 }
      netFlows.push(came - went)
    }
  }
  return {
    netFlows,
    inflowMonths: Math.min(12, [...months.values()].filter(({ came }) => came >= LEAST_INFLOW_USD).length),
  }
}

type ValueOptions = {
  facts: ProfileFacts
  prices: Prices
  money: Money
  /** Total fees paid, base units of the native coin. Movements do not include them. */
  fees: number
  /** Time of the newest block and of the wallet's first row, Unix seconds. */
  time: number
  firstSeen: number
}

/** Values holdings and flows. Assets without a price or with a negative balance count as zero and are named in `unknowns`. */
export const valueMoney = ({ facts, prices, money, fees, time, firstSeen }: ValueOptions): Valuation => {
  const unknowns: string[] = []
  const unitOf = (asset: string) => 10 ** (facts.assets.get(asset)?.decimals ?? 0)
  const dollarsOf = (asset: string, units: number) => ((prices.get(asset) ?? 0) * units) / unitOf(asset)
  const lived = Math.max(DAY, Math.min(WINDOW, time - firstSeen))
  const since = Math.max(0, time - WINDOW)

  let balanceUsd = 0
  let dollarDays = 0
  const balanceAge: Partial<Record<RiskBucket, number>> = {}
  const held = new Map(money.holdings.map(({ asset, balance }) => [asset, balance]))
  if (fees > 0) held.set('', (held.get('') ?? 0) - fees)
  const moments = new Map<string, number>()
  for (const { asset, moment } of money.flows) moments.set(asset, (moments.get(asset) ?? 0) + moment)

  for (const asset of new Set([...held.keys(), ...moments.keys()])) {
    const known = facts.assets.get(asset)
    if (!known) continue
    const balance = held.get(asset) ?? 0
    // Integral of a step function: the final value over the whole window, minus each change times the time before it.
    const integral = balance * (time - since) - (moments.get(asset) ?? 0)
    if (balance < 0) unknowns.push(`balance ${known.symbol}: outflows exceed the known inflows`)
    else if (!prices.has(asset)) {
      if (balance > 0) unknowns.push(`price ${known.symbol}: no recent trade against a dollar coin or the native coin`)
    } else {
      const days = Math.max(0, dollarsOf(asset, integral)) / DAY
      balanceUsd += dollarsOf(asset, balance)
      dollarDays += days
      if (days > 0) balanceAge[known.bucket] = (balanceAge[known.bucket] ?? 0) + days
    }
  }
  const others = money.holdings.find(({ asset }) => asset === '#other')
  if (others && others.held > 0) unknowns.push('price of other tokens: only canonical assets are valued')
  return {
    balanceUsd: cents(balanceUsd),
    averageBalanceUsd: cents((dollarDays * DAY) / lived),
    balanceAge,
    ...monthly(money.flows, dollarsOf, monthOf(time)),
    unknowns,
  }
}
