/** State of each network from role reports and tables, for `/ready` and `/status` of the API. */
import type { Settled } from '../../../api/answers/catching-up.ts'
import type { NetworkStatus, Readiness } from '../../../api/http/ops.ts'
import type { Context } from '../../../platform/context/context.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Coverage } from '../../../schema/records/explained/coverage.ts'
import type { PartReport } from '../../../schema/records/service/status.ts'
import type { AuthorityLogs, AuthorityState } from './authorities.ts'
import type { Board, ReportedPart } from './board.ts'
import { type CatchingUp, createCatchUp } from './catching-up.ts'
import type { Height, Heights } from './heights.ts'
import type { Verdicts } from './verdicts.ts'

/** State of all networks, for `/ready`, `/status` and refusing answers of networks that catch up. */
export type Overview = {
  status: () => Promise<NetworkStatus[]>
  readiness: () => Promise<Readiness>
  /** Updates the state that `catchingUp`, `settled` and `coverage` return. */
  look: () => Promise<void>
  catchingUp: (network: Network) => CatchingUp | undefined
  /** Since when the network has caught up, and whether its logs are complete, as of the last `look`. */
  settled: (network: Network) => Settled
  /** Coverage of the tables, as of the last `look`. */
  coverage: (network: Network) => Coverage | undefined
}

const iso = (ms: number) => new Date(ms).toISOString()

const highest = (parts: readonly ReportedPart[], name: 'head' | 'published' | 'finalized' | 'settled') => {
  const known = parts.flatMap(({ progress }) => progress[name] ?? [])
  return known.length > 0 ? Math.max(...known) : undefined
}

/**
 * Heads of the chain and its topics. Reports may be seconds old, so both are at least the stored height. A head below the
 * published height is that of a lagging node and is not changed.
 */
const endOf = (parts: readonly ReportedPart[], stored = 0) => {
  const [head, published] = [highest(parts, 'head'), highest(parts, 'published')]
  if (head === undefined || published === undefined || published > head) return { head, published }
  return { head: Math.max(head, stored), published: Math.max(published, stored) }
}

/** From the worst to the best. */
const ORDER = ['stopped', 'waiting', 'silent', 'starting', 'running'] as const
const stateOf = (part: ReportedPart): (typeof ORDER)[number] => (part.silent ? 'silent' : part.state)
const byState = (a: ReportedPart, b: ReportedPart) => ORDER.indexOf(stateOf(a)) - ORDER.indexOf(stateOf(b))

/** Stopped parts that no other instance runs. */
const stoppedParts = (parts: readonly ReportedPart[]): ReportedPart[] =>
  parts.filter(
    (part) => stateOf(part) === 'stopped' && !parts.some((o) => o.part === part.part && stateOf(o) === 'running'),
  )

/** Why a network is not ready. A waiting part counts only if the height is stalled. */
const reasonsOf = (network: Network, parts: readonly ReportedPart[], height: Height | undefined): string[] => {
  const stopped = stoppedParts(parts).map(({ part, trouble }) => `${part} of ${network} is stopped: ${trouble?.code}`)
  const still = !height ? `${network} has no blocks yet` : height.stalled ? `${network} stands still` : undefined
  const waiting = parts
    .filter((part) => stateOf(part) === 'waiting')
    .map(({ part, trouble }) => `${part} of ${network} waits: ${trouble?.code}. ${trouble?.message}`)
  return [...stopped, ...(still ? [still, ...waiting] : [])]
}

const troubleOf = ({ trouble }: Pick<PartReport, 'trouble'>) =>
  trouble && { code: trouble.code, message: trouble.message, since: iso(trouble.since) }

const logsOf = ({ reasons: _, stuck: __, ...logs }: AuthorityState) => logs

type Known = {
  parts: readonly ReportedPart[]
  height: Height | undefined
  authorities: AuthorityState | undefined
  catchingUp: CatchingUp | undefined
}

const statusOf = (network: Network, { parts, height, authorities, catchingUp }: Known, now: number) => {
  const sorted = parts.toSorted(byState)
  const [worst] = sorted
  const reasons = [
    ...reasonsOf(network, parts, height),
    ...(height && catchingUp && !authorities?.reasons.length ? [`${network} ${catchingUp.reason}`] : []),
    ...(authorities?.reasons ?? []),
  ]
  const error = worst && troubleOf(worst)
  const unproved = [...new Set(parts.flatMap(({ progress }) => progress.unproved ?? []))]
  return {
    network,
    ready: reasons.length === 0,
    state: worst ? stateOf(worst) : 'silent',
    reasons,
    phase: parts.find(({ part, progress }) => part === 'indexing' && progress.phase)?.progress.phase,
    ...endOf(parts, height?.height),
    finalized: highest(parts, 'finalized'),
    stored: height?.height,
    settled: highest(parts, 'settled'),
    indexedSince: height?.first && { block: height.first.block, time: iso(height.first.time * 1_000) },
    lagSeconds: height && Math.max(0, Math.round(now / 1_000 - height.time)),
    error,
    catchingUp,
    authorities: authorities && logsOf(authorities),
    unproved: unproved.length > 0 ? unproved : undefined,
    parts: sorted.map((part) => ({
      part: part.part,
      role: part.role,
      instance: part.instance,
      state: stateOf(part),
      since: iso(part.since),
      reportedAt: iso(part.reportedAt),
      retryAt: part.retryAt === undefined ? undefined : iso(part.retryAt),
      error: troubleOf(part),
    })),
  } satisfies NetworkStatus
}

/** Stages of blocks, from the chain to the tables. */
const STAGES = ['head', 'published', 'finalized', 'stored', 'settled'] as const

/** Coverage of a network. Returns the same object while nothing changes, so that it is serialized once. */
const coverageOf = (
  before: Coverage | undefined,
  height: Height | undefined,
  authorities: AuthorityState | undefined,
): Coverage => {
  const missing = authorities?.missing ?? {}
  const now: Coverage = {
    firstBlock: height?.first?.block ?? null,
    firstBlockTime: height?.first ? iso(height.first.time * 1_000) : null,
    storedBlock: height?.height ?? null,
    authorities: { complete: authorities !== undefined && Object.keys(missing).length === 0, missing },
  }
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

/** Rejects work that exceeds the deadline of a `look`. */
type InTime = <T>(work: Promise<T>) => Promise<T>

type Parts = {
  board: Board
  heights: Heights
  authorities: AuthorityLogs
  verdicts: Verdicts
  networks: readonly Network[]
}

/** `Retry-After` while verdicts are computed, s. */
const RETRY_SECONDS = 2
/** Deadline of a look, ms. What is not known by then keeps its last value. */
const LOOK_MS = 5_000

/** Creates an overview that is updated on demand. It also sets metrics of heights, lag and readiness. */
export const createOverview = (
  { clock, log, metrics }: Pick<Context, 'clock' | 'log' | 'metrics'>,
  { board, heights: stored, authorities, verdicts, networks }: Parts,
  lookMs = LOOK_MS,
): Overview => {
  const heights = metrics.gauge(
    'assay_height',
    'Highest block of a network by stage: head, published, finalized, stored, settled',
    ['network', 'stage'],
  )
  const lag = metrics.gauge('assay_lag_seconds', 'Age of the highest block in the tables', ['network'])
  const ready = metrics.gauge('assay_network_ready', '1 while verdicts of the network can be relied on', ['network'])

  const catchUp = createCatchUp(clock.now)
  // The last known values count while new ones are unavailable, so that no network appears to have caught up.
  let lastLogs: ReadonlyMap<Network, AuthorityState> = new Map()
  let lastParts: readonly ReportedPart[] = []
  let catchingUp: ReadonlyMap<Network, CatchingUp | undefined> = new Map()

  const coverages = new Map<Network, Coverage>()
  const since = new Map<Network, number>()
  const isSettled = (network: Network): boolean => catchingUp.has(network) && catchingUp.get(network) === undefined

  /** Why verdicts are not reliable yet. If scoring progress is unknown, they count as not reliable. */
  const unsettled = async (
    network: Network,
    behind: CatchingUp | undefined,
    logs: AuthorityState | undefined,
    inTime: InTime,
  ): Promise<CatchingUp | undefined> => {
    const known = logs !== undefined && logs.complete === logs.logs
    const reason = await inTime(verdicts.missing(network, behind !== undefined, known)).catch((error: unknown) => {
      log.warn({ network, reason: messageOf(error) }, 'failed to look up how far scoring is')
      return 'may not have scored what it has read'
    })
    return behind ?? (reason === undefined ? undefined : { reason, retryAfterSeconds: RETRY_SECONDS })
  }

  const lookInTime = async (heightsNow: Heights['read'], inTime: InTime) => {
    const [{ storeAnswers, heights: known }, logs, parts] = await Promise.all([
      heightsNow(),
      inTime(authorities.read()).catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'failed to look up the logs of authorities')
        return lastLogs
      }),
      inTime(board.read()).catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'failed to read the reports of the roles')
        return lastParts
      }),
    ])
    lastLogs = logs
    lastParts = parts
    const facing = networks.map(async (network) => {
      const own = parts.filter((part) => part.network === network)
      const facts = { parts: own, height: known.get(network), authorities: logs.get(network) }
      coverages.set(network, coverageOf(coverages.get(network), facts.height, facts.authorities))
      const last = board.lastIndexing(network)
      const behind = catchUp.of(network, { ...facts, last, head: highest(own, 'head') })
      const catchingUp = await unsettled(network, behind, facts.authorities, inTime)
      return statusOf(network, { ...facts, catchingUp }, clock.now())
    })
    const status = await Promise.all(facing)
    for (const one of status) {
      const { network } = one
      ready.set({ network }, one.ready && storeAnswers ? 1 : 0)
      if (one.lagSeconds !== undefined) lag.set({ network }, one.lagSeconds)
      for (const stage of STAGES) {
        const height = one[stage]
        if (height !== undefined) heights.set({ network, stage }, height)
      }
    }
    if (storeAnswers) {
      const now = clock.now()
      for (const one of status) {
        if (one.catchingUp === undefined && !isSettled(one.network)) since.set(one.network, now)
      }
      catchingUp = new Map(status.map((one) => [one.network, one.catchingUp]))
    }
    return { storeAnswers, status }
  }

  /** Updates the state, with a deadline because bus and store may not respond. */
  const look = async (heightsNow: Heights['read']) => {
    const looked = new AbortController()
    const late = clock.sleep(lookMs, looked.signal).then(() => {
      throw new Error(`no answer within ${lookMs} ms`)
    })
    late.catch(() => undefined)
    try {
      return await lookInTime(heightsNow, (work) => Promise.race([work, late]))
    } finally {
      looked.abort()
    }
  }

  return {
    look: async () => void (await look(stored.glance)),
    coverage: (network) => coverages.get(network),
    catchingUp: (network) => catchingUp.get(network),
    settled: (network) => ({
      since: since.get(network) ?? 0,
      logsKnown: coverages.get(network)?.authorities.complete ?? false,
    }),
    status: async () => (await look(stored.read)).status,
    readiness: async () => {
      const { storeAnswers, status } = await look(stored.read)
      return {
        ready: storeAnswers && status.some((one) => one.ready),
        reasons: [...(storeAnswers ? [] : ['the store does not answer']), ...status.flatMap((one) => one.reasons)],
        networks: Object.fromEntries(status.map((one) => [one.network, storeAnswers && one.ready])),
      }
    },
  }
}
