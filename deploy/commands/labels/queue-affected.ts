import type { Producer } from '../../../platform/bus/bus.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { walletsAffected } from '../../../scorer/ledger/labels/list.ts'
import { rescoreMessages } from '../../../scorer/rescore/queue.ts'

/**
 * Queues wallets for scoring whose labels changed since `since`, ms since the epoch. `open` is called only if there are any; the
 * producer is closed here. @returns the number of wallets
 */
export const queueAffected = async (
  store: Store,
  open: (network: Network) => Promise<Producer>,
  since: number,
  detector?: string,
): Promise<number> => {
  let count = 0
  let producer: Producer | undefined
  try {
    for await (const { network, addresses } of walletsAffected(store, since, detector)) {
      producer ??= await open(network)
      await producer.send([{ topic: topics.rescore(network), messages: rescoreMessages(addresses) }])
      count += addresses.length
    }
  } finally {
    await producer?.close()
  }
  return count
}
