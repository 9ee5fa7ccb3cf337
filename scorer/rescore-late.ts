/**
 * Wallets whose verdicts left something open because the index began late: history may come in any order, and be added long
 * after. Once the index begins with the chain, these wallets are queued to be scored again, and once more for verdicts that were
 * under way. An index that begins earlier than before, but late, changes little: `assay replay` is for that.
 */
import type { Producer } from '../platform/bus/bus.ts'
import type { Context } from '../platform/context.ts'
import { messageOf, RetryableError } from '../platform/errors.ts'
import { readSql } from '../platform/store/sql.ts'
import type { Store } from '../platform/store/store.ts'
import type { Network } from '../schema/networks.ts'
import { topics } from '../schema/topics.ts'
import { beginsWithChain } from './ledger/past/past.ts'
import { rescoreMessages } from './rescore-queue.ts'

const OPEN = readSql(import.meta.url, './ledger/past/sql/open-wallets.sql')

/** How often it looks where the index begins, ms. */
const LOOK_MS = 5_000
/** Longer than a verdict can be under way, ms. */
const UNDER_WAY_MS = 60_000

type LateDeps = {
  context: Pick<Context, 'clock' | 'log'>
  store: Store
  producer: Pick<Producer, 'send'>
  network: Network
}

/** Resolves when nothing is left to do, or on the signal. @throws what is not retryable */
export const requeueOpen = async (
  { context: { clock, log }, store, producer, network }: LateDeps,
  signal: AbortSignal,
): Promise<void> => {
  const queue = async (): Promise<boolean> => {
    if (!(await beginsWithChain(store, network))) return false
    const rows = await store.query<{ address: string }>(OPEN, { network }, { route: 'open_wallets' })
    if (rows.length === 0) return true
    await producer.send([
      { topic: topics.rescore(network), messages: rescoreMessages(rows.map(({ address }) => address)) },
    ])
    log.info({ network, wallets: rows.length }, 'queued wallets scored while the index began late')
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
