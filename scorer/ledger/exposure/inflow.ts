/**
 * What of a wallet's income is money of flagged wallets, for verdicts: directly, or over up to three transfers.
 *
 * Signs come before walks. Only wallets that dealt with a flagged address, or with a wallet that has such money within two
 * transfers (by its record), are walked. When a record says so for the first time, those it paid are scored again
 * (scorer/rescore-spread.ts), so that a sign reaches everybody three transfers away, in any order of scoring.
 *
 * Nobody is blamed in a circle: a wallet counts as flagged by authorities, labels and its own acts alone (`offence` of its record),
 * never by what it received. So what is found here about one wallet changes nothing that is found here about another.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Contact } from '../contacts.ts'
import type { Heights } from '../settled.ts'
import { readByTier, type TieredStore, type Tiers } from '../tiers.ts'
import { FLAGGED } from './attribution.ts'
import { createWalk, DEFAULT_LIMITS, type Exposure, walkTogether, withoutDust } from './exposure.ts'
import { createGraph, type TableGraph } from './graph.ts'
import type { Valuation } from './valuation.ts'

const NEAR = readSql(import.meta.url, './sql/near.sql')
const NUMBERS = readSql(import.meta.url, './sql/numbers.sql')

/** Of one wallet: addresses expanded on the way. */
const LIMITS = { ...DEFAULT_LIMITS, addresses: 40, minMass: 0.01 }
const GRAPH = { movements: 2_000, parties: 100 }
/** Wallets walked at once: what they need is held in memory. */
const AT_ONCE = 200
/** Sources named in a reason. */
const MOST_SOURCES = 5
/** A wallet that pays one party only may be that party's address for deposits or for one invoice where so many pay it, the wallet included. */
const COLLECTOR_PAYERS = 2

export type FlaggedSource = {
  address: string
  category: string
  /** US dollars. */
  usd: number
  /** Part of the wallet's income, 0 to 1. */
  share: number
  hops: number
  /** From the wallet's own party to the source. */
  path: string[]
}

export type FlaggedInflow = {
  /** Part of the income that is money of flagged wallets, 0 to 1, and of it what came straight from them. */
  share: number
  direct: number
  /** US dollars: that money, and the whole income. */
  usd: number
  income: number
  /** What the wallet's own transactions paid out, US dollars. */
  spent: number
  /** Transfers to the nearest source. */
  hops: number
  /** Largest first. */
  sources: FlaggedSource[]
  /** It pays one party only, which others pay as well: that party's address for deposits, as far as one can see. */
  deposit: boolean
  /** There were more movements than are looked at. */
  cut: boolean
}

const summaryOf = (exposure: Exposure): Omit<FlaggedInflow, 'spent' | 'deposit' | 'cut'> | undefined => {
  const own = exposure.shares.own ?? 0
  const rest = 1 - own
  const flagged = [...exposure.reached]
    .filter(([, { category }]) => FLAGGED.has(category))
    .map(([key, { category, share, hops, path }]) => ({
      address: path.at(-1) ?? key,
      category,
      usd: share * exposure.total,
      share: share / rest,
      hops,
      path,
    }))
    .sort((a, b) => b.share - a.share || (a.address < b.address ? -1 : 1))
  if (flagged.length === 0 || rest < 1e-9) return undefined
  const sum = (of: typeof flagged, what: 'share' | 'usd') => of.reduce((all, one) => all + one[what], 0)
  return {
    share: Math.min(1, sum(flagged, 'share')),
    direct: Math.min(
      1,
      sum(
        flagged.filter(({ hops }) => hops === 1),
        'share',
      ),
    ),
    usd: sum(flagged, 'usd'),
    income: exposure.total * rest,
    hops: Math.min(...flagged.map(({ hops }) => hops)),
    sources: flagged.slice(0, MOST_SOURCES),
  }
}

/** What a wallet paid out by its own transactions, and to whom. */
const spendingOf = (graph: TableGraph, address: string): { spent: number; parties: string[] } => {
  const { real, total } = withoutDust(graph.flows(address, 'outgoing').flows, LIMITS)
  const own = new Set(
    graph
      .movementsOf(address)
      .filter((one) => one.own && one.direction === -1)
      .map(({ counterparty }) => counterparty),
  )
  const bySelf = real.filter(({ counterparty, unpriced }) => unpriced || own.has(counterparty))
  return {
    spent: total === 0 ? 0 : bySelf.reduce((sum, { usd }) => sum + usd, 0),
    parties: real.map(({ counterparty }) => counterparty),
  }
}

export type InflowQuestion = {
  store: TieredStore
  network: Network
  heights: Heights
  tiers: Tiers
  /** Wallets whose counterparties can be looked at. */
  dealers: readonly string[]
  /** Direct dealings with flagged addresses. */
  contacts: ReadonlyMap<string, Contact[]>
  valuation: () => Promise<Valuation>
}

const signsOf = async ({ store, network, tiers, dealers, contacts }: InflowQuestion): Promise<string[]> => {
  if (dealers.length === 0) return []
  const near = await readByTier(store, tiers, dealers, (tiered, addresses) =>
    tiered.query<{ address: string }>(NEAR, { network, addresses }, { route: 'exposure_near' }),
  )
  return [...new Set([...contacts.keys(), ...near.map(({ address }) => address)])].sort()
}

/** Those of the wallets that live on money of flagged ones, as far as more than dust of it came. */
export const loadFlaggedInflows = async (question: InflowQuestion): Promise<Map<string, FlaggedInflow>> => {
  const { store, network, heights } = question
  const found = new Map<string, FlaggedInflow>()
  const signs = await signsOf(question)
  if (signs.length === 0) return found
  const valuation = await question.valuation()
  for (let at = 0; at < signs.length; at += AT_ONCE) {
    const graph = createGraph(store, network, heights, valuation, GRAPH)
    const walks = signs
      .slice(at, at + AT_ONCE)
      .map((address) => ({ address, walk: createWalk(address, 'incoming', LIMITS) }))
    await walkTogether(
      walks.map(({ walk }) => walk),
      graph,
    )
    const some = walks.flatMap(({ address, walk }) => {
      const summary = summaryOf(walk.exposure())
      return summary ? [{ address, summary, ...spendingOf(graph, address) }] : []
    })
    const collectors = some.flatMap(({ parties }) => (parties.length === 1 ? parties : []))
    const numbers =
      collectors.length === 0
        ? []
        : await store
            .reading('all')
            .query<{ address: string; in_partners: number }>(
              NUMBERS,
              { network, addresses: [...new Set(collectors)] },
              { route: 'exposure_numbers' },
            )
    const busy = new Set(numbers.filter((row) => row.in_partners >= COLLECTOR_PAYERS).map(({ address }) => address))
    for (const { address, summary, spent, parties } of some) {
      const [only] = parties
      const deposit =
        parties.length === 1 && only !== undefined && (busy.has(only) || graph.about(only)?.service === true)
      found.set(address, { ...summary, spent, deposit, cut: graph.isCut(address) })
    }
  }
  return found
}
