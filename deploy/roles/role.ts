/** What a role is to those who start it. */
import type { Readiness } from '../../api/http/ops.ts'

export const ROLES = ['indexer', 'scorer', 'api'] as const
export type RoleName = (typeof ROLES)[number]

export type RunningRole = {
  /** Settles when the role's work is over; rejects with what ended it. */
  done: Promise<unknown>
  readiness: () => Readiness | Promise<Readiness>
}
