/**
 * Wallets whose verdicts left something open because the logs of authorities were not complete: once they are, these wallets
 * are queued to be scored again. A log becomes complete by the past tier, or by history that comes in late, and a verdict
 * that was under way may be stored a little later: so this looks again and again until nothing has been found for a while.
 */
import type { Bus, Producer } from '../platform/bus/bus.ts'
import type { Context } from '../platform/context.ts'
import { messageOf, RetryableError } from '../platform/errors.ts'
import { readSql } from '../platform/store/sql.ts'
import type { Store } from '../platform/store/store.ts'
import type { Network } from '../schema/networks.ts'
import { AUTHORITY_LISTS } from '../schema/registry/authorities.ts'
import { topics } from '../schema/topics.ts'
import { loadCoverage, restsOnLogs, withElsewhere } from './ledger/authorities/coverage.ts'
import { rescoreMessages } from './rescore-queue.ts'

const UNSURE = readSql(import.meta.url, './ledger/authorities/sql/unsure-wallets.sql')

/** How often it looks, ms. */
const LOOK_MS = 5_000
/** Longer than a verdict can be under way, ms. */
const QUIET_MS = 60_000

export type UnsureDeps = {
  context: Pick<Context, 'clock' | 'log'>
  store: Store
  bus: Pick<Bus, 'lag'>
  producer: Pick<Producer, 'send'>
  /** Consumer group that scores what is queued. */
  groupId: string
  network: Network
}

/** Resolves when no wallet of the network is left, or on the signal. @throws what is not retryable */
export const requeueUnsure = async (
  { context: { clock, log }, store, bus, producer, groupId, network }: UnsureDeps,
  signal: AbortSignal,
): Promise<void> => {
  if (!restsOnLogs(network)) return
  const topic = topics.rescore(network)

  /** How many wallets were queued; `undefined` while it is too early to look. */
  const look = async (): Promise<number | undefined> => {
    const { own, elsewhere } = await loadCoverage(store, network)
    const { missing } = withElsewhere(own, elsewhere)
    if (AUTHORITY_LISTS.some((list) => missing(list) !== undefined)) return undefined
    // What waits to be scored, by this or by another scorer, would be queued once more.
    if ((await bus.lag(groupId, topic)) > 0n) return undefined
    const rows = await store.query<{ address: string }>(UNSURE, { network }, { route: 'unsure_wallets' })
    const messages = rescoreMessages(rows.map(({ address }) => address))
    if (messages.length === 0) return 0
    await producer.send([{ topic, messages }])
    log.info({ network, wallets: rows.length }, 'queued wallets scored before the logs of authorities were complete')
    return rows.length
  }

  let quietSince: number | undefined
  while (!signal.aborted && (quietSince === undefined || clock.now() - quietSince < QUIET_MS)) {
    try {
      const found = await look()
      if (found !== 0) quietSince = undefined
      else quietSince ??= clock.now()
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      log.warn({ network, reason: messageOf(error) }, 'failed to look for wallets to score again')
    }
    await clock.sleep(LOOK_MS, signal).catch(() => undefined)
  }
}
