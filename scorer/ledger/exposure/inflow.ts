/**
 * Finds how much of a wallet's income is funds of flagged wallets, for verdicts: directly, or through up to three transfers.
 *
 * Only candidates are walked: wallets that were paid by a flagged address, or by a wallet whose record has such funds within two transfers,
 * and wallets that had such funds when they were last scored. Without the last group, two wallets could be each other's only sign, and
 * lose and regain it in turns. When a record has such funds for the first time, its receivers are scored again
 * (scorer/rescore/receivers.ts), so that a sign reaches every wallet three transfers away, in any order of scoring.
 *
 * Blame cannot go in circles: authorities, labels and its own acts flag a wallet (`offence` of its record), never its income. So a result
 * for one wallet cannot change the result for another.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Contact } from '../contacts.ts'
import type { Numbers } from '../labels/guard.ts'
import type { Heights } from '../reading/settled.ts'
import { readByTier, type TieredStore, type Tiers } from '../reading/tiers.ts'
import { FLAGGED, FROZEN, type Uncertainty } from './attribution.ts'
import { createWalk, DEFAULT_LIMITS, type Exposure, type Walk, walkTogether, withoutDust } from './exposure.ts'
import { createGraph, createGraphCache, DUST_USD, type TableGraph } from './graph.ts'
import type { Valuation } from './valuation.ts'

const NEAR = readSql(import.meta.url, './sql/near.sql')

/** Limits of the walk of one wallet. */
const LIMITS = { ...DEFAULT_LIMITS, addresses: 40, minMass: 0.01 }
/** Limits per address, for verdicts. */
export const VERDICT_GRAPH_LIMITS = { movements: 2_000, parties: 100 }
/** Wallets walked at once: their graph is held in memory. */
const AT_ONCE = 200
/** Movements cached for later walks. */
const MAX_KEPT = 100_000
/** Minimum share of the income that is reported. */
export const LEAST_SHARE = 0.01
/** Maximum number of sources in a reason. */
const MAX_SOURCES = 5
/** A wallet with a single payee may be a deposit or invoice address of that payee, if the payee has at least this many payers. */
const COLLECTOR_PAYERS = 2
/**
 * A wallet with several payees may be a deposit address of an exchange with several hot wallets, if each of these has at least this many
 * partners and every payment left at most this share of the asset. Our choices.
 */
const HOT_WALLET_PARTNERS = 20
const LEFT_SHARE = 0.05

/** A source of flagged funds. */
type FlaggedSource = {
  address: string
  category: string
  /** US dollars. */
  usd: number
  /** Share of the wallet's income, 0 to 1. */
  share: number
  hops: number
  /** From the wallet's direct party to the source. */
  path: string[]
}

/** Flagged funds in a wallet's income, and what decides whether they count against the wallet. */
export type FlaggedInflow = {
  /** Share of the income that is flagged funds, 0 to 1, and the part directly from flagged wallets. */
  share: number
  direct: number
  /**
   * The part of both that counts against nobody: from addresses frozen by an issuer without any other finding, or through a pool that may
   * be anybody's. `of`: the largest of these.
   */
  doubtful: { share: number; direct: number; of: 'freeze' | Uncertainty }
  /** Highest share at the time of any flagged payment: wallets that it paid then received that share, whatever honest funds came later. */
  peak: number
  /** US dollars: flagged funds, and the whole income. */
  usd: number
  income: number
  /** Amount that the wallet's own transactions paid out, US dollars. */
  spent: number
  /** Transfers to the nearest source. */
  hops: number
  /** Largest first. */
  sources: FlaggedSource[]
  /** Whether its payees collect from others too, which makes it look like a deposit address of theirs. */
  deposit: boolean
  /** Whether movements were left out whose value matters. */
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

/** Treats all movements that were not read as honest income, so that they accuse nobody. */
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

/** Highest flagged share of the income at the time of any flagged payment. `bad`: flagged share of each payer's payments, 0 to 1. */
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

/** Flagged share of each payer's payments. */
const flaggedShares = (graph: TableGraph, address: string, { reached, total }: Exposure): Map<string, number> => {
  const paid = new Map(graph.flows(address, 'incoming').flows.map(({ counterparty, usd }) => [counterparty, usd]))
  const bad = new Map<string, number>()
  for (const { category, share, path } of reached.values()) {
    const [payer = ''] = path
    const usd = paid.get(payer) ?? 0
    if (FLAGGED.has(category) && usd > 0) bad.set(payer, Math.min(1, (bad.get(payer) ?? 0) + (share * total) / usd))
  }
  return bad
}

/** Amount and payees of what a wallet paid out by its own transactions. */
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

/** Whether each payment of a wallet left next to nothing of the asset. */
const empties = (graph: TableGraph, address: string): boolean => {
  const held = new Map<string, number>()
  const moves = graph.movementsOf(address).toSorted((a, b) => a.position - b.position)
  return moves.every(({ asset, usd, direction }) => {
    if (usd === null) return true
    const before = held.get(asset) ?? 0
    held.set(asset, Math.max(0, before + direction * usd))
    return direction === 1 || usd < DUST_USD || before - usd <= LEFT_SHARE * before
  })
}

/** Input of a search for flagged funds. Prices are loaded lazily, because most batches need none. */
export type InflowQuestion = {
  store: TieredStore
  network: Network
  heights: Heights
  tiers: Tiers
  /** Wallets whose counterparties can be examined. */
  dealers: readonly string[]
  /** Direct dealings with flagged addresses. */
  contacts: Promise<ReadonlyMap<string, Contact[]>>
  valuation: () => Promise<Valuation>
}

/** Parties through which flagged funds may have come. `anyone`: the wallet had flagged funds when it was last scored. */
type Signs = { parties: Set<string>; anyone: boolean }

const signsOf = async ({ store, network, tiers, dealers, contacts }: InflowQuestion): Promise<Map<string, Signs>> => {
  const signs = new Map<string, Signs>()
  if (dealers.length === 0) return signs
  const signsFor = (address: string): Signs => {
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
    if (counterparty === '') signsFor(address).anyone = true
    else signsFor(address).parties.add(counterparty)
  }
  for (const [address, list] of flagged)
    for (const { counterparty } of list) signsFor(address).parties.add(counterparty)
  return signs
}

/** Whether one of the parties paid the wallet. Payments to them do not matter. */
const wasPaidBy = (graph: TableGraph, address: string, { parties, anyone }: Signs): boolean =>
  anyone ||
  graph
    .movementsOf(address)
    .some(
      ({ direction, usd, counterparty }) =>
        direction === 1 && usd !== null && usd >= DUST_USD && parties.has(counterparty),
    )

/**
 * Whether flagged funds can still reach the minimum share after the first hop. Mass from parties without a sign may return to the wallet
 * itself and not count, so flagged funds are compared only with mass that has stopped elsewhere.
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

/** Flagged inflows by wallet, for wallets with more than dust of them. */
export const loadFlaggedInflows = async (question: InflowQuestion): Promise<Map<string, FlaggedInflow>> => {
  const { store, network, heights } = question
  const found = new Map<string, FlaggedInflow>()
  const signs = [...(await signsOf(question))].sort(([a], [b]) => (a < b ? -1 : 1))
  if (signs.length === 0) return found
  const valuation = await question.valuation()
  const known = createGraphCache(MAX_KEPT)
  for (let at = 0; at < signs.length; at += AT_ONCE) {
    const graph = createGraph(store, network, heights, valuation, VERDICT_GRAPH_LIMITS, { known })
    const batch = signs.slice(at, at + AT_ONCE)
    await graph.load(batch.map(([address]) => address))
    const walks = batch
      .filter(([address, sign]) => wasPaidBy(graph, address, sign))
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
    const emptied = new Set(exposed.flatMap(({ address }) => (empties(graph, address) ? [address] : [])))
    const collectors = await collectorsAmong(
      graph,
      exposed.flatMap(({ address, parties }) => (parties.length === 1 || emptied.has(address) ? parties : [])),
    )
    for (const { address, exposure, summary: read, spent, parties } of exposed) {
      const rest = unread.get(address) ?? 0
      const summary = rest > 0 ? diluted(read, rest) : read
      const peak = Math.max(summary.share, peakOf(graph, address, flaggedShares(graph, address, exposure)))
      const kinds = parties.map((party) => collectors.get(party))
      const deposit =
        kinds.length === 1
          ? kinds[0] !== undefined
          : emptied.has(address) && kinds.length > 0 && kinds.every((kind) => kind === 'hot wallet')
      found.set(address, { ...summary, peak, spent, deposit, cut: rest >= LEAST_SHARE * summary.income })
    }
  }
  return found
}

/** Services whose users deposit to addresses of their own. */
const CUSTODIANS: ReadonlySet<string | undefined> = new Set(['exchange', 'service'])

/** The addresses that several others pay, and services. Those of a custodian, or with many partners, may be its hot wallets. */
const collectorsAmong = async (
  graph: TableGraph,
  addresses: readonly string[],
): Promise<Map<string, 'collector' | 'hot wallet'>> => {
  const services = addresses.filter((address) => graph.about(address)?.service === true)
  // An asset without a price can take the place of a party. It has no payers.
  const others = [...new Set(addresses)].filter((address) => {
    const about = graph.about(address)
    return about !== undefined && about.service !== true
  })
  const numbers = others.length === 0 ? new Map<string, Numbers>() : await graph.partiesOf(others)
  const kindOf = (isHotWallet: boolean) => (isHotWallet ? 'hot wallet' : 'collector')
  return new Map([
    ...services.map((address) => [address, kindOf(CUSTODIANS.has(graph.about(address)?.category))] as const),
    ...others.flatMap((address) => {
      const { in_partners = 0, out_partners = 0 } = numbers.get(address) ?? {}
      if (in_partners < COLLECTOR_PAYERS) return []
      return [[address, kindOf(in_partners + out_partners >= HOT_WALLET_PARTNERS)] as const]
    }),
  ])
}
