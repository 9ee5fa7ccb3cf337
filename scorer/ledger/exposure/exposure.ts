/**
 * Where a wallet's value came from, or went: shares by category over bounded, temporal, value-weighted paths.
 *
 * The haircut rule: a wallet's income is a mixture, each unit of which comes from its payers in proportion to what they
 * paid. Mass 1 starts at the wallet and is pushed outwards, the largest mass first, along transfers that can have carried
 * it in time (a payer's own income counts only up to the moment it paid). Mass stops
 *   - at an address of a category: it becomes that category;
 *   - at a service (exchange, bridge, pool): `service`, because what is behind it belongs to others as well;
 *   - where it comes back to the wallet: `own`, which is nobody's money but the wallet's;
 *   - at proceeds of assets without a price: `unpriced`;
 *   - where nothing more is known of the history, or more went out than was seen to come in: `unknown`;
 *   - at the limits of depth or of work: `depth_limit`.
 * Dust is left aside before a mass is divided, so that nobody can be tainted, or diluted, by being sent dust. Looking ahead it is
 * the same with everything turned round. Nothing is lost on the way: the shares always add up to 1.
 *
 * After Ron and Shamir's and Möser's haircut tracing, with the local push of TRacer (arXiv 2201.05757).
 */
import type { Direction, Flow, Flows } from './movements.ts'

/** What is known of an address on the way. */
export type About = {
  category?: string
  service?: boolean
  /** Too large to be followed. */
  tooMuch?: boolean
}

/** The transfers around wallets. `flows` and `about` answer for wallets that were expanded, and for their parties. */
export type Graph = {
  /** Loads the movements of the addresses, and what their parties are known as. */
  expand: (addresses: readonly string[]) => Promise<void>
  /** `undefined` for one of so many parties that it was not looked at. */
  about: (address: string) => About | undefined
  flows: (address: string, direction: Direction, until?: number) => Flows
}

/** Bounds of a walk. What lies beyond them is not lost: its mass shows as `depth_limit` or as dust. */
export type ExposureLimits = {
  /** Hops from the wallet. @default 3 */
  depth: number
  /** Addresses whose flows are loaded, over all hops. @default 300 */
  addresses: number
  /** Flows below this share of all larger ones together are dust, @default 0.01 */
  dustShare: number
  /**
   * as long as they are small beside the largest flow too (a payroll of hundreds is no dust), by this share of it,
   * @default 0.1
   */
  dustOfLargest: number
  /** and below this value, US dollars, from which on nothing is dust. @default 1_000 */
  dustCeiling: number
  /** Mass below which a path is not followed further. @default 0.0005 */
  minMass: number
}

/**
 * Bounds of exposure reports. Verdicts expand fewer addresses (`inflow.ts`), because they walk from thousands of
 * wallets.
 */
export const DEFAULT_LIMITS: ExposureLimits = {
  depth: 3,
  addresses: 300,
  dustShare: 0.01,
  dustOfLargest: 0.1,
  dustCeiling: 1_000,
  minMass: 0.0005,
}

/** Where mass stopped. `path` leads from the wallet's own party to the address; of several, the one that carries most. */
export type Reached = { category: string; share: number; hops: number; path: string[]; transfers: number }

/** What a walk found so far. Until it has ended, the mass under way is in no share. */
export type Exposure = {
  /** Share by category, 0 to 1. Always holds `unknown` and `depth_limit`; adds up to 1 when there was any flow. */
  shares: Record<string, number>
  /** By address and number of hops. */
  reached: Map<string, Reached>
  /** Value of the wallet's own flows but dust, US dollars. */
  total: number
  dust: { usd: number; transfers: number }
  /** What the wallet changed into something else, US dollars. */
  swapped: number
}

type Visit = {
  address: string
  mass: number
  until: number | undefined
  path: string[]
  transfers: number
  most: number
}

/** Tells dust from what is divided. A flow is judged by larger ones only, so that adding dust changes nothing. */
export const withoutDust = (flows: readonly Flow[], limits: ExposureLimits) => {
  const largest = flows[0]?.usd ?? 0
  const real: Flow[] = []
  let total = 0
  let dust = 0
  let transfers = 0
  for (const flow of flows) {
    if (flow.usd < Math.min(limits.dustShare * total, limits.dustOfLargest * largest, limits.dustCeiling)) {
      dust += flow.usd
      transfers += flow.transfers
    } else {
      real.push(flow)
      total += flow.usd
    }
  }
  return { real, total, dust: { usd: dust, transfers } }
}

/** One wallet's value on its way. It reads nothing itself: what is pending has to be expanded before each step. */
export type Walk = {
  /** Addresses to be expanded before the next step, with the mass that goes on from each; none when the walk has ended. */
  pending: () => ReadonlyMap<string, number>
  step: (graph: Graph) => void
  exposure: () => Exposure
}

/** A walk of one hop a step, so that many walks can share what they load. The wallet itself is never judged, whatever it is. */
export const createWalk = (wallet: string, direction: Direction, limits: ExposureLimits = DEFAULT_LIMITS): Walk => {
  const shares: Record<string, number> = { unknown: 0, depth_limit: 0 }
  const reached: Exposure['reached'] = new Map()
  const wider = direction === 'incoming' ? Math.max : Math.min
  let [total, swapped, hop, budget] = [0, 0, 0, limits.addresses]
  let dust = { usd: 0, transfers: 0 }
  let frontier: Visit[] = [{ address: wallet, mass: 1, until: undefined, path: [], transfers: 0, most: 1 }]

  const add = (category: string, mass: number) => {
    shares[category] = (shares[category] ?? 0) + mass
  }
  const stop = ({ address, mass, path, transfers }: Visit, category: string) => {
    add(category, mass)
    const key = `${address}:${path.length}`
    const before = reached.get(key)
    reached.set(key, { category, share: (before?.share ?? 0) + mass, hops: path.length, path, transfers })
  }

  /** Mass that goes on, after what stops at the visited addresses. */
  const settle = (graph: Graph, visits: Iterable<Visit>): Visit[] => {
    const on: Visit[] = []
    for (const visit of visits) {
      const about = graph.about(visit.address)
      if (about?.category !== undefined || about?.service) stop(visit, about.category ?? 'service')
      else if (about === undefined || about.tooMuch || hop >= limits.depth || visit.mass < limits.minMass)
        add('depth_limit', visit.mass)
      else on.push(visit)
    }
    on.sort((a, b) => b.mass - a.mass || (a.address < b.address ? -1 : 1))
    for (const visit of on.slice(Math.max(0, budget))) add('depth_limit', visit.mass)
    return on.slice(0, Math.max(0, budget))
  }

  return {
    pending: () => new Map(frontier.map(({ address, mass }) => [address, mass])),
    step: (graph) => {
      const next = new Map<string, Visit>()
      budget -= frontier.length
      hop++
      for (const visit of frontier) {
        const found = graph.flows(visit.address, direction, visit.until)
        const { real, total: seen, dust: small } = withoutDust(found.flows, limits)
        const unseen = seen === 0 || found.unseen < limits.dustShare * seen ? 0 : found.unseen
        const all = seen + unseen
        if (hop === 1) {
          total = all
          swapped = found.swapped
          dust = { usd: found.dust.usd + small.usd, transfers: found.dust.transfers + small.transfers }
        }
        if (all === 0) {
          if (hop > 1) add('unknown', visit.mass)
          continue
        }
        if (unseen > 0) add('unknown', (visit.mass * unseen) / all)
        for (const { counterparty, usd, time, transfers, unpriced } of real) {
          const mass = (visit.mass * usd) / all
          if (counterparty === wallet) add('own', mass)
          else if (unpriced) add('unpriced', mass)
          else {
            const seen = next.get(counterparty)
            const path = [...visit.path, counterparty]
            // Two paths that meet go on as one, bounded by the wider of their times.
            next.set(counterparty, {
              address: counterparty,
              mass: mass + (seen?.mass ?? 0),
              until: wider(seen?.until ?? time, time),
              path: seen && seen.most >= mass ? seen.path : path,
              transfers: transfers + (seen?.transfers ?? 0),
              most: Math.max(seen?.most ?? 0, mass),
            })
          }
        }
      }
      frontier = settle(graph, next.values())
    },
    exposure: () => ({ shares, reached, total, dust, swapped }),
  }
}

/** Walks side by side: what they need is loaded together, hop by hop. */
export const walkTogether = async (walks: readonly Walk[], graph: Graph): Promise<void> => {
  for (;;) {
    const open = walks.filter((walk) => walk.pending().size > 0)
    if (open.length === 0) return
    await graph.expand([...new Set(open.flatMap((walk) => [...walk.pending().keys()]))])
    for (const walk of open) walk.step(graph)
  }
}

/** Follows one wallet's flows. */
export const exposureOf = async (
  wallet: string,
  graph: Graph,
  limits: ExposureLimits = DEFAULT_LIMITS,
  direction: Direction = 'incoming',
): Promise<Exposure> => {
  const walk = createWalk(wallet, direction, limits)
  await walkTogether([walk], graph)
  return walk.exposure()
}
