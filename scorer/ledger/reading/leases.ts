/**
 * Leases of reads: a read that was overtaken once asks the mover of the watermark for time. A move that is due waits for it, within
 * bounds (`scorer/ingest`). A lease makes a read likelier to succeed and proves nothing: the proof is the version of the watermark.
 */
import { randomUUID } from 'node:crypto'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'

/** Reads while a lease is held. What goes wrong with the lease itself costs nothing but time: it expires (`schema/tables/ingest.ts`). */
export const withLease = async <T>(store: Store, network: Network, read: () => Promise<T>): Promise<T> => {
  const lease = { network, reader: randomUUID() }
  const put = (released: 0 | 1) =>
    store.insert('read_leases', `${JSON.stringify({ ...lease, released })}\n`).catch(() => undefined)
  await put(0)
  try {
    return await read()
  } finally {
    await put(1)
  }
}
