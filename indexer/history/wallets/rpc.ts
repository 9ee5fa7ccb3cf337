/** Methods that some nodes offer and most do not. */
import { type Clock, isWithin } from '../../../platform/context/clock.ts'
import { isAssayError } from '../../../platform/errors.ts'
import { RpcError } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'

const TIMEOUT_MS = 20_000
const DEADLINE_MS = 60_000
/** How long an answer to whether a method is offered holds, ms. */
const REMEMBERED_MS = 3_600_000
const NOT_OFFERED =
  /unimplemented|not (implemented|supported|available|enabled|exist|found)|unsupported|does ?n.t exist/i

/** Work at endpoints that offer a method, as far as that is known. */
export type AtOffering = <T>(work: (node: Node) => Promise<T>, signal: AbortSignal) => Promise<T>

/** Prefers endpoints that are not known to lack `method`. An endpoint that was never asked may be tried. */
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

/** The refusal of a node that stands behind an error; `undefined` where nodes did not refuse. */
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

/** Asks whether any endpoint offers what a call asks for, now and then. @throws RetryableError when none answered. */
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
