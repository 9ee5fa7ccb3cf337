/**
 * Where a wallet's value came from, or went: shares by category over bounded, temporal, value-weighted paths.
 *
 * The haircut rule: a wallet's inflow is a mixture, each unit of which comes from its senders in proportion to what they
 * sent. Mass 1 starts at the wallet and is pushed outwards, the largest mass first, along transfers that can have carried
 * it in time (a sender's own inflow counts only up to the moment it sent). Mass stops
 *   - at a labelled address: it becomes that category;
 *   - at a service (exchange, bridge, pool): `service`, because what is behind it belongs to others as well;
 *   - where nothing more is known of the history: `unknown`;
 *   - on flows that are dust: `dust`, whatever the sender is, so that nobody can be tainted by being sent dust;
 *   - at the limits of depth or of work: `depth_limit`.
 * Looking ahead it is the same with everything turned round: a receiver's own outflow counts from the moment it received.
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
  /** Unix seconds: of its last transfer looking back, of its first looking ahead. */
  time: number
}

export type Neighbourhood = {
  flows: Flow[]
  /** Category of the address, e.g. `sanctioned`, `phishing`; undefined when it has none. */
  category?: string
  service?: boolean
  /** Too large to be followed. */
  tooMuch?: boolean
}

/** Back to where value came from, or ahead to where it went. */
export type Direction = 'incoming' | 'outgoing'

/**
 * Flows into the addresses (or out of them, for destinations). `until` bounds the time of each address's flows: at or
 * before it when looking back, at or after it when looking ahead; undefined for the wallet that is asked about. Flows are
 * not needed when `flows` is false, and never those of addresses where mass stops.
 */
export type LoadNeighbours = (
  asked: { address: string; until: number | undefined }[],
  need: { flows: boolean },
) => Promise<Map<string, Neighbourhood>>

export type ExposureLimits = {
  /** Hops from the wallet. @default 3 */
  depth: number
  /** Addresses whose flows are loaded, over all hops. @default 300 */
  addresses: number
  /** Flows below this value are dust, @default 0 */
  dustValue: number
  /** as are flows below this share of the wallet's whole flow, @default 0.01 */
  dustShare: number
  /**
   * as long as they are small beside its largest flow too (a payroll of hundreds is no dust), by this share of it,
   * @default 0.1
   */
  dustOfLargest: number
  /** and below this value, from which on nothing is dust. @default Number.POSITIVE_INFINITY */
  dustCeiling: number
  /** Mass below which a path is not followed further. @default 0.0005 */
  minMass: number
}

export const DEFAULT_LIMITS: ExposureLimits = {
  depth: 3,
  addresses: 300,
  dustValue: 0,
  dustShare: 0.01,
  dustOfLargest: 0.1,
  dustCeiling: Number.POSITIVE_INFINITY,
  minMass: 0.0005,
}

export type Exposure = {
  /** Share by category, 0 to 1. Always holds `unknown`, `dust` and `depth_limit`; adds up to 1 when there was any flow. */
  shares: Record<string, number>
  /** Hops to the nearest address of each labelled category. */
  nearest: Record<string, number>
  /** Where mass stopped at a category or a service: share and hops, by address. */
  reached: Map<string, { category: string; share: number; hops: number }>
  /** Value of the wallet's own flows, dust included. */
  total: number
}

const RESIDUAL = { unknown: 0, dust: 0, depth_limit: 0 }

type Visit = { address: string; mass: number; until: number | undefined }

/** Splits a mass over flows by value. Dust is told apart first, against the whole. */
const split = (flows: readonly Flow[], limits: ExposureLimits) => {
  const total = flows.reduce((sum, flow) => sum + flow.value, 0)
  const largest = flows.reduce((most, flow) => Math.max(most, flow.value), 0)
  const small = Math.min(limits.dustShare * total, limits.dustOfLargest * largest, limits.dustCeiling)
  const isDust = (flow: Flow) => flow.value < limits.dustValue || flow.value < small
  const shareOf = (flow: Flow) => flow.value / total
  const dust = flows.filter(isDust).reduce((sum, flow) => sum + shareOf(flow), 0)
  return { total, dust, real: flows.filter((flow) => !isDust(flow)).map((flow) => ({ flow, share: shareOf(flow) })) }
}

/** Follows a wallet's flows. `address` is never judged itself: only what stands behind its flows is. */
export const exposureOf = async (
  address: string,
  load: LoadNeighbours,
  limits: ExposureLimits = DEFAULT_LIMITS,
  direction: Direction = 'incoming',
): Promise<Exposure> => {
  const shares: Record<string, number> = { ...RESIDUAL }
  const nearest: Record<string, number> = {}
  const reached: Exposure['reached'] = new Map()
  const wider = direction === 'incoming' ? Math.max : Math.min
  const stop = ({ address, mass }: Visit, category: string, hops: number) => {
    add(category, mass)
    const before = reached.get(address)
    reached.set(address, { category, share: (before?.share ?? 0) + mass, hops: before?.hops ?? hops })
  }
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
    const asked = followed.map(({ address, until }) => ({ address, until }))
    const known =
      asked.length === 0 ? new Map<string, Neighbourhood>() : await load(asked, { flows: hop < limits.depth })
    const next = new Map<string, Visit>()
    for (const visit of followed) {
      const { flows = [], category, service, tooMuch } = known.get(visit.address) ?? {}
      if (hop > 0 && category !== undefined) {
        stop(visit, category, hop)
        if (!service) nearest[category] ??= hop
      } else if (hop > 0 && service) stop(visit, 'service', hop)
      else if (hop >= limits.depth || (hop > 0 && tooMuch)) add('depth_limit', visit.mass)
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
          // Two paths that meet go on as one, bounded by the wider of their times.
          if (seen) Object.assign(seen, { mass: seen.mass + mass, until: wider(seen.until ?? flow.time, flow.time) })
          else next.set(flow.counterparty, { address: flow.counterparty, mass, until: flow.time })
        }
      }
    }
    frontier = [...next.values()]
  }
  return { shares, nearest, reached, total }
}
