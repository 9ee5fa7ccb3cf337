import { type Clock, steadyTime } from '../context/clock.ts'
import { publicUrl } from '../context/log.ts'
import { type Budget, createBudget } from './budget.ts'
import { type RpcError, RpcTransportError, refusesBatch } from './errors.ts'
import { type BodyTaker, type Call, createPost, type Outcome, type Post } from './post.ts'

/** Callbacks of the pool about every POST. */
export type EndpointReport = {
  answered: (host: string, calls: readonly Call[], ms: number) => void
  failed: (host: string, failure: string) => void
}

/** One URL of a network: its methods, its speed, and whether it may be asked now. */
export type Endpoint = {
  /** Host and port, the only part of the URL that is ever shown. */
  readonly host: string
  /**
   * Sends calls within the rate limit, in as few POSTs as the endpoint accepts.
   * @param take gets the body of the response if all calls fit one POST.
   */
  send: (calls: readonly Call[], timeoutMs: number, signal?: AbortSignal, take?: BodyTaker) => Promise<Outcome[]>
  /**
   * Whether the endpoint has answered twice in a row that the method does not exist. It is asked again after an hour; if it
   * does not answer then, the method counts as missing for another hour.
   */
  lacks: (method: string) => boolean
  /** Whether the endpoint has ever answered the method. */
  offers: (method: string) => boolean
  /** Milliseconds until it may be tried again after failures; 0 if it is usable. */
  blockedMs: () => number
  /**
   * Whether its last call timed out, for up to a few minutes. Another try may cost the whole time-out of a call, so other endpoints are
   * tried first.
   */
  isDoubted: () => boolean
  /** Expected duration of a call now, queueing included, ms. The pool ranks endpoints by it. */
  expectedMs: () => number
  /** Milliseconds that a call waits for the rate limit or the plan. */
  waitMs: () => number
  /** Current limit, calls per second. */
  rate: () => number
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|$)/

/** Whether a host is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
const BACKOFF_MS = 100
const MAX_BACKOFF_MS = 10_000
const MAX_RETRY_AFTER_MS = 60_000
/** How long an endpoint comes last after each consecutive time-out, ms: four times the usual time-out. */
const DOUBT_MS = 60_000
const MAX_DOUBT_MS = 300_000
const MAX_BATCH = 100
const SMOOTHING = 0.2
/** Consecutive answers that a method is missing until it counts as missing. */
const CONFIRMATIONS = 2
const RECHECK_MS = 3_600_000

/**
 * One URL with rate limit, latency and back-off. Concurrent failures count once (as the back-off epoch of squid-sdk's
 * client): the first closes the endpoint for 100 ms x 2^n, the others find it closed.
 */
export const createEndpoint = (
  url: string,
  {
    clock,
    report,
    startRate,
    budget = {},
    post = createPost(url, clock.now),
  }: { clock: Clock; report: EndpointReport; startRate?: number | undefined; budget?: Budget; post?: Post },
): Endpoint => {
  const host = publicUrl(url)
  const time = steadyTime(clock.now)
  const limit = createBudget(clock, budget, startRate ?? (isLoopback(host) ? 2_000 : 25))
  const lacking = new Map<string, { times: number; since: number }>()
  const offered = new Set<string>()
  let maxBatch = MAX_BATCH
  let latency = 0
  let inFlight = 0
  let failures = 0
  let blockedUntil = 0
  let timeouts = 0
  let doubtedUntil = 0

  const fail = (error: unknown, sentAt: number) => {
    const failure = error instanceof RpcTransportError ? error.failure : 'network'
    report.failed(host, failure)
    if (failure === 'limited') limit.limited()
    if (sentAt < blockedUntil) return
    const asked = error instanceof RpcTransportError ? error.retryAfterMs : undefined
    const pause = asked ?? Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** failures)
    failures += 1
    if (failure === 'timeout') {
      timeouts += 1
      doubtedUntil = time() + Math.min(MAX_DOUBT_MS, DOUBT_MS * timeouts)
    }
    blockedUntil = time() + Math.min(pause, MAX_RETRY_AFTER_MS)
  }

  const limitedBy = (outcomes: readonly Outcome[]): RpcError | undefined => {
    for (const outcome of outcomes) if ('error' in outcome && outcome.error.kind === 'limited') return outcome.error
    return undefined
  }

  const postOnce = async (
    calls: readonly Call[],
    timeoutMs: number,
    signal?: AbortSignal,
    take?: BodyTaker,
  ): Promise<Outcome[]> => {
    await limit.acquire(calls.length, signal)
    const sentAt = time()
    let arrivedAt: number | undefined
    inFlight += 1
    const taker: BodyTaker | undefined =
      take &&
      ((body) => {
        arrivedAt = time()
        return take(body)
      })
    try {
      const outcomes = await post(calls, timeoutMs, signal, taker)
      const refused = limitedBy(outcomes)
      if (refused) throw new RpcTransportError('limited', refused.message)
      const ms = (arrivedAt ?? time()) - sentAt
      latency = latency === 0 ? ms : latency + SMOOTHING * (ms - latency)
      failures = 0
      timeouts = 0
      doubtedUntil = 0
      limit.answered()
      report.answered(host, calls, ms)
      return outcomes
    } catch (error) {
      if (!signal?.aborted) fail(error, sentAt)
      throw error
    } finally {
      inFlight -= 1
    }
  }

  /** Sends calls, and splits the batch further whenever the server finds it too large. */
  const sendChunk = async (
    calls: readonly Call[],
    timeoutMs: number,
    signal?: AbortSignal,
    take?: BodyTaker,
  ): Promise<Outcome[]> => {
    const outcomes = await postOnce(calls, timeoutMs, signal, take)
    const [only] = outcomes
    if (outcomes.length === calls.length || !only) return outcomes
    if (!('error' in only) || !refusesBatch(only.error)) {
      throw new RpcTransportError('http', 'a batch was answered by a single answer')
    }
    maxBatch = Math.max(1, Math.floor(calls.length / 2))
    return sendAll(calls, timeoutMs, signal)
  }

  const sendAll = async (
    calls: readonly Call[],
    timeoutMs: number,
    signal?: AbortSignal,
    take?: BodyTaker,
  ): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    for (let at = 0; at < calls.length; ) {
      const chunk = calls.slice(at, at + maxBatch)
      const whole = chunk.length === calls.length
      outcomes.push(...(await sendChunk(chunk, timeoutMs, signal, whole ? take : undefined)))
      at += chunk.length
    }
    return outcomes
  }

  /** Records from the answers which methods exist. */
  const learn = (calls: readonly Call[], outcomes: readonly Outcome[]) => {
    const missing = new Set<string>()
    outcomes.forEach((outcome, index) => {
      const method = calls[index]?.method
      if (method === undefined) return
      if ('error' in outcome && outcome.error.kind === 'missing') missing.add(method)
      else if ('result' in outcome) {
        lacking.delete(method)
        offered.add(method)
      }
    })
    for (const method of missing) {
      const times = (lacking.get(method)?.times ?? 0) + 1
      lacking.set(method, { times, since: time() })
      if (times >= CONFIRMATIONS) offered.delete(method)
    }
  }

  /** Extends the wait for methods that were due to be asked again, because the endpoint did not answer. */
  const postponeRechecks = (calls: readonly Call[]) => {
    for (const { method } of calls) {
      const known = lacking.get(method)
      if (known && known.times >= CONFIRMATIONS) known.since = time()
    }
  }

  return {
    host,
    send: async (calls, timeoutMs, signal, take) => {
      try {
        const outcomes = await sendAll(calls, timeoutMs, signal, take)
        learn(calls, outcomes)
        return outcomes
      } catch (error) {
        if (!signal?.aborted) postponeRechecks(calls)
        throw error
      }
    },
    lacks: (method) => {
      const known = lacking.get(method)
      return known !== undefined && known.times >= CONFIRMATIONS && time() - known.since < RECHECK_MS
    },
    offers: (method) => offered.has(method),
    blockedMs: () => Math.max(0, blockedUntil - time()),
    isDoubted: () => time() < doubtedUntil,
    expectedMs: () => latency * (1 + inFlight / 4) + limit.waitMs(),
    waitMs: limit.waitMs,
    rate: limit.rate,
  }
}
