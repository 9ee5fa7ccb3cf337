/** Requeues wallets whose verdicts left something unknown that has become known. */
import type { Producer } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context/context.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'
import { rescoreMessages } from './queue.ts'

const OPEN = readSql(import.meta.url, '../ledger/sql/open-wallets.sql')

/** Longest time a verdict takes to be stored, ms. A verdict based on the old state can appear this late. */
export const UNDER_WAY_MS = 60_000

/** Dependencies of a search for open verdicts on one network. */
export type RequeueDeps = {
  context: Pick<Context, 'clock' | 'log'>
  store: Store
  producer: Pick<Producer, 'send'>
  network: Network
}

/**
 * Queues wallets whose newest record has an unknown that contains `words`. `scored` describes them in the log line.
 * @returns the number of queued wallets
 */
export const queueByUnknown = async (
  { context: { log }, store, producer, network }: RequeueDeps,
  { words, scored }: { words: string; scored: string },
): Promise<number> => {
  const rows = await store.query<{ address: string }>(OPEN, { network, words }, { route: 'open_wallets' })
  if (rows.length === 0) return 0
  const messages = rescoreMessages(rows.map(({ address }) => address))
  await producer.send([{ topic: topics.rescore(network), messages }])
  log.info({ network, wallets: rows.length }, `queued wallets scored ${scored}`)
  return rows.length
}
