/**
 * Scores again those who were paid by a wallet of which something is known now, or no longer: an offence of its own, or that its money
 * comes from one. What they are found to be is passed on the same way, for three transfers and no more, because the number of
 * transfers to an offence only grows. Offences rest on no other wallet's record, so this ends.
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

/** Of one wallet: the newest receivers that are queued. A thief may send dust to a million strangers. */
const MAX_RECEIVERS = 1_000
/** Wallets whose receivers are held in memory at once. */
const AT_ONCE = 50

/** Queues whom wallets paid whose offence changed; returns how many. */
export type Spread = (network: Network, verdicts: readonly Pick<Verdict, 'address' | 'spreads'>[]) => Promise<number>

/**
 * Uses the hot tables too, so that a payment of the newest block is followed. Of each wallet at most a thousand
 * receivers.
 */
export const createSpread =
  ({ store, producer }: { store: Store; producer: Pick<Producer, 'send'> }): Spread =>
  async (network, verdicts) => {
    const changed = verdicts.flatMap(({ address, spreads }) => (spreads ? [address] : []))
    const tiered = createTieredStore(store, 'all')
    /** Who was paid by many is queued once. */
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
