/**
 * Wallets whose verdicts left something open because the index began late: history may come in any order, and be added long
 * after. Once the index begins with the chain, these wallets are queued to be scored again, and once more for verdicts that were
 * under way. An index that begins earlier than before, but late, changes little: `assay replay` is for that.
 */
import { messageOf, RetryableError } from '../../platform/errors.ts'
import { beginsWithChain, PAST_OF } from '../ledger/past/past.ts'
import { type OpenDeps, queueOpen, UNDER_WAY_MS } from './open.ts'

/** How often it looks where the index begins, ms. */
const LOOK_MS = 5_000
/** Resolves when nothing is left to do, or on the signal. @throws what is not retryable */
export const requeueOpen = async (deps: OpenDeps, signal: AbortSignal): Promise<void> => {
  const { store, network } = deps
  const { clock, log } = deps.context
  const queue = async (): Promise<boolean> => {
    if (!(await beginsWithChain(store, network))) return false
    await queueOpen(deps, { words: PAST_OF, scored: 'while the index began late' })
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
