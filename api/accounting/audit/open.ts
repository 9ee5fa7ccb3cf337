/** Runs the audit log of a process: stores entries every second and at shutdown, and removes expired entries. */
import type { Context } from '../../../platform/context/context.ts'
import { periodically } from '../../../platform/context/periodic.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type AuditLog, createAuditLog } from './log.ts'
import { removeExpired } from './retention.ts'

const FLUSH_MS = 1_000
const RETENTION_MS = 600_000

/** Options of the audit log. */
export type AuditOptions = {
  store: Store
  /** Refuses calls while entries cannot be stored. */
  required: boolean
  /** Days to keep entries. @default forever */
  days?: number | undefined
  /** @default 1_000 */
  flushMs?: number
  /** Maximum number of pending entries. @default 100_000 */
  maxWaiting?: number
}

/** Starts the log. Stores the remaining entries when the lifecycle ends. */
export const openAudit = (context: Context, { days, flushMs = FLUSH_MS, ...options }: AuditOptions): AuditLog => {
  const { clock, lifecycle } = context
  const { store } = options
  const audit = createAuditLog({ context, ...options })
  periodically(context, 'store the audit log', flushMs, audit.flush)
  if (days !== undefined) {
    periodically(context, 'remove old entries of the audit log', RETENTION_MS, () =>
      removeExpired(store, days, clock.now()),
    )
  }
  // Registered before the listeners, so that it runs after the last answer.
  lifecycle.onClose('audit log', audit.close)
  return audit
}
