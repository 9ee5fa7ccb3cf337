/**
 * Traces where a wallet's value came from or went: shares by category over bounded, temporal, value-weighted paths.
 *
 * The haircut rule: a wallet's income is a mixture in which each payer has a share proportional to its payments. Mass 1 starts at the
 * wallet and moves outwards, the largest mass first, along transfers that can have carried it in time (a payer's own income counts only
 * up to the moment it paid). Mass stops
 *   - at an address with a category: it becomes that category;
 *   - at a service (exchange, bridge, pool): `service`, because the funds behind it belong to others as well;
 *   - when it returns to the wallet: `own`;
 *   - at proceeds of assets without a price: `unpriced`;
 *   - if the history is not known, or more went out than was seen to come in: `unknown`;
 *   - at the limits of depth or work: `depth_limit`.
 * Dust is excluded before mass is divided, so nobody can be tainted or diluted by dust. Outgoing value is traced in the same way with
 * directions reversed. Nothing is lost: the shares always add up to 1.
 *
 * After Ron and Shamir's and Möser's haircut tracing, with the local push of TRacer (arXiv 2201.05757).
 */
import type { Direction, Flow, Flows } from './movements.ts'

/** Attribution of an address on a path. */
export type About = {
  category?: string
  service?: boolean
  /** Too large to follow. */
  tooLarge?: boolean
}

/** The transfers around wallets. `flows` and `about` answer for expanded wallets and their parties. */
export type Graph = {
  /** Loads the movements of the addresses and the attributions of their parties. */
  expand: (addresses: readonly string[]) => Promise<void>
  /** `undefined` for a party that was not examined because there are too many. */
  about: (address: string) => About | undefined
  flows: (address: string, direction: Direction, until?: number) => Flows
}

/** Limits of a walk. Mass beyond them appears as `depth_limit` or as dust. */
export type ExposureLimits = {
  /** Maximum hops from the wallet. @default 3 */
  depth: number
  /** Maximum number of addresses whose flows are loaded, over all hops. @default 300 */
  addresses: number
  /** A flow is dust if it is below this share of all larger ones together, @default 0.01 */
  dustShare: number
  /** and below this share of the largest flow (so that a payroll of hundreds is not dust), @default 0.1 */
  dustOfLargest: number
  /** and below this value, US dollars. @default 1_000 */
  dustCeiling: number
  /** A path with less mass is not followed further. @default 0.0005 */
  minMass: number
}

/** Limits of exposure reports. Verdicts expand fewer addresses (`inflow.ts`), because they walk from thousands of wallets. */
export const DEFAULT_LIMITS: ExposureLimits = {
  depth: 3,
  addresses: 300,
  dustShare: 0.01,
  dustOfLargest: 0.1,
  dustCeiling: 1_000,
  minMass: 0.0005,
}

/** An address where mass stopped. `path` leads to it from the wallet's direct party; of several paths, the one with the most mass. */
export type Reached = { category: string; share: number; hops: number; path: string[]; transfers: number }

/** Results of a walk so far. Mass that is still moving is in no share. */
export type Exposure = {
  /** Shares by category, 0 to 1. Always contains `unknown` and `depth_limit`. Adds up to 1 at the end if there was any flow. */
  shares: Record<string, number>
  /** By address and number of hops. */
  reached: Map<string, Reached>
  /** Value of the wallet's own flows without dust, US dollars. */
  total: number
  dust: { usd: number; transfers: number }
  /** Value that the wallet swapped into something else, US dollars. */
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

/** Separates dust. A flow is compared with larger ones only, so adding dust changes nothing. */
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

/** The walk of one wallet. It loads nothing itself: expand the pending addresses before each step. */
export type Walk = {
  /** Addresses to expand before the next step, with the mass that leaves each; empty when the walk has ended. */
  pending: () => ReadonlyMap<string, number>
  step: (graph: Graph) => void
  exposure: () => Exposure
}

/** Creates a walk that advances one hop per step, so that walks can share what they load. The wallet itself is not judged. */
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

  /** Stops mass at visited addresses and returns the visits that continue. */
  const settle = (graph: Graph, visits: Iterable<Visit>): Visit[] => {
    const on: Visit[] = []
    for (const visit of visits) {
      const about = graph.about(visit.address)
      if (about?.category !== undefined || about?.service) stop(visit, about.category ?? 'service')
      else if (about === undefined || about.tooLarge || hop >= limits.depth || visit.mass < limits.minMass)
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
            // Paths that meet are merged, with the wider of their time bounds.
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

/** Advances walks together, loading what they need hop by hop. */
export const walkTogether = async (walks: readonly Walk[], graph: Graph): Promise<void> => {
  for (;;) {
    const open = walks.filter((walk) => walk.pending().size > 0)
    if (open.length === 0) return
    await graph.expand([...new Set(open.flatMap((walk) => [...walk.pending().keys()]))])
    for (const walk of open) walk.step(graph)
  }
}

/** Traces the flows of one wallet. */
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
