/** Types of roles. */
import type { Readiness } from '../../api/http/ops.ts'

/** All roles. */
export const ROLES = ['indexer', 'scorer', 'api'] as const
/** A role. */
export type RoleName = (typeof ROLES)[number]

/** A running role. It ends with the lifecycle of its context. */
export type RunningRole = {
  /** Resolves when the work of the role is over; rejects with the error that ended it. */
  done: Promise<unknown>
  readiness: () => Readiness | Promise<Readiness>
}
