/** What a role is to those who start it. */
import type { Readiness } from '../../api/http/ops.ts'

/** The roles a process can have. */
export const ROLES = ['indexer', 'scorer', 'api'] as const
/** One of them. */
export type RoleName = (typeof ROLES)[number]

/** A role under way. It ends with the lifecycle of its context. */
export type RunningRole = {
  /** Settles when the role's work is over; rejects with what ended it. */
  done: Promise<unknown>
  readiness: () => Readiness | Promise<Readiness>
}
