/**
 * Scores again those who were paid by a wallet of which something is known now, or no longer: an offence of its own, or that its money
 * comes from one. What they are found to be is passed on the same way, for three transfers and no more, because the number of
 * transfers to an offence only grows. Offences rest on no other wallet's record, so this ends.
 */
import type { Producer } from '../platform/bus/bus.ts'
import { readSql } from '../platform/store/sql.ts'
import type { Store } from '../platform/store/store.ts'
import type { Network } from '../schema/networks.ts'
import { topics } from '../schema/topics.ts'
import { createTieredStore } from './ledger/tiers.ts'
import { rescoreMessages } from './rescore-queue.ts'
import type { Verdict } from './scoring/verdict.ts'

const RECEIVERS = readSql(import.meta.url, './ledger/exposure/sql/receivers.sql')

/** Of one wallet: the newest receivers that are queued. A thief may send dust to a million strangers. */
const MOST_RECEIVERS = 1_000

/** Queues whom wallets paid whose offence changed; returns how many. */
export type Spread = (network: Network, verdicts: readonly Pick<Verdict, 'address' | 'spreads'>[]) => Promise<number>

export const createSpread =
  ({ store, producer }: { store: Store; producer: Pick<Producer, 'send'> }): Spread =>
  async (network, verdicts) => {
    const addresses = verdicts.flatMap(({ address, spreads }) => (spreads ? [address] : []))
    if (addresses.length === 0) return 0
    const rows = await createTieredStore(store, 'all').query<{ address: string }>(
      RECEIVERS,
      { network, addresses, limit: MOST_RECEIVERS },
      { route: 'exposure_receivers' },
    )
    if (rows.length > 0)
      await producer.send([
        { topic: topics.rescore(network), messages: rescoreMessages(rows.map(({ address }) => address)) },
      ])
    return rows.length
  }
