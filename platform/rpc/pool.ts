/**
 * A pool of JSON-RPC endpoints of one network, used like one reliable node.
 *
 * Work gets one endpoint and may make several calls to it, so that all parts of an answer come from one node. When the
 * node fails, is slow, refuses or contradicts itself, the work runs again on another: among the endpoints tried least,
 * the one with the lowest expected latency. One choice in ten is random, so that the ranking stays current. Endpoints that
 * timed out lately come last. Each POST has a timeout, and the whole has a deadline and a maximum number of attempts.
 */
import { steadyTime } from '../context/clock.ts'
import type { Context } from '../context/context.ts'
import { isAssayError, messageOf, RetryableError } from '../errors.ts'
import type { Budget } from './budget.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { RpcAbsent, RpcError, RpcInconsistent, RpcTransportError } from './errors.ts'
import type { BodyTaker, Call, Outcome, Post } from './post.ts'

/** One endpoint, for one attempt. */
export type Node = {
  readonly host: string
  /** Number of earlier attempts, 0 for the first. */
  readonly attempt: number
  lacks: (method: string) => boolean
  /**
   * Sends all calls, in one POST if the endpoint accepts it.
   * @param take gets the body of the response if there was one POST.
   * @throws RpcTransportError
   */
  batch: (calls: readonly Call[], take?: BodyTaker) => Promise<Outcome[]>
  /** @throws RpcTransportError, RpcError */
  request: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** Limits of one piece of work, and its preferred endpoints. All times in ms. */
export type AttemptOptions = {
  /** Ends the work; without it only the deadline does. */
  signal?: AbortSignal | undefined
  /** Time limit of the whole, retries and waits included. @default 60_000 */
  deadlineMs?: number
  /** Time limit of one POST. @default 15_000 */
  timeoutMs?: number
  /** Maximum number of attempts, also at the same endpoint. @default 8 */
  attempts?: number
  /** Only endpoints that pass are used, and waited for, as long as there is one. */
  prefer?: (endpoint: Candidate) => boolean
}

/** Facts about an endpoint for its selection. */
export type Candidate = Pick<Endpoint, 'host' | 'lacks' | 'offers' | 'blockedMs'>

/** All endpoints of a network. It lives as long as the process and needs no closing. */
export type RpcPool = {
  /** Hosts, in the order given. */
  readonly hosts: readonly string[]
  /**
   * Runs work on one endpoint after another until it succeeds.
   * @throws RpcError when the answer is an error that other nodes would repeat; RpcAbsent when no usable node knows it;
   *   RetryableError ASSAY_RPC_UNAVAILABLE when no node answered, ASSAY_RPC_INCONSISTENT when all contradicted themselves.
   */
  attempt: <T>(work: (node: Node) => Promise<T>, options?: AttemptOptions) => Promise<T>
  /** One call; `validate` throws RpcInconsistent (or RpcAbsent) for an unacceptable result. */
  request: <T = unknown>(
    method: string,
    params: readonly unknown[],
    options?: AttemptOptions & { validate?: (result: unknown) => T },
  ) => Promise<T>
  /**
   * Runs work on all usable endpoints at the same time; returns the successful results.
   * @param options `excluded`: also on the endpoint that a rotation excluded, for work that needs every voice.
   */
  everywhere: <T>(work: (node: Node) => Promise<T>, options?: AttemptOptions & { excluded?: boolean }) => Promise<T[]>
  /** Hosts of all endpoints, usable or not, that pass a test. */
  hostsThat: (test: (endpoint: Candidate) => boolean) => string[]
  /**
   * Excludes the preferred endpoint for a while, because it may be why the network makes no progress. Only one is excluded at
   * a time, and only while another is usable; the one excluded before returns.
   */
  rotate: () => void
}

const TIMEOUT_MS = 15_000
const EXPLORATION = 0.1
/** Less than the minimum of `ASSAY_LONE_FINALITY_SECONDS`. */
const ROTATION_MS = 30_000
const RETRY_PAUSE_MS = 25
const MAX_RETRY_PAUSE_MS = 2_000

/** A pool of URLs, which are not contacted yet. Counts calls, failures and time by host. */
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
  /** Initial calls per second. @default 25, 2_000 for loopback */
  startRate?: number
  /** Request limits of each endpoint; unlimited if absent. */
  budget?: Budget | undefined
  /** Creates the transport of a URL. @default JSON-RPC over HTTP */
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

  /** Whether the plan admits a call before the time limit of a POST. */
  const inPlan =
    ({ timeoutMs = TIMEOUT_MS }: AttemptOptions) =>
    (endpoint: Endpoint): boolean =>
      endpoint.waitMs() <= timeoutMs

  let excluded: { endpoint: Endpoint; until: number } | undefined
  const isExcluded = (endpoint: Endpoint): boolean => excluded?.endpoint === endpoint && time() < excluded.until

  /** The endpoints that pass a test, or all if none does. */
  const preferring = (some: readonly Endpoint[], test: (endpoint: Endpoint) => boolean): readonly Endpoint[] => {
    const passing = some.filter(test)
    return passing.length > 0 ? passing : some
  }

  /** Usable endpoints: without the excluded one if there is another, and within their plans if any is. */
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

  /** Counts a failed attempt. @returns whether another attempt may succeed. */
  const isRetryable = (error: unknown, host: string): boolean => {
    if (error instanceof RpcInconsistent) {
      inconsistent.inc({ network, host, check: error.check })
      log.warn({ network, host, check: error.check, reason: error.message }, 'rejected an inconsistent answer')
    } else if (error instanceof RpcError) {
      errors.inc({ network, host, class: error.kind })
      return error.kind !== 'answer'
    } else return error instanceof RpcTransportError || error instanceof RpcAbsent
    return true
  }

  /** A contradiction is reported before a failure, whichever came last, because it does not go away by itself. */
  const exhausted = (last: unknown, contradiction: RpcInconsistent | undefined, tried: number) => {
    const reason = messageOf(contradiction ?? last)
    return contradiction
      ? new RetryableError(
          'ASSAY_RPC_INCONSISTENT',
          `All ${tried} responses of nodes of ${network} were unusable, and at least one contradicts itself (${contradiction.check}: ${reason}). The call is retried. If it persists, replace the endpoint.`,
          { cause: contradiction },
        )
      : new RetryableError(
          'ASSAY_RPC_UNAVAILABLE',
          `No node of ${network} answered after ${tried} attempts (last: ${reason}). The call is retried. Check ${network}_RPC_URL and the provider's limits.`,
          { cause: last },
        )
  }

  const attempt: RpcPool['attempt'] = async (work, options = {}) => {
    const { signal, deadlineMs = 60_000, attempts = 8 } = options
    const deadline = time() + deadlineMs
    const tries = new Map<Endpoint, number>()
    const absent = new Map<Endpoint, RpcAbsent>()
    let last: unknown = new RpcTransportError('network', 'every endpoint is set aside after failures')
    let contradiction: RpcInconsistent | undefined
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
        if (isAssayError(error) || !isRetryable(error, endpoint.host)) throw error
        if (error instanceof RpcAbsent) absent.set(endpoint, error)
        if (error instanceof RpcInconsistent) contradiction = error
        last = error
      } finally {
        rates.set({ network, host: endpoint.host }, endpoint.rate())
      }
      tried += 1
      if (time() > deadline) break
    }
    throw exhausted(last, contradiction, tried)
  }

  return {
    hosts: endpoints.map((endpoint) => endpoint.host),
    attempt,
    request: (method, params, { validate, ...options } = {}) =>
      attempt(async (node) => {
        const result = await node.request(method, params)
        // Without a check, T is unknown.
        return validate ? validate(result) : (result as never)
      }, options),
    everywhere: async (work, options = {}) => {
      const usable = usableOf(endpoints, options)
      const settled = await Promise.allSettled(usable.map((endpoint) => work(nodeOf(endpoint, 0, options))))
      options.signal?.throwIfAborted()
      const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      settled.forEach((one, index) => {
        if (one.status === 'rejected') isRetryable(one.reason, usable[index]?.host ?? '')
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
