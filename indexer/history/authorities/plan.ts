/**
 * How much of each authority's log is read, and what to read next. Pure; the walk applies it. A log is read upwards from its
 * first block. Blocks that no endpoint has are left out at its lower end, so that the covered blocks are one interval, which
 * ends where the stream begins.
 */
import type { AuthorityLog } from '../../../schema/registry/index.ts'

/** Progress of one authority's log. */
export type LogState = AuthorityLog & {
  /** Covered blocks, `from` to `to` inclusive; none while `to` is below `from`. */
  from: number
  to: number
  /** Next block to read. */
  next: number
  /** Why the beginning is missing; empty if it is not. */
  reason: string
  /** Host of the last answer. */
  source: string
}

/** Blocks to read next, both inclusive, and the logs to read in them. */
export type Step = { from: number; to: number; logs: readonly LogState[] }

/** State of an unread log. */
export const initialState = (log: AuthorityLog): LogState => ({
  ...log,
  from: log.since,
  to: log.since - 1,
  next: log.since,
  reason: '',
  source: '',
})

/**
 * State of a log to continue from. A log whose beginning is missing is read from scratch, because another endpoint may have it
 * now; reading a range twice changes nothing.
 */
export const resumedState = (log: AuthorityLog, was: Pick<LogState, 'since' | 'from' | 'to'> | undefined): LogState =>
  was !== undefined && was.since <= log.since && was.from <= log.since && was.to >= log.since - 1
    ? { ...initialState(log), to: was.to, next: was.to + 1 }
    : initialState(log)

/** The logs that are furthest behind, and how far to read them together. `undefined` when all have reached `target`. */
export const nextStep = (states: readonly LogState[], target: number): Step | undefined => {
  const behind = states.filter(({ next }) => next <= target)
  if (behind.length === 0) return undefined
  const from = Math.min(...behind.map(({ next }) => next))
  const logs = behind.filter(({ next }) => next === from)
  const others = behind.filter(({ next }) => next > from).map(({ next }) => next - 1)
  return { from, to: Math.min(target, ...others), logs }
}

/** States after blocks up to `to` were read for the logs of a step. */
export const afterRead = (states: readonly LogState[], step: Step, to: number, source: string): LogState[] =>
  states.map((state) => (step.logs.includes(state) ? { ...state, to, next: to + 1, source } : state))

/** States after no endpoint had the blocks below `lowest`: coverage starts there. */
export const afterLacking = (states: readonly LogState[], step: Step, lowest: number, reason: string): LogState[] =>
  states.map((state) =>
    step.logs.includes(state) ? { ...state, from: lowest, to: lowest - 1, next: lowest, reason } : state,
  )

/** States without blocks from `back` on, whose logs turned out to be unproved. */
export const withoutUnproved = (states: readonly LogState[], back: number | undefined): readonly LogState[] =>
  back === undefined
    ? states
    : states.map((state) => {
        const next = Math.max(state.from, back)
        return state.next > next ? { ...state, to: next - 1, next } : state
      })

/** Whether everything from the log's first block to `target` is read. */
export const isComplete = ({ since, from, to }: LogState, target: number): boolean =>
  from <= since && to >= Math.max(target, since - 1)

/** Number of blocks left to read, and in total. */
export const workOf = (states: readonly LogState[], target: number): { left: number; all: number } => {
  const lowest = Math.min(target + 1, ...states.map(({ since }) => since))
  const next = Math.min(target + 1, ...states.map((state) => state.next))
  return { left: target + 1 - next, all: target + 1 - lowest }
}
