/**
 * How much of each authority's log is read, and what to read next. Pure: the walk applies it. A log is read upwards from its
 * first block; blocks that no endpoint has are left out at its lower end, so that what is covered is one interval that ends
 * where the stream begins.
 */
import type { AuthorityLog } from '../../../schema/registry/index.ts'

/** How much of one authority's log is read, as the walk holds it in memory. */
export type LogState = AuthorityLog & {
  /** Covered blocks, `from` to `to` inclusive; nothing while `to` is below `from`. */
  from: number
  to: number
  /** Next block to read. */
  next: number
  /** Why its beginning is missing; empty where it is not. */
  reason: string
  /** Host that answered last. */
  source: string
}

/** Blocks to read next, both ends included, and the logs that are to be read in them. */
export type Step = { from: number; to: number; logs: readonly LogState[] }

/** A log of which nothing is read. */
export const unread = (log: AuthorityLog): LogState => ({
  ...log,
  from: log.since,
  to: log.since - 1,
  next: log.since,
  reason: '',
  source: '',
})

/**
 * State of a log as it was written, for a walk that goes on. A log whose beginning was missing is read anew, because another
 * endpoint may have it now; reading a range twice changes nothing.
 */
export const resumed = (log: AuthorityLog, was: Pick<LogState, 'since' | 'from' | 'to'> | undefined): LogState =>
  was !== undefined && was.since <= log.since && was.from <= log.since && was.to >= log.since - 1
    ? { ...unread(log), to: was.to, next: was.to + 1 }
    : unread(log)

/** The logs that are furthest behind, and how far they can be read together. `undefined` when all have reached `target`. */
export const nextStep = (states: readonly LogState[], target: number): Step | undefined => {
  const behind = states.filter(({ next }) => next <= target)
  if (behind.length === 0) return undefined
  const from = Math.min(...behind.map(({ next }) => next))
  const logs = behind.filter(({ next }) => next === from)
  const others = behind.filter(({ next }) => next > from).map(({ next }) => next - 1)
  return { from, to: Math.min(target, ...others), logs }
}

/** States after blocks up to `to` were read for the logs of a step. */
export const advanced = (states: readonly LogState[], step: Step, to: number, source: string): LogState[] =>
  states.map((state) => (step.logs.includes(state) ? { ...state, to, next: to + 1, source } : state))

/** States after no endpoint has the blocks below `lowest`: what is covered begins there. */
export const lacking = (states: readonly LogState[], step: Step, lowest: number, reason: string): LogState[] =>
  states.map((state) =>
    step.logs.includes(state) ? { ...state, from: lowest, to: lowest - 1, next: lowest, reason } : state,
  )

/** States without what was read from block `back` on, because it turned out not to be proved. */
export const retreated = (states: readonly LogState[], back: number | undefined): readonly LogState[] =>
  back === undefined
    ? states
    : states.map((state) => {
        const next = Math.max(state.from, back)
        return state.next > next ? { ...state, to: next - 1, next } : state
      })

/** Whether everything from the log's first block to `target` was read. */
export const isComplete = ({ since, from, to }: LogState, target: number): boolean =>
  from <= since && to >= Math.max(target, since - 1)

/** Blocks left to read, and blocks to read in all. */
export const workOf = (states: readonly LogState[], target: number): { left: number; all: number } => {
  const lowest = Math.min(target + 1, ...states.map(({ since }) => since))
  const next = Math.min(target + 1, ...states.map((state) => state.next))
  return { left: target + 1 - next, all: target + 1 - lowest }
}
