/**
 * Requeues the receivers of wallets whose offence changed: their own, or the offence their funds come from. Receivers pass it on
 * for at most three transfers. It ends because the number of transfers to an offence only grows, and because offences depend on
 * no other wallet's record.
 */
import type { Producer } from '../../platform/bus/bus.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'
import { createTieredStore } from '../ledger/reading/tiers.ts'
import type { Verdict } from '../scoring/verdict.ts'
import { rescoreMessages } from './queue.ts'

const RECEIVERS = readSql(import.meta.url, '../ledger/exposure/sql/receivers.sql')

/** Newest receivers queued per wallet: a thief may send dust to a million strangers. */
const MAX_RECEIVERS = 1_000
/** Wallets whose receivers are held in memory at once. */
const AT_ONCE = 50

/** Queues the receivers of wallets whose offence changed. Returns the number of queued addresses. */
export type QueueReceivers = (
  network: Network,
  verdicts: readonly Pick<Verdict, 'address' | 'affectsReceivers'>[],
) => Promise<number>

/** Reads the hot tables too, so that payments of the newest block count. */
export const createQueueReceivers =
  ({ store, producer }: { store: Store; producer: Pick<Producer, 'send'> }): QueueReceivers =>
  async (network, verdicts) => {
    const changed = verdicts.flatMap(({ address, affectsReceivers }) => (affectsReceivers ? [address] : []))
    const tiered = createTieredStore(store, 'all')
    /** Queues each receiver once, even if several wallets paid it. */
    const queued = new Set<string>()
    for (let at = 0; at < changed.length; at += AT_ONCE) {
      const rows = await tiered.query<{ address: string }>(
        RECEIVERS,
        { network, addresses: changed.slice(at, at + AT_ONCE), limit: MAX_RECEIVERS },
        { route: 'exposure_receivers' },
      )
      const fresh = rows.map(({ address }) => address).filter((address) => !queued.has(address))
      for (const address of fresh) queued.add(address)
      if (fresh.length > 0) await producer.send([{ topic: topics.rescore(network), messages: rescoreMessages(fresh) }])
    }
    return queued.size
  }
