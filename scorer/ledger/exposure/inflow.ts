/**
 * What of a wallet's income is money of flagged wallets, for verdicts: directly, or over up to three transfers.
 *
 * Signs come before walks. Only wallets that were paid by a flagged address, or by a wallet that has such money within two
 * transfers (by its record), are walked, and those that had such money when they were last scored: two wallets would else be each
 * other's only sign, and lose and find it in turns for ever. When a record says so for the first time, those it paid are scored again
 * (scorer/rescore/spread.ts), so that a sign reaches everybody three transfers away, in any order of scoring.
 *
 * Nobody is blamed in a circle: a wallet counts as flagged by authorities, labels and its own acts alone (`offence` of its record),
 * never by what it received. So what is found here about one wallet changes nothing that is found here about another.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Contact } from '../contacts.ts'
import type { Heights } from '../reading/settled.ts'
import { readByTier, type TieredStore, type Tiers } from '../reading/tiers.ts'
import { FLAGGED, FROZEN, type Uncertainty } from './attribution.ts'
import { createWalk, DEFAULT_LIMITS, type Exposure, type Walk, walkTogether, withoutDust } from './exposure.ts'
import { createGraph, createKnown, DUST_USD, type TableGraph } from './graph.ts'
import type { Valuation } from './valuation.ts'

const NEAR = readSql(import.meta.url, './sql/near.sql')

/** Of one wallet: addresses expanded on the way. */
const LIMITS = { ...DEFAULT_LIMITS, addresses: 40, minMass: 0.01 }
/** Of one address, for verdicts. */
export const GRAPH = { movements: 2_000, parties: 100 }
/** Wallets walked at once: what they need is held in memory. */
const AT_ONCE = 200
/** Movements that walks after them need not read again. */
const MAX_KEPT = 100_000
/** Part of the income below which flagged money is worth no word. */
export const LEAST_SHARE = 0.01
/** Sources named in a reason. */
const MAX_SOURCES = 5
/** A wallet that pays one party only may be that party's address for deposits or for one invoice where so many pay it, the wallet included. */
const COLLECTOR_PAYERS = 2

/** Where flagged money in a wallet came from. */
type FlaggedSource = {
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

/** What of a wallet's income is money of flagged wallets, with what decides whether it is held against the wallet. */
export type FlaggedInflow = {
  /** Part of the income that is money of flagged wallets, 0 to 1, and of it what came straight from them. */
  share: number
  direct: number
  /**
   * Of both, the part that is held against nobody: from addresses that an issuer froze, of which nothing else is known, or through a pool
   * that may be anybody's. `of`: which of these is more.
   */
  doubtful: { share: number; direct: number; of: 'freeze' | Uncertainty }
  /** The part that it was when the last of it came from a payer, the largest of these: whom the wallet paid then got of it, however much honest money came later. */
  peak: number
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
  /** There were more movements than are looked at, and what they were worth is worth a word. */
  cut: boolean
}

type Summary = Omit<FlaggedInflow, 'spent' | 'deposit' | 'cut' | 'peak'>

const summaryOf = (exposure: Exposure, { attributions }: TableGraph): Summary | undefined => {
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
  const sharesOf = (of: typeof flagged) => {
    const sum = (some: typeof flagged) =>
      Math.min(
        1,
        some.reduce((all, { share }) => all + share, 0),
      )
    return { share: sum(of), direct: sum(of.filter(({ hops }) => hops === 1)) }
  }
  const isFrozen = ({ category }: FlaggedSource) => category === FROZEN
  const uncertaintiesOf = ({ path }: FlaggedSource) =>
    path.flatMap((address) => attributions.get(address)?.uncertainty ?? [])
  const isThrough = (uncertainty: Uncertainty) => (source: FlaggedSource) =>
    uncertaintiesOf(source).includes(uncertainty)
  const kinds = [
    ['freeze', sharesOf(flagged.filter(isFrozen)).share],
    ['market', sharesOf(flagged.filter(isThrough('market'))).share],
    ['listing', sharesOf(flagged.filter(isThrough('listing'))).share],
  ] as const
  return {
    ...sharesOf(flagged),
    doubtful: {
      ...sharesOf(flagged.filter((one) => isFrozen(one) || uncertaintiesOf(one).length > 0)),
      of: kinds.reduce((most, kind) => (kind[1] > most[1] ? kind : most))[0],
    },
    usd: flagged.reduce((all, { usd }) => all + usd, 0),
    income: exposure.total * rest,
    hops: Math.min(...flagged.map(({ hops }) => hops)),
    sources: flagged.slice(0, MAX_SOURCES),
  }
}

/** The same where some movements were not looked at: they count as honest income, all of them, so that they accuse nobody. */
const diluted = (summary: Summary, unread: number): Summary => {
  const part = summary.income / (summary.income + unread)
  const { share, direct, doubtful, income, sources } = summary
  return {
    ...summary,
    share: share * part,
    direct: direct * part,
    doubtful: { ...doubtful, share: doubtful.share * part, direct: doubtful.direct * part },
    income: income + unread,
    sources: sources.map((source) => ({ ...source, share: source.share * part })),
  }
}

/** Part of the income that was money of flagged wallets when the last of it came from a payer, the largest of these. `bad` is that of each payer, 0 to 1. */
const peakOf = (graph: TableGraph, address: string, bad: ReadonlyMap<string, number>): number => {
  const { flows } = graph.flows(address, 'incoming')
  const parts = flows
    .filter(({ counterparty }) => bad.has(counterparty))
    .map(({ time }) => {
      const { real, total } = withoutDust(graph.flows(address, 'incoming', time).flows, LIMITS)
      return real.reduce((sum, { counterparty, usd }) => sum + (usd * (bad.get(counterparty) ?? 0)) / total, 0)
    })
  return Math.min(1, Math.max(0, ...parts))
}

/** Which part of what each payer paid was found to be money of flagged wallets. */
const badOf = (graph: TableGraph, address: string, { reached, total }: Exposure): Map<string, number> => {
  const paid = new Map(graph.flows(address, 'incoming').flows.map(({ counterparty, usd }) => [counterparty, usd]))
  const bad = new Map<string, number>()
  for (const { category, share, path } of reached.values()) {
    const [payer = ''] = path
    const usd = paid.get(payer) ?? 0
    if (FLAGGED.has(category) && usd > 0) bad.set(payer, Math.min(1, (bad.get(payer) ?? 0) + (share * total) / usd))
  }
  return bad
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

/**
 * What a search for flagged money needs. Prices are a function, because most batches have no sign of any and need none.
 */
export type InflowQuestion = {
  store: TieredStore
  network: Network
  heights: Heights
  tiers: Tiers
  /** Wallets whose counterparties can be looked at. */
  dealers: readonly string[]
  /** Direct dealings with flagged addresses, on their way. */
  contacts: Promise<ReadonlyMap<string, Contact[]>>
  valuation: () => Promise<Valuation>
}

/** Parties through which money of flagged wallets may have come. `anyone` where it did when the wallet was last scored. */
type Signs = { parties: Set<string>; anyone: boolean }

const signsOf = async ({ store, network, tiers, dealers, contacts }: InflowQuestion): Promise<Map<string, Signs>> => {
  const signs = new Map<string, Signs>()
  if (dealers.length === 0) return signs
  const of = (address: string): Signs => {
    const known = signs.get(address) ?? { parties: new Set<string>(), anyone: false }
    signs.set(address, known)
    return known
  }
  const [near, flagged] = await Promise.all([
    readByTier(store, tiers, dealers, (tiered, addresses) =>
      tiered.query<{ address: string; counterparty: string }>(NEAR, { network, addresses }, { route: 'exposure_near' }),
    ),
    contacts,
  ])
  for (const { address, counterparty } of near) {
    if (counterparty === '') of(address).anyone = true
    else of(address).parties.add(counterparty)
  }
  for (const [address, list] of flagged) for (const { counterparty } of list) of(address).parties.add(counterparty)
  return signs
}

/** Whether one of the parties paid the wallet: who was only paid by it gave it nothing. */
const werePaid = (graph: TableGraph, address: string, { parties, anyone }: Signs): boolean =>
  anyone ||
  graph
    .movementsOf(address)
    .some(
      ({ direction, usd, counterparty }) =>
        direction === 1 && usd !== null && usd >= DUST_USD && parties.has(counterparty),
    )

/**
 * Whether flagged money can turn out to be worth a word after the first hop. What is on its way from parties without a sign may
 * come back to the wallet itself and count for nothing, so only what has stopped elsewhere is weighed against it.
 */
const isOpen = (graph: TableGraph, address: string, walk: Walk, { parties, anyone }: Signs): boolean => {
  const { shares, reached } = walk.exposure()
  const pending = [...walk.pending()].filter(([party]) => anyone || parties.has(party))
  let [bad, clean] = [pending.reduce((sum, [, mass]) => sum + mass, 0), 0]
  for (const [category, share] of Object.entries(shares)) {
    if (FLAGGED.has(category)) bad += share
    else if (category !== 'own') clean += share
  }
  if (bad === 0) return false
  if (bad / (bad + clean) >= LEAST_SHARE) return true
  const flagged = [...reached.values()].flatMap(({ category, path }) => (FLAGGED.has(category) ? path : []))
  return (
    peakOf(graph, address, new Map([...pending.map(([party]) => party), ...flagged].map((party) => [party, 1]))) >=
    LEAST_SHARE
  )
}

/** Those of the wallets that live on money of flagged ones, as far as more than dust of it came. */
export const loadFlaggedInflows = async (question: InflowQuestion): Promise<Map<string, FlaggedInflow>> => {
  const { store, network, heights } = question
  const found = new Map<string, FlaggedInflow>()
  const signs = [...(await signsOf(question))].sort(([a], [b]) => (a < b ? -1 : 1))
  if (signs.length === 0) return found
  const valuation = await question.valuation()
  const known = createKnown(MAX_KEPT)
  for (let at = 0; at < signs.length; at += AT_ONCE) {
    const graph = createGraph(store, network, heights, valuation, GRAPH, { known })
    const some = signs.slice(at, at + AT_ONCE)
    await graph.load(some.map(([address]) => address))
    const walks = some
      .filter(([address, sign]) => werePaid(graph, address, sign))
      .map(([address, sign]) => ({ address, sign, walk: createWalk(address, 'incoming', LIMITS) }))
    if (walks.length === 0) continue
    await graph.expand(walks.map(({ address }) => address))
    for (const { walk } of walks) walk.step(graph)
    const open = walks.filter(({ address, walk, sign }) => isOpen(graph, address, walk, sign))
    await walkTogether(
      open.map(({ walk }) => walk),
      graph,
    )
    const exposed = open.flatMap(({ address, walk }) => {
      const exposure = walk.exposure()
      const summary = summaryOf(exposure, graph)
      return summary === undefined ? [] : [{ address, exposure, summary, ...spendingOf(graph, address) }]
    })
    const unread = await graph.unreadOf(exposed.map(({ address }) => address))
    const collectors = await collectorsAmong(
      graph,
      exposed.flatMap(({ parties }) => (parties.length === 1 ? parties : [])),
    )
    for (const { address, exposure, summary: seen, spent, parties } of exposed) {
      const rest = unread.get(address) ?? 0
      const summary = rest > 0 ? diluted(seen, rest) : seen
      const peak = Math.max(summary.share, peakOf(graph, address, badOf(graph, address, exposure)))
      const [only, ...others] = parties
      const deposit = only !== undefined && others.length === 0 && collectors.has(only)
      found.set(address, { ...summary, peak, spent, deposit, cut: rest >= LEAST_SHARE * summary.income })
    }
  }
  return found
}

/** Those of the addresses that several others pay. */
const collectorsAmong = async (graph: TableGraph, addresses: readonly string[]): Promise<Set<string>> => {
  const services = addresses.filter((address) => graph.about(address)?.service === true)
  // An asset without a price stands for a party too: nobody pays it.
  const others = [...new Set(addresses)].filter((address) => {
    const about = graph.about(address)
    return about !== undefined && about.service !== true
  })
  const numbers = others.length === 0 ? new Map<string, { in_partners: number }>() : await graph.partiesOf(others)
  return new Set([
    ...services,
    ...others.filter((address) => (numbers.get(address)?.in_partners ?? 0) >= COLLECTOR_PAYERS),
  ])
}
