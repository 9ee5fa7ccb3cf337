/** Calls of methods that only some nodes offer. */
import { type Clock, isWithin } from '../../../platform/context/clock.ts'
import { isAssayError } from '../../../platform/errors.ts'
import { RpcError } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'

const TIMEOUT_MS = 20_000
const DEADLINE_MS = 60_000
/** How long it is remembered whether a method is offered, ms. */
const REMEMBERED_MS = 3_600_000
const NOT_OFFERED =
  /unimplemented|not (implemented|supported|available|enabled|exist|found)|unsupported|does ?n.t exist/i

/** Runs work at endpoints that offer a method, as far as known. */
export type AtOffering = <T>(work: (node: Node) => Promise<T>, signal: AbortSignal) => Promise<T>

/** Prefers endpoints not known to lack `method`. An endpoint that was never asked may be tried. */
export const atOffering =
  (pool: RpcPool, method: string): AtOffering =>
  (work, signal) =>
    pool.attempt(work, {
      signal,
      timeoutMs: TIMEOUT_MS,
      deadlineMs: DEADLINE_MS,
      attempts: 3 * pool.hosts.length,
      prefer: ({ lacks }) => !lacks(method),
    })

/** The node's refusal that caused an error; `undefined` if nodes did not refuse. */
export const refusalIn = (error: unknown): RpcError | undefined => {
  const cause = isAssayError(error) ? error.cause : error
  return cause instanceof RpcError ? cause : undefined
}

const isNotOffered = (error: unknown): boolean => {
  const refusal = refusalIn(error)
  return (
    refusal !== undefined &&
    (refusal.kind === 'missing' || refusal.kind === 'answer' || NOT_OFFERED.test(refusal.message))
  )
}

/** Asks from time to time whether any endpoint offers a method. @throws RetryableError when none answered. */
export const createProbe = (clock: Clock, at: AtOffering, method: string, params: readonly unknown[]) => {
  let known: { offered: boolean; since: number } | undefined
  return async (signal: AbortSignal): Promise<boolean> => {
    if (known && isWithin(clock, REMEMBERED_MS, known.since)) return known.offered
    let offered = true
    try {
      await at((node) => node.request(method, params), signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isNotOffered(error)) throw error
      offered = false
    }
    known = { offered, since: clock.now() }
    return offered
  }
}
