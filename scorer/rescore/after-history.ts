/**
 * Requeues wallets that were scored while the index began after genesis. History may arrive in any order, and long after. Once the
 * index begins at genesis, these wallets are queued, and a second time for verdicts that were being computed. An index that
 * begins earlier than before, but still late, changes little: use `assay replay` then.
 */
import { messageOf, RetryableError } from '../../platform/errors.ts'
import { beginsWithChain, PAST_OF } from '../ledger/past/past.ts'
import { queueByUnknown, type RequeueDeps, UNDER_WAY_MS } from './by-unknown.ts'

/** Poll interval, ms. */
const LOOK_MS = 5_000
/** Resolves when everything is queued, or when the signal aborts. @throws errors that are not retryable */
export const requeueAfterHistory = async (deps: RequeueDeps, signal: AbortSignal): Promise<void> => {
  const { store, network } = deps
  const { clock, log } = deps.context
  const queue = async (): Promise<boolean> => {
    if (!(await beginsWithChain(store, network))) return false
    await queueByUnknown(deps, { words: PAST_OF, scored: 'while the index began late' })
    return true
  }
  for (let left = 2; left > 0 && !signal.aborted; ) {
    const done = await queue().catch((error: unknown) => {
      if (!(error instanceof RetryableError)) throw error
      log.warn({ network, reason: messageOf(error) }, 'failed to look for wallets scored while the index began late')
      return false
    })
    if (done) left--
    if (left > 0) await clock.sleep(done ? UNDER_WAY_MS : LOOK_MS, signal).catch(() => undefined)
  }
}
