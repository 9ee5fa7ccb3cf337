/**
 * Where a wallet's value came from, or went: shares by category over bounded, temporal, value-weighted paths.
 *
 * The haircut rule: a wallet's inflow is a mixture, each unit of which comes from its senders in proportion to what they
 * sent. Mass 1 starts at the wallet and is pushed outwards, the largest mass first, along transfers that can have carried
 * it in time (a sender's own inflow counts only up to the moment it sent). Mass stops
 *   - at a labelled address: it becomes that category;
 *   - at a service (exchange, bridge, pool): `service`, because what is behind it belongs to others as well;
 *   - where nothing more is known of the history: `unknown`;
 *   - on transfers that are dust: `dust`, whatever the sender is, so that nobody can be tainted by being sent dust;
 *   - at the limits of depth or of work: `depth_limit`.
 * Nothing is lost on the way: the shares always add up to 1.
 *
 * It is a report and a feature, never a flag by itself. After Ron and Shamir's and Möser's haircut tracing, with the local
 * push of TRacer (arXiv 2201.05757).
 */

/** Value that moved along one edge of the graph, seen from the wallet nearer to the start. */
export type Flow = {
  counterparty: string
  /** Comparable value, e.g. US dollars or whole native coins; the same unit for all flows of a wallet. */
  value: number
  /** Unix seconds of the last transfer of this flow. */
  time: number
}

export type Neighbourhood = {
  flows: Flow[]
  /** Category of the address, e.g. `sanctioned`, `phishing`; undefined when it has none. */
  category?: string
  service?: boolean
}

/**
 * Flows into the addresses (or out of them, for destinations). `until` bounds the time of each address's flows: at or
 * before it when looking back, at or after it when looking ahead; undefined for the wallet that is asked about.
 */
export type LoadNeighbours = (
  asked: { address: string; until: number | undefined }[],
) => Promise<Map<string, Neighbourhood>>

export type ExposureLimits = {
  /** Hops from the wallet. */
  depth: number
  /** Addresses whose flows are loaded, over all hops. */
  addresses: number
  /** Flows below this value are dust. */
  dustValue: number
  /** So are flows below this share of the wallet's whole flow. */
  dustShare: number
  /** Mass below which a path is not followed further. */
  minMass: number
}

export const DEFAULT_LIMITS: ExposureLimits = {
  depth: 4,
  addresses: 500,
  dustValue: 0,
  dustShare: 0.01,
  minMass: 0.0005,
}

export type Exposure = {
  /** Share by category, 0 to 1. Always holds `unknown`, `dust` and `depth_limit`; adds up to 1 when there was any flow. */
  shares: Record<string, number>
  /** Hops to the nearest address of each labelled category. */
  nearest: Record<string, number>
  /** Value of the wallet's own flows, dust included. */
  total: number
}

const RESIDUAL = { unknown: 0, dust: 0, depth_limit: 0 }

type Visit = { address: string; mass: number; until: number | undefined }

/** Splits a mass over flows by value. Dust is told apart first, against the whole. */
const split = (flows: readonly Flow[], limits: ExposureLimits) => {
  const total = flows.reduce((sum, flow) => sum + flow.value, 0)
  const isDust = (flow: Flow) => flow.value < limits.dustValue || flow.value < limits.dustShare * total
  const shareOf = (flow: Flow) => flow.value / total
  const dust = flows.filter(isDust).reduce((sum, flow) => sum + shareOf(flow), 0)
  return { total, dust, real: flows.filter((flow) => !isDust(flow)).map((flow) => ({ flow, share: shareOf(flow) })) }
}

/** Follows a wallet's flows. `address` is never judged itself: only what stands behind its flows is. */
export const exposureOf = async (
  address: string,
  load: LoadNeighbours,
  limits: ExposureLimits = DEFAULT_LIMITS,
): Promise<Exposure> => {
  const shares: Record<string, number> = { ...RESIDUAL }
  const nearest: Record<string, number> = {}
  const add = (category: string, mass: number) => {
    shares[category] = (shares[category] ?? 0) + mass
  }
  let total = 0
  let budget = limits.addresses
  let frontier: Visit[] = [{ address, mass: 1, until: undefined }]

  for (let hop = 0; frontier.length > 0; hop++) {
    const worth = frontier.sort((a, b) => b.mass - a.mass)
    const followed = worth.filter((visit) => visit.mass >= limits.minMass || hop === 0).slice(0, budget)
    budget -= followed.length
    for (const visit of worth.slice(followed.length)) add('depth_limit', visit.mass)
    const known = await load(followed.map(({ address, until }) => ({ address, until })))
    const next = new Map<string, Visit>()
    for (const visit of followed) {
      const { flows = [], category, service } = known.get(visit.address) ?? {}
      if (hop > 0 && category !== undefined) {
        add(category, visit.mass)
        nearest[category] ??= hop
      } else if (hop > 0 && service) add('service', visit.mass)
      else if (hop >= limits.depth) add('depth_limit', visit.mass)
      else {
        const parts = split(
          flows.filter((flow) => flow.value > 0),
          limits,
        )
        if (hop === 0) total = parts.total
        if (parts.total === 0) {
          if (hop > 0) add('unknown', visit.mass)
          continue
        }
        add('dust', visit.mass * parts.dust)
        for (const { flow, share } of parts.real) {
          const seen = next.get(flow.counterparty)
          const mass = visit.mass * share
          // Two paths that meet go on as one, bounded by the later of their times.
          if (seen) Object.assign(seen, { mass: seen.mass + mass, until: Math.max(seen.until ?? 0, flow.time) })
          else next.set(flow.counterparty, { address: flow.counterparty, mass, until: flow.time })
        }
      }
    }
    frontier = [...next.values()]
  }
  return { shares, nearest, total }
}
