/**
 * A pool of JSON-RPC endpoints of one network, used as if it were one reliable node.
 *
 * Work is given an endpoint and may make several calls to it, so that all parts of an answer come from one node. When
 * the node fails, is slow, refuses or contradicts itself, the work runs again on another: the endpoint tried least is
 * next, among those the fastest by expected latency, with one choice in ten left to chance so that a ranking never
 * goes stale; one that lately did not answer in time comes after the others. Everything is bounded: each POST by a timeout, the whole by a deadline and a number of attempts.
 */
import { steadyTime } from '../context/clock.ts'
import type { Context } from '../context/context.ts'
import { isAssayError, messageOf, RetryableError } from '../errors.ts'
import type { Budget } from './budget.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { RpcAbsent, RpcError, RpcInconsistent, RpcTransportError } from './errors.ts'
import type { BodyTaker, Call, Outcome, Post } from './post.ts'

/** One endpoint for the length of one attempt. */
export type Node = {
  readonly host: string
  /** Attempts made before this one, 0 for the first. */
  readonly attempt: number
  lacks: (method: string) => boolean
  /**
   * All calls in one POST where the endpoint takes it.
   * @param take is offered the body of the answer, where there was one POST.
   * @throws RpcTransportError
   */
  batch: (calls: readonly Call[], take?: BodyTaker) => Promise<Outcome[]>
  /** @throws RpcTransportError, RpcError */
  request: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** Bounds of one piece of work, and which endpoints it wants. All times in ms. */
export type AttemptOptions = {
  /** Ends the whole; nothing does before the deadline without it. */
  signal?: AbortSignal | undefined
  /** Bound of the whole, retries and waiting included. @default 60_000 */
  deadlineMs?: number
  /** Bound of one POST. @default 15_000 */
  timeoutMs?: number
  /** Endpoints asked at most, the same one again included. @default 8 */
  attempts?: number
  /** Endpoints to be used instead of the others, and to be waited for, as long as there is one. */
  prefer?: (endpoint: Candidate) => boolean
}

/** What is known of an endpoint when it is chosen. */
export type Candidate = Pick<Endpoint, 'host' | 'lacks' | 'offers' | 'blockedMs'>

/** All endpoints of a network, as callers use them. It lives as long as the process and needs no closing. */
export type RpcPool = {
  /** Hosts in the order given. */
  readonly hosts: readonly string[]
  /**
   * Runs work at one endpoint after the other until it succeeds.
   * @throws RpcError when the answer is an error that another node would repeat; RpcAbsent when no node in use knows it;
   *   RetryableError ASSAY_RPC_UNAVAILABLE when no node answered, ASSAY_RPC_INCONSISTENT when all contradicted themselves.
   */
  attempt: <T>(work: (node: Node) => Promise<T>, options?: AttemptOptions) => Promise<T>
  /** One call; `validate` throws RpcInconsistent (or RpcAbsent) on a result that will not do. */
  request: <T = unknown>(
    method: string,
    params: readonly unknown[],
    options?: AttemptOptions & { validate?: (result: unknown) => T },
  ) => Promise<T>
  /**
   * Runs work at every endpoint in use and within its plan, at the same time; gives what succeeded.
   * @param options `excluded`: also at the one that a rotation excluded, where it matters who answers.
   */
  everywhere: <T>(work: (node: Node) => Promise<T>, options?: AttemptOptions & { excluded?: boolean }) => Promise<T[]>
  /** Hosts of the endpoints, set aside or not, that pass a test. */
  hostsThat: (test: (endpoint: Candidate) => boolean) => string[]
  /**
   * Passes the preferred endpoint over for a while, because the network makes no progress and it may be the cause. One at a time, and only
   * while there is another one in use: the one passed over before takes its turn again.
   */
  rotate: () => void
}

const TIMEOUT_MS = 15_000
const EXPLORATION = 0.1
/** Less than the least time after which a host is believed alone (`ASSAY_LONE_FINALITY_SECONDS`). */
const ROTATION_MS = 30_000
const RETRY_PAUSE_MS = 25
const MAX_RETRY_PAUSE_MS = 2_000

/**
 * A pool over URLs that are not contacted yet. Counts calls, failures and time by host in the metrics of the context.
 */
export const createRpcPool = ({
  context: { clock, log, metrics },
  network,
  urls,
  random = Math.random,
  startRate,
  budget,
  postTo,
}: {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  /** Metric label. */
  network: string
  /** http(s) URLs, at least one. */
  urls: readonly string[]
  random?: () => number
  /** Calls per second to begin with; 25, or 2,000 for loopback, when left out. */
  startRate?: number
  /** What each endpoint may be asked at most; without it, as much as it answers. */
  budget?: Budget | undefined
  /** How calls travel to a URL. @default JSON-RPC over HTTP */
  postTo?: (url: string) => Post
}): RpcPool => {
  const time = steadyTime(clock.now)
  const requests = metrics.counter('assay_rpc_requests_total', 'JSON-RPC calls answered', [
    'network',
    'host',
    'method',
  ] as const)
  const seconds = metrics.histogram('assay_rpc_seconds', 'Time of one POST', ['network', 'host'] as const)
  const errors = metrics.counter('assay_rpc_errors_total', 'Failed POSTs and calls, by class', [
    'network',
    'host',
    'class',
  ] as const)
  const inconsistent = metrics.counter('assay_rpc_inconsistent_total', 'Answers that failed a check', [
    'network',
    'host',
    'check',
  ] as const)
  const rates = metrics.gauge('assay_rpc_limit_requests_per_second', 'Calls per second allowed to an endpoint', [
    'network',
    'host',
  ] as const)

  const endpoints = urls.map((url) =>
    createEndpoint(url, {
      clock,
      startRate,
      ...(budget && { budget }),
      ...(postTo && { post: postTo(url) }),
      report: {
        answered: (host, calls, ms) => {
          for (const { method } of calls) requests.inc({ network, host, method })
          seconds.observe({ network, host }, ms / 1_000)
        },
        failed: (host, failure) => errors.inc({ network, host, class: failure }),
      },
    }),
  )

  const nodeOf = (endpoint: Endpoint, attempt: number, { timeoutMs = TIMEOUT_MS, signal }: AttemptOptions): Node => ({
    host: endpoint.host,
    attempt,
    lacks: endpoint.lacks,
    batch: (calls, take) => endpoint.send(calls, timeoutMs, signal, take),
    request: async (method, params) => {
      const [outcome] = await endpoint.send([{ method, params }], timeoutMs, signal)
      if (!outcome) throw new RpcTransportError('http', 'no answer')
      if ('error' in outcome) throw outcome.error
      return outcome.result
    },
  })

  /** Whether its plan lets it answer in time, or it would be waited for longer than for an answer. */
  const inPlan =
    ({ timeoutMs = TIMEOUT_MS }: AttemptOptions) =>
    (endpoint: Endpoint): boolean =>
      endpoint.waitMs() <= timeoutMs

  let excluded: { endpoint: Endpoint; until: number } | undefined
  const isExcluded = (endpoint: Endpoint): boolean => excluded?.endpoint === endpoint && time() < excluded.until

  /** Those that pass a test, or all where none does. */
  const preferring = (some: readonly Endpoint[], test: (endpoint: Endpoint) => boolean): readonly Endpoint[] => {
    const passing = some.filter(test)
    return passing.length > 0 ? passing : some
  }

  /** Those in use: not excluded where another one is, and within their plan where any is. */
  const usableOf = (
    some: readonly Endpoint[],
    options: AttemptOptions & { excluded?: boolean },
  ): readonly Endpoint[] => {
    const open = some.filter((endpoint) => endpoint.blockedMs() === 0)
    const turn = options.excluded ? open : preferring(open, (endpoint) => !isExcluded(endpoint))
    return preferring(turn, inPlan(options))
  }

  /** The endpoint to try next, `undefined` when all that are left have to be waited for. */
  const choose = (tries: ReadonlyMap<Endpoint, number>, left: readonly Endpoint[], options: AttemptOptions) => {
    const candidates = usableOf(left, options)
    const triesOf = (endpoint: Endpoint) => tries.get(endpoint) ?? 0
    const fewest = Math.min(...candidates.map(triesOf))
    const fresh = preferring(
      candidates.filter((endpoint) => triesOf(endpoint) === fewest),
      (endpoint) => !endpoint.isDoubted(),
    )
    if (fresh.length > 1 && random() < EXPLORATION) return fresh[Math.floor(random() * fresh.length)]
    return fresh.reduce<Endpoint | undefined>(
      (best, one) => (best && best.expectedMs() <= one.expectedMs() ? best : one),
      undefined,
    )
  }

  /** Counts why an attempt failed. @returns whether another attempt may succeed. */
  const mendable = (error: unknown, host: string): boolean => {
    if (error instanceof RpcInconsistent) {
      inconsistent.inc({ network, host, check: error.check })
      log.warn({ network, host, check: error.check, reason: error.message }, 'rejected an inconsistent answer')
    } else if (error instanceof RpcError) {
      errors.inc({ network, host, class: error.kind })
      return error.kind !== 'answer'
    } else return error instanceof RpcTransportError || error instanceof RpcAbsent
    return true
  }

  /** A contradiction is said before a failure, whichever came last: it is the one that does not pass by itself. */
  const exhausted = (last: unknown, lie: RpcInconsistent | undefined, tried: number) => {
    const reason = messageOf(lie ?? last)
    return lie
      ? new RetryableError(
          'ASSAY_RPC_INCONSISTENT',
          `None of ${tried} answers of nodes of ${network} could be used, and one or more contradict themselves (${lie.check}: ${reason}). The call is repeated. If it persists, replace the endpoint.`,
          { cause: lie },
        )
      : new RetryableError(
          'ASSAY_RPC_UNAVAILABLE',
          `No node of ${network} answered after ${tried} attempts (last: ${reason}). The call is repeated. Check ${network}_RPC_URL and the provider's limits.`,
          { cause: last },
        )
  }

  const attempt: RpcPool['attempt'] = async (work, options = {}) => {
    const { signal, deadlineMs = 60_000, attempts = 8 } = options
    const deadline = time() + deadlineMs
    const tries = new Map<Endpoint, number>()
    const absent = new Map<Endpoint, RpcAbsent>()
    let last: unknown = new RpcTransportError('network', 'every endpoint is set aside after failures')
    let lie: RpcInconsistent | undefined
    let tried = 0
    while (tried < attempts) {
      signal?.throwIfAborted()
      const known = endpoints.filter((one) => !absent.has(one))
      const preferred = options.prefer ? known.filter(options.prefer) : known
      const left = preferred.length > 0 ? preferred : known
      const endpoint = choose(tries, left, options)
      const [unknown] = absent.values()
      if (unknown && !(endpoint && inPlan(options)(endpoint))) throw unknown
      if (!endpoint) {
        const wait = Math.min(...left.map((one) => one.blockedMs()))
        if (time() + wait > deadline) break
        await clock.sleep(Math.max(wait, 1), signal)
        continue
      }
      const before = tries.get(endpoint) ?? 0
      if (before > 0) await clock.sleep(Math.min(MAX_RETRY_PAUSE_MS, RETRY_PAUSE_MS * 2 ** before), signal)
      tries.set(endpoint, before + 1)
      try {
        return await work(nodeOf(endpoint, tried, options))
      } catch (error) {
        signal?.throwIfAborted()
        if (isAssayError(error) || !mendable(error, endpoint.host)) throw error
        if (error instanceof RpcAbsent) absent.set(endpoint, error)
        if (error instanceof RpcInconsistent) lie = error
        last = error
      } finally {
        rates.set({ network, host: endpoint.host }, endpoint.rate())
      }
      tried += 1
      if (time() > deadline) break
    }
    throw exhausted(last, lie, tried)
  }

  return {
    hosts: endpoints.map((endpoint) => endpoint.host),
    attempt,
    request: (method, params, { validate, ...options } = {}) =>
      attempt(async (node) => {
        const result = await node.request(method, params)
        // Without a check the caller takes the result as unknown, which is what T is then.
        return validate ? validate(result) : (result as never)
      }, options),
    everywhere: async (work, options = {}) => {
      const usable = usableOf(endpoints, options)
      const settled = await Promise.allSettled(usable.map((endpoint) => work(nodeOf(endpoint, 0, options))))
      options.signal?.throwIfAborted()
      const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      settled.forEach((one, index) => {
        if (one.status === 'rejected') mendable(one.reason, usable[index]?.host ?? '')
      })
      return done.length > 0 ? done : [await attempt(work, options)]
    },
    hostsThat: (test) => endpoints.filter(test).map(({ host }) => host),
    rotate: () => {
      const open = endpoints.filter((endpoint) => endpoint.blockedMs() === 0 && !isExcluded(endpoint))
      const [front] = open.toSorted((a, b) => a.expectedMs() - b.expectedMs())
      const others = endpoints.filter((endpoint) => endpoint !== front && endpoint.blockedMs() === 0)
      if (!front || others.length === 0) return
      excluded = { endpoint: front, until: time() + ROTATION_MS }
      log.warn({ network, host: front.host }, 'excluded an endpoint, the network makes no progress')
    },
  }
}
