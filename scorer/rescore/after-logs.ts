/**
 * Requeues wallets that were scored before the logs of authorities were complete. Logs become complete through the past tier or
 * through history that arrives late.
 *
 *     a log becomes complete ---> query, queue ---> wait until the queued wallets are scored
 *                                   ^                            |
 *                                   +--- while wallets are found-+---> none found for a while: wait for the next log
 *
 * A verdict that was being computed when the last log became complete is stored later, so the query is repeated for a while. The
 * wait ends at the offsets of its own messages, however much others queue meanwhile.
 */
import type { Bus } from '../../platform/bus/bus.ts'
import { messageOf, RetryableError } from '../../platform/errors.ts'
import { AUTHORITY_LISTS } from '../../schema/registry/authorities.ts'
import { topics } from '../../schema/topics.ts'
import { dependsOnLogs, LOG_IS_INCOMPLETE, loadCoverage, withElsewhere } from '../ledger/authorities/coverage.ts'
import { queueByUnknown, type RequeueDeps, UNDER_WAY_MS } from './by-unknown.ts'

/** Poll interval, ms. */
const LOOK_MS = 5_000
/** Poll interval once every log is complete and no wallets were found for a while, ms. */
const IDLE_MS = 30_000

type AfterLogsDeps = RequeueDeps & {
  bus: Pick<Bus, 'lag' | 'offsets'>
  /** Consumer group that scores the queue. */
  groupId: string
}

/** Runs until the signal aborts. @throws errors that are not retryable */
export const requeueAfterLogs = async (
  { bus, groupId, ...deps }: AfterLogsDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { store, network } = deps
  const { clock, log } = deps.context
  if (!dependsOnLogs(network)) return
  const topic = topics.rescore(network)
  /** Logs that were complete at the last queueing. */
  let known: ReadonlySet<string> = new Set()
  /** Sum of the topic's end offsets after the last queueing, until those messages are scored. */
  let queuedTo: bigint | undefined
  let quietSince: number | undefined
  let idle = false

  const sent = async (): Promise<bigint> => (await bus.offsets(topic)).reduce((sum, { next }) => sum + next, 0n)

  const isScored = async (): Promise<boolean> => {
    if (queuedTo === undefined) return true
    const all = await sent()
    if (all - (await bus.lag(groupId, topic)) < queuedTo) return false
    queuedTo = undefined
    return true
  }

  /** Returns the number of queued wallets. */
  const queue = async (): Promise<number> => {
    const scored = 'before the logs of authorities were complete'
    const found = await queueByUnknown(deps, { words: LOG_IS_INCOMPLETE, scored })
    if (found > 0) queuedTo = await sent()
    return found
  }

  const look = async () => {
    const { own, elsewhere, whole } = await loadCoverage(store, network)
    const { missing } = withElsewhere(own, elsewhere)
    const all = AUTHORITY_LISTS.every((list) => missing(list) === undefined)
    known = new Set([...known].filter((one) => whole.has(one)))
    const fresh = [...whole].some((one) => !known.has(one))
    if (fresh) quietSince = undefined
    const late = all && (quietSince === undefined || clock.now() - quietSince < UNDER_WAY_MS)
    idle = all && !fresh && !late
    // A wallet that depends on another incomplete log would be found again right after scoring, so it is queued once per change.
    if (!(fresh || late) || !(await isScored())) return
    const found = await queue()
    known = whole
    if (found > 0) quietSince = undefined
    else quietSince ??= clock.now()
  }

  while (!signal.aborted) {
    try {
      await look()
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      log.warn({ network, reason: messageOf(error) }, 'failed to look for wallets to score again')
    }
    await clock.sleep(idle ? IDLE_MS : LOOK_MS, signal).catch(() => undefined)
  }
}
